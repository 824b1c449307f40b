/** What is written in one place and not in the other although it is the same character, or none. */
const INVISIBLE = /\p{Cf}|\uFE0E|\uFE0F/gu
/** NFKC makes 102 of 10². */
const POWER = /(?<=\p{N})[⁰¹²³⁴⁵⁶⁷⁸⁹]/gu
const PLAIN = /^[\n\x20-\x7e]*$/
const SAME_CHARACTERS: readonly (readonly [RegExp, string])[] = [
  [/[‘’ʼ]/g, "'"],
  [/[“”„«»]/g, '"'],
  [/[−‒‐‑]/g, '-'],
  [/(?<=\d)\s?–\s?(?=\d)/g, '-'],
  [/[–—]/g, ' '],
]
/** Said in front of a text that is passed on, or below it, without a name: with one it is said to somebody. */
const PASSED_ON = /^\s*(?:(?:re|fwd?|aw|wg)\s*:\s*)+/i
const GREETING =
  /^\s*(?:(?:hi|hello|hey|dear)(?: (?:all|everyone|everybody|team|there))?|good (?:morning|afternoon|evening))[,.!]*[ \t]*\n/i
const FAREWELL = /\n\s*(?:(?:many )?thanks(?: a lot)?|thank you|(?:best|kind) regards|best|regards|cheers)[,.!]*\s*$/i
const EDITED = /\s*\(edited\)\s*$/i

const ESCAPED = /\\([\\`*_{}[\]()#+.!|<>~-])/g
const BARE_LINK = /<((?:https?:|mailto:)[^\s<>]+)>/g
/** Of a quotation, a heading or a list. `- 5` may be a number with its sign, `+ x` what a change adds. */
const LINE_MARKS = /^[ \t]*(?:>[ \t]?)*(?:#{1,6}[ \t]+|[-*•][ \t]+(?!\d))?/gm
const TABLE_RULE = /^\|?[ \t:|-]*-{3}[ \t:|-]*$/gm
const TABLE_ROW = /^\|.*$/gm

const LEADING = /^(?:["'[{*_`¡¿,;:!…]|\.(?![\p{L}\p{N}]))+/u
const LEADING_PARENTHESES = /^\(+/
const TRAILING = /[)"'\]}*_`,;:!.…?]+$/
/** Bookkeepers write what is owed as (500). */
const IN_PARENTHESES = /^\([-+]?[$€£]?\d[\d.,]*[%€$£]?\)/
const DASHES = /^-+$/
/** A milliwatt is no megawatt. */
const UNIT = /^(?:[-+]?[\d.,]+)?[munpkKMGTPE]i?(?:Wh?|B|b|[Bb]ps|bit|Hz|g|m|s|V|Ah?|J|Pa|N|F|H|[Ll]|eV)(?:\/\p{L}+)?$/u

/**
 * The words of a text in order, equal for texts that say the same to the word: without case, line breaks, marks of
 * Markdown and of quoting, and punctuation around words. Numbers with their signs, points and units, symbols, and question
 * marks are kept.
 */
export function sameWords(text: string): string[] {
  const words: string[] = []
  const tokens = withoutMarks(text).split(/\s+/)
  for (const [i, token] of tokens.entries()) {
    const [word, isAsked] = bare(token)
    const previous = words.at(-1) ?? ''
    const isDash = DASHES.test(word) && !(/\d$/.test(previous) && /^[$€£]?\d/.test(tokens[i + 1] ?? ''))
    if (word !== '' && !isDash) words.push(UNIT.test(word) && isNumbered(word, previous) ? word : word.toLowerCase())
    if (isAsked) words.push('?')
  }
  return words
}

/**
 * Equal for texts with equal `sameWords`, and cheap: the last letters and digits. What is told apart by it need not be
 * compared.
 */
export function textEnd(text: string): string {
  const tail = text.slice(-END_CHARACTERS).replace(EDITED, '').replace(FAREWELL, '')
  const letters = PLAIN.test(tail)
    ? tail.toLowerCase().replace(NO_PLAIN_WORD, '')
    : tail.normalize('NFKC').toLowerCase().replace(NO_WORD, '')
  return letters.slice(-END_LETTERS)
}

/** So many that formatting does not leave too few letters. */
const END_CHARACTERS = 120
const END_LETTERS = 12
const NO_WORD = /[^\p{L}\p{N}]+/gu
/** The same for ASCII in lower case, in a third of the time. */
const NO_PLAIN_WORD = /[^a-z\d]+/g

function withoutMarks(text: string): string {
  let bare = text.replace(PASSED_ON, '').replace(GREETING, '').replace(EDITED, '').replace(FAREWELL, '')
  if (!PLAIN.test(bare)) {
    bare = bare
      .replace(POWER, (digit) => `^${digit}`)
      .normalize('NFKC')
      .replace(INVISIBLE, '')
    for (const [pattern, character] of SAME_CHARACTERS) bare = bare.replace(pattern, character)
  }
  return (
    bare
      .replace(LINE_MARKS, '')
      .replace(TABLE_RULE, '')
      // An empty cell moves the cells behind it.
      .replace(TABLE_ROW, (row) => row.replace(/\|(?=\s*\|)/g, ' ∅ ').replaceAll('|', ' '))
      .replace(ESCAPED, '$1')
      .replace(BARE_LINK, '$1')
      .replaceAll('](', ' ')
  )
}

function bare(token: string): readonly [word: string, isAsked: boolean] {
  const start = token.replace(LEADING, '')
  const owed = IN_PARENTHESES.exec(start)?.[0]
  if (owed !== undefined) return [owed, start.slice(owed.length).includes('?')]
  const word = start.replace(LEADING_PARENTHESES, '').replace(LEADING, '')
  const end = TRAILING.exec(word)
  return end === null ? [word, false] : [word.slice(0, end.index), end[0].includes('?')]
}

function isNumbered(word: string, previous: string): boolean {
  return /^[-+]?\d/.test(word) || /\d$/.test(previous)
}
