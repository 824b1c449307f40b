/*
 * What is stored was written by others, also by people who know that an agent will read it. Whether a reader obeys is
 * not ours to decide; what we can do is let nothing invisible through, nothing that a host would render or fetch by
 * itself, and nothing that looks like the end of the quotation or like the frame of a conversation.
 */

/** Control characters but tab and line feed, separators of lines and paragraphs, and marks of annotations. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffc]/g
/** Zero-width and bidirectional marks, fillers, variation selectors, tags: by Unicode, what is drawn as nothing. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}+/gu
/** One selector and one joiner make an emoji of several signs; more of them in a row are a hidden message. */
const EMOJI_BEFORE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u
const EMOJI_AFTER = /^\p{Extended_Pictographic}/u
/** Scripts whose spelling needs joiners. */
const JOINING =
  /[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Gujr}\p{sc=Guru}\p{sc=Knda}\p{sc=Mlym}\p{sc=Orya}\p{sc=Sinh}\p{sc=Taml}\p{sc=Telu}]/u

const IMAGE = /!\[([^\]\n]{0,500})\]\((?:[^()\n]|\([^()\n]{0,2000}\)){0,4000}\)/g
const REFERENCE_IMAGE = /!\[([^\]\n]{0,500})\]\[[^\]\n]{0,500}\]/g
const LINK =
  /\[([^\]\n]{1,500})\]\(\s*<?((?:[^()\s<>]|\([^()\s]{0,2000}\)){0,4000})>?(?:\s+["'(][^\n)]{0,500}["')])?\s*\)/g
const ACTIVE_TAG =
  /<\s*\/?\s*(?:img|script|style|iframe|object|embed|svg|link|meta|base|form|input|button|video|audio|picture|source)\b[^>]{0,4000}>?/gi
const ACTIVE_ADDRESS = /\b(?:javascript|vbscript|data)\s*:(?=\S)[^\s"')\]>]*/gi
/** The fence, and marks by which models tell who speaks. */
const FRAME =
  /<(?=\s*\/?\s*recalled\s*:)|<(?=\|)|<(?=\s*\/?\s*(?:system|assistant|user|human|tool_result|tool_use|function_calls|function_results|antml:[a-z_]+)\b[^>\n]{0,200}>)/gi

/**
 * Stored text as it may be shown to an agent: the words as they were, but nothing invisible, no image that would be
 * fetched, links with their address in sight, and no mark that ends the quotation.
 */
export function cleanText(text: string): string {
  return withoutInvisible(text)
    .replace(IMAGE, (_, title: string) => pictureOf(title))
    .replace(REFERENCE_IMAGE, (_, title: string) => pictureOf(title))
    .replace(LINK, (_, title: string, address: string) => (title === address ? address : `${title} (${address})`))
    .replace(ACTIVE_TAG, '')
    .replace(ACTIVE_ADDRESS, '[address left out]')
    .replace(FRAME, '‹')
    .trim()
}

/** For titles and names: the same in one line, at most `most` characters. */
export function cleanLine(text: string, most: number): string {
  const line = cleanText(text).replace(/\s+/g, ' ')
  return line.length <= most
    ? line
    : `${line
        .slice(0, most - 1)
        .toWellFormed()
        .trimEnd()}…`
}

function withoutInvisible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(CONTROL, '')
    .replace(IGNORABLE, (marks, at: number, whole: string) => (isSpelling(marks, at, whole) ? marks : ''))
}

function isSpelling(marks: string, at: number, whole: string): boolean {
  const before = whole.slice(Math.max(0, at - 2), at)
  const after = whole.slice(at + marks.length, at + marks.length + 2)
  if (marks === '\ufe0f') return EMOJI_BEFORE.test(before)
  if (marks === '\u200d' || marks === '\ufe0f\u200d') {
    if (EMOJI_BEFORE.test(before) && EMOJI_AFTER.test(after)) return true
  }
  return (marks === '\u200c' || marks === '\u200d') && JOINING.test(before.slice(-1)) && JOINING.test(after)
}

function pictureOf(title: string): string {
  return title.trim() === '' ? '[image]' : `[image: ${title.trim()}]`
}
