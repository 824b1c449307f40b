import { zonedDay } from '../lib/zoned-time.ts'
import { sameWords, textEnd } from './same-text.ts'

/** What duplicates are told by. */
export interface Told {
  readonly itemKey: number
  readonly text: string
  /** Of the item; in a chat, the place where it is said. */
  readonly title: string | undefined
  /** What else stands above the text, in a form that is equal for what is equal. Called for equal texts only. */
  readonly heading: () => string
  /** Words that a text without headings may begin with and a text with headings has above it. */
  readonly headline: string
  readonly speakers: readonly string[]
  /** Milliseconds since the epoch. */
  readonly at: number | undefined
  /** The same message may be said in several places. */
  readonly isChat: boolean
}

/** One result with those that say the same. */
export interface Folded<T> {
  readonly one: T
  readonly copies: readonly T[]
}

/** Characters of words from which two people, or one on two occasions, hardly write the same text twice: 20 words. */
const LONG = 100
/** `Yes` in one channel is another answer than `Yes` in another. */
const PING = 25
const MINUTE_MS = 60_000
/** Results behind the last one kept that are still compared, as copies score alike. */
const LOOK_BEHIND = 20
const DAY_WORDS = new Set(
  'today tonight tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday'.split(' '),
)
const NEAR_DAY = /^(?:this|next|last)$/
const SPAN = /^(?:week|weekend|month|quarter|year|morning|afternoon|evening)$/

/**
 * Folds results that say the same, to the word, under the same title, by the same people, on the same occasion. Of equal
 * ones the first is kept, or of those that score alike the earliest.
 *
 * @param sorted best first
 * @param limit most results to keep
 */
export function foldSame<T>(
  sorted: readonly T[],
  { toldOf, scoreOf }: { readonly toldOf: (one: T) => Told; readonly scoreOf: (one: T) => number },
  limit: number,
  timeZone: string,
): Folded<T>[] {
  const groups: Group<T>[] = []
  const byEnd = new Map<string, Group<T>[]>()
  let behind = 0
  for (const one of sorted) {
    if (groups.length >= limit && ++behind > LOOK_BEHIND) break
    const print = createPrint(toldOf(one))
    const alike = byEnd.get(print.end)
    const group = alike?.find((other) => isSame(print, other.print, timeZone))
    if (group !== undefined) {
      group.members.push(one)
      if (isEarlier(print.told, group.print.told) && scoreOf(one) === scoreOf(group.members[group.kept]!)) {
        group.kept = group.members.length - 1
        group.print = print
      }
    } else if (groups.length < limit) {
      const made = { print, members: [one], kept: 0 }
      groups.push(made)
      if (alike) alike.push(made)
      else byEnd.set(print.end, [made])
    }
  }
  return groups.map(({ members, kept }) => ({
    one: members[kept]!,
    copies: members.filter((_, i) => i !== kept),
  }))
}

/** Of one time, what was uploaded first, so that memories and chunks keep the same item. */
function isEarlier(a: Told, b: Told): boolean {
  const [at, other] = [a.at ?? Infinity, b.at ?? Infinity]
  return at < other || (at === other && a.itemKey < b.itemKey)
}

interface Group<T> {
  print: Print
  readonly members: T[]
  kept: number
}

interface Print {
  readonly told: Told
  readonly end: string
  readonly words: () => readonly string[]
}

function createPrint(told: Told): Print {
  let words: readonly string[] | undefined
  return {
    told,
    end: textEnd(told.text),
    words: () => {
      words ??= sameWords(told.text)
      return words
    },
  }
}

function isSame(a: Print, b: Print, timeZone: string): boolean {
  const [short, long] = a.words().length <= b.words().length ? [a, b] : [b, a]
  const words = short.words()
  const ahead = long.words().length - words.length
  if (words.length === 0 || !words.every((word, i) => word === long.words()[ahead + i])) return false
  const length = words.reduce((sum, word) => sum + word.length, 0)
  const pair = { a: a.told, b: b.told, isLong: length >= LONG, isCrossPosted: isCrossPosted(a.told, b.told) }
  if (ahead > 0 && !(pair.isLong && isHeadOf(long.words().slice(0, ahead), short.told))) return false
  if (peopleOf(a.told) !== peopleOf(b.told)) return false
  // In one conversation the same few words answer different things.
  if (a.told.itemKey === b.told.itemKey && !pair.isLong) return false
  if (pair.isCrossPosted ? length < PING : !isUnderSameTitle(pair, ahead > 0)) return false
  return isSameOccasion(pair, words, timeZone)
}

interface Pair {
  readonly a: Told
  readonly b: Told
  readonly isLong: boolean
  readonly isCrossPosted: boolean
}

function isCrossPosted(a: Told, b: Told): boolean {
  return a.isChat && b.isChat && a.itemKey !== b.itemKey && titleOf(a) !== titleOf(b)
}

/** Plain text has its headings as its first words. */
function isHeadOf(words: readonly string[], { headline, title = '' }: Told): boolean {
  const head = new Set([...sameWords(title), ...sameWords(headline)])
  return words.every((word) => head.has(word))
}

/** The number may stand in the subject and the same words below each. A long text without a title is no other text. */
function isUnderSameTitle({ a, b, isLong }: Pair, isHeaded: boolean): boolean {
  if ((a.title === undefined) !== (b.title === undefined)) return isLong
  return titleOf(a) === titleOf(b) && (isHeaded || a.heading() === b.heading())
}

function titleOf({ title = '' }: Told): string {
  return titleWords(title)
}

/** Equal for titles that name the same: without the ending of a file's name, `Re:` and the like. */
export function titleWords(title: string): string {
  return sameWords(title.replace(/\.\p{L}{1,4}\d?$/u, '')).join(' ')
}

function peopleOf({ speakers }: Told): string {
  return speakers
    .map((name) => sameWords(name).join(' '))
    .sort()
    .join('\n')
}

/**
 * Short texts recur (`Standup, 10:00`), and so does what somebody says to others; a document stays the same whenever it
 * was copied, unless its words mean another day on another day.
 */
function isSameOccasion({ a, b, isLong, isCrossPosted }: Pair, words: readonly string[], timeZone: string): boolean {
  if (a.at === undefined && b.at === undefined) return true
  if (a.at === undefined || b.at === undefined) return isLong
  if (Math.floor(a.at / MINUTE_MS) === Math.floor(b.at / MINUTE_MS)) return true
  // The same alert twice in an hour is two alerts; the same mail in two mailboxes has one time.
  if (!isCrossPosted && (!isLong || a.speakers.length > 0)) return false
  if (isLong && !isBoundToDay(words)) return true
  return dayOf(a.at, timeZone) === dayOf(b.at, timeZone)
}

function isBoundToDay(words: readonly string[]): boolean {
  if (words.at(-1) === '?') return true
  return words.some((word, i) => DAY_WORDS.has(word) || (NEAR_DAY.test(word) && SPAN.test(words[i + 1] ?? '')))
}

function dayOf(at: number, timeZone: string): string {
  const { year, month, day } = zonedDay(new Date(at), timeZone)
  return `${year}-${month}-${day}`
}
