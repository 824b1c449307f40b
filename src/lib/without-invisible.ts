/** Line and page ends other than a line feed. */
const LINE_END = /\r\n?|[\v\f\u0085\u2028\u2029]/g
/** Control characters except tab and line feed, and annotation marks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufff9-\ufffc]/g
/**
 * Zero-width and bidirectional marks, fillers, variation selectors, tags: characters that Unicode renders as nothing.
 */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}+/gu
// Not one class of both: Chromium 156 finds no such class before an end.
const EMOJI_BEFORE = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})$/u
const EMOJI_AFTER = /^\p{Extended_Pictographic}/u
const KEYCAP_BEFORE = /[0-9#*]$/
/** England, Scotland and Wales: the flags that Unicode recommends for interchange. */
const FLAG_TAGS: ReadonlySet<string> = new Set(['gbeng', 'gbsct', 'gbwls'].map(tagged))
/** Scripts whose spelling needs joiners. */
const JOINING =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Deva}\p{scx=Beng}\p{scx=Gujr}\p{scx=Guru}\p{scx=Knda}\p{scx=Mlym}\p{scx=Orya}\p{scx=Sinh}\p{scx=Taml}\p{scx=Telu}\p{scx=Khmr}\p{scx=Mymr}]/u

/** Removes invisible characters, except the joiners and selectors that emoji and some scripts need. */
export function withoutInvisible(text: string): string {
  return text
    .toWellFormed()
    .replace(LINE_END, '\n')
    .replace(CONTROL, '')
    .replace(IGNORABLE, (marks, at: number, whole: string) => (isSpelling(marks, at, whole) ? marks : ''))
}

/** An emoji has one selector or joiner between signs; more of them in a row are a hidden message. */
function isSpelling(marks: string, at: number, whole: string): boolean {
  const before = whole.slice(Math.max(0, at - 2), at)
  const after = whole.slice(at + marks.length, at + marks.length + 2)
  const isEmoji = EMOJI_BEFORE.test(before)
  if (marks === '\ufe0f') return isEmoji || (KEYCAP_BEFORE.test(before) && after.startsWith('\u20e3'))
  if (marks === '\ufe0e') return isEmoji
  if ((marks === '\u200d' || marks === '\ufe0f\u200d') && isEmoji && EMOJI_AFTER.test(after)) return true
  if (FLAG_TAGS.has(marks)) return before === '🏴'
  return (marks === '\u200c' || marks === '\u200d') && JOINING.test(before.slice(-1)) && JOINING.test(after)
}

/** The letters as invisible tags, with the terminating tag. */
function tagged(letters: string): string {
  return `${[...letters].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u{e007f}`
}
