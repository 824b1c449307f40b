import { zonedDay } from '../../lib/clock.ts'

/** The fields by which duplicates are compared. */
export interface ComparedText {
  readonly itemKey: number
  readonly text: string
  /** Title of the item; in a chat, the channel. */
  readonly title: string | undefined
  /** Other headings above the text, normalized for comparison. Called for equal texts only. */
  readonly heading: () => string
  /** Words that a text without headings may begin with and a text with headings has above it. */
  readonly headline: string
  readonly speakers: readonly string[]
  /** Milliseconds since the epoch. */
  readonly at: number | undefined
  /** In chats the same message may be posted to several channels. */
  readonly isChat: boolean
}

/** One result with its duplicates. */
export interface Folded<T> {
  readonly one: T
  readonly copies: readonly T[]
}

/** Characters of words from which two people, or one on two occasions, hardly ever write the same text: 20 words. */
const LONG = 100
/** `Yes` in one channel is a different answer from `Yes` in another. */
const PING = 25
const MINUTE_MS = 60_000
/** Results after the last one kept that are still compared, because duplicates have similar scores. */
const LOOK_BEHIND = 20
const DAY_WORDS = new Set(
  'today tonight tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday'.split(' '),
)
const NEAR_DAY = /^(?:this|next|last)$/
const SPAN = /^(?:week|weekend|month|quarter|year|morning|afternoon|evening)$/

/**
 * Removes duplicates: results with the same words, title and people on the same occasion. The first of equal ones is
 * kept, or the earliest of those with the same score.
 * @param sorted best first
 * @param limit maximum results to keep
 */
export function foldSame<T>(
  sorted: readonly T[],
  {
    comparedTextOf,
    scoreOf,
  }: { readonly comparedTextOf: (one: T) => ComparedText; readonly scoreOf: (one: T) => number },
  limit: number,
  timeZone: string,
): Folded<T>[] {
  const groups: Group<T>[] = []
  const byEnd = new Map<string, Group<T>[]>()
  let behind = 0
  for (const one of sorted) {
    if (groups.length >= limit && ++behind > LOOK_BEHIND) break
    const fingerprint = createFingerprint(comparedTextOf(one))
    const alike = byEnd.get(fingerprint.end)
    const group = alike?.find((other) => isSame(fingerprint, other.fingerprint, timeZone))
    if (group !== undefined) {
      group.members.push(one)
      if (
        isEarlier(fingerprint.compared, group.fingerprint.compared) &&
        scoreOf(one) === scoreOf(group.members[group.kept]!)
      ) {
        group.kept = group.members.length - 1
        group.fingerprint = fingerprint
      }
    } else if (groups.length < limit) {
      const group = { fingerprint, members: [one], kept: 0 }
      groups.push(group)
      if (alike) alike.push(group)
      else byEnd.set(fingerprint.end, [group])
    }
  }
  return groups.map(({ members, kept }) => ({
    one: members[kept]!,
    copies: members.filter((_, i) => i !== kept),
  }))
}

/** At equal times the first upload wins, so that memories and chunks keep the same item. */
function isEarlier(a: ComparedText, b: ComparedText): boolean {
  const [at, other] = [a.at ?? Infinity, b.at ?? Infinity]
  return at < other || (at === other && a.itemKey < b.itemKey)
}

interface Group<T> {
  fingerprint: Fingerprint
  readonly members: T[]
  kept: number
}

interface Fingerprint {
  readonly compared: ComparedText
  readonly end: string
  readonly words: () => readonly string[]
}

function createFingerprint(compared: ComparedText): Fingerprint {
  let words: readonly string[] | undefined
  return {
    compared,
    end: textEnd(compared.text),
    words: () => {
      words ??= sameWords(compared.text)
      return words
    },
  }
}

function isSame(a: Fingerprint, b: Fingerprint, timeZone: string): boolean {
  const [short, long] = a.words().length <= b.words().length ? [a, b] : [b, a]
  const words = short.words()
  const ahead = long.words().length - words.length
  if (words.length === 0 || !words.every((word, i) => word === long.words()[ahead + i])) return false
  const length = words.reduce((sum, word) => sum + word.length, 0)
  const pair = {
    a: a.compared,
    b: b.compared,
    isLong: length >= LONG,
    isCrossPosted: isCrossPosted(a.compared, b.compared),
  }
  if (ahead > 0 && !(pair.isLong && isHeading(long.words().slice(0, ahead), short.compared))) return false
  if (speakerKey(a.compared) !== speakerKey(b.compared)) return false
  // In one conversation the same few words can answer different questions.
  if (a.compared.itemKey === b.compared.itemKey && !pair.isLong) return false
  if (pair.isCrossPosted ? length < PING : !isUnderSameTitle(pair, ahead > 0)) return false
  return isSameOccasion(pair, words, timeZone)
}

interface Pair {
  readonly a: ComparedText
  readonly b: ComparedText
  readonly isLong: boolean
  readonly isCrossPosted: boolean
}

function isCrossPosted(a: ComparedText, b: ComparedText): boolean {
  return a.isChat && b.isChat && a.itemKey !== b.itemKey && normalizedTitle(a) !== normalizedTitle(b)
}

/** Plain text has its headings as its first words. */
function isHeading(words: readonly string[], { headline, title = '' }: ComparedText): boolean {
  const head = new Set([...sameWords(title), ...sameWords(headline)])
  return words.every((word) => head.has(word))
}

/** A number may be in the subject with the same words below. A long text with and without a title is the same text. */
function isUnderSameTitle({ a, b, isLong }: Pair, isHeaded: boolean): boolean {
  if ((a.title === undefined) !== (b.title === undefined)) return isLong
  return normalizedTitle(a) === normalizedTitle(b) && (isHeaded || a.heading() === b.heading())
}

function normalizedTitle({ title = '' }: ComparedText): string {
  return titleWords(title)
}

/** A title without file extension, `Re:` and the like, for comparison. */
export function titleWords(title: string): string {
  return sameWords(title.replace(/\.\p{L}{1,4}\d?$/u, '')).join(' ')
}

function speakerKey({ speakers }: ComparedText): string {
  return speakers
    .map((name) => sameWords(name).join(' '))
    .sort()
    .join('\n')
}

/**
 * Short texts recur (`Standup, 10:00`), and so do messages to others; a document is the same whenever it was copied,
 * unless its words refer to a different day.
 */
function isSameOccasion({ a, b, isLong, isCrossPosted }: Pair, words: readonly string[], timeZone: string): boolean {
  if (a.at === undefined && b.at === undefined) return true
  if (a.at === undefined || b.at === undefined) return isLong
  if (Math.floor(a.at / MINUTE_MS) === Math.floor(b.at / MINUTE_MS)) return true
  // The same alert twice in an hour is two alerts; the same mail in two mailboxes has one time.
  if (!isCrossPosted && (!isLong || a.speakers.length > 0)) return false
  if (isLong && !isBoundToDay(words)) return true
  return localDay(a.at, timeZone) === localDay(b.at, timeZone)
}

function isBoundToDay(words: readonly string[]): boolean {
  if (words.at(-1) === '?') return true
  return words.some((word, i) => DAY_WORDS.has(word) || (NEAR_DAY.test(word) && SPAN.test(words[i + 1] ?? '')))
}

function localDay(at: number, timeZone: string): string {
  const { year, month, day } = zonedDay(new Date(at), timeZone)
  return `${year}-${month}-${day}`
}

/** Invisible characters and variation selectors. */
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
/** A forwarding note before or below a text, without a name: with a name, it addresses somebody. */
const PASSED_ON = /^\s*(?:(?:re|fwd?|aw|wg)\s*:\s*)+/i
const GREETING =
  /^\s*(?:(?:hi|hello|hey|dear)(?: (?:all|everyone|everybody|team|there))?|good (?:morning|afternoon|evening))[,.!]*[ \t]*\n/i
const FAREWELL = /\n\s*(?:(?:many )?thanks(?: a lot)?|thank you|(?:best|kind) regards|best|regards|cheers)[,.!]*\s*$/i
const EDITED = /\s*\(edited\)\s*$/i

const ESCAPED = /\\([\\`*_{}[\]()#+.!|<>~-])/g
const BARE_LINK = /<((?:https?:|mailto:)[^\s<>]+)>/g
/** Marks of a quotation, a heading or a list. `- 5` may be a negative number, `+ x` an added line. */
const LINE_MARKS = /^[ \t]*(?:>[ \t]?)*(?:#{1,6}[ \t]+|[-*•][ \t]+(?!\d))?/gm
const TABLE_RULE = /^\|?[ \t:|-]*-{3}[ \t:|-]*$/gm
const TABLE_ROW = /^\|.*$/gm

const LEADING = /^(?:["'[{*_`¡¿,;:!…]|\.(?![\p{L}\p{N}]))+/u
const LEADING_PARENTHESES = /^\(+/
const TRAILING = /[)"'\]}*_`,;:!.…?]+$/
/** Accountants write debts as (500). */
const IN_PARENTHESES = /^\([-+]?[$€£]?\d[\d.,]*[%€$£]?\)/
const DASHES = /^-+$/
/** A milliwatt is not a megawatt. */
const UNIT = /^(?:[-+]?[\d.,]+)?[munpkKMGTPE]i?(?:Wh?|B|b|[Bb]ps|bit|Hz|g|m|s|V|Ah?|J|Pa|N|F|H|[Ll]|eV)(?:\/\p{L}+)?$/u

/**
 * The words of a text in order, normalized so that the same text compares equal: without case, line breaks, Markdown
 * and quote marks, and punctuation around words. Numbers with their signs, points and units, symbols, and question
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
 * A cheap key, equal for texts with equal `sameWords`: the last letters and digits. Texts with different keys need not
 * be compared.
 */
export function textEnd(text: string): string {
  const end = text.slice(-END_CHARACTERS)
  // Nearly no text needs these patterns, which try every space of it.
  const unedited = end.includes(')') ? end.replace(EDITED, '') : end
  const tail = unedited.includes('\n') ? unedited.replace(FAREWELL, '') : unedited
  const letters = PLAIN.test(tail)
    ? tail.slice(plainEnd(tail)).toLowerCase().replace(NO_PLAIN_WORD, '')
    : tail.normalize('NFKC').toLowerCase().replace(NO_WORD, '')
  return letters.slice(-END_LETTERS)
}

/** Where the last letters and digits of an ASCII text begin: the patterns would go through all of it. */
function plainEnd(text: string): number {
  let start = text.length
  for (let letters = 0; start > 0 && letters < END_LETTERS; ) if (isPlainLetter(text.charCodeAt(--start))) letters++
  return start
}

function isPlainLetter(code: number): boolean {
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

/** Enough that formatting does not leave too few letters. */
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
