import { paragraphsOf, splitSentences } from '../../../lib/sentences.ts'
import { listsOf } from './list-below.ts'

/** `heartbeat-interval`—How often to ping. Must be at least `1m`. */
const KEY = /^(`[^`\n]{1,60}`)(?:\s\([^()]{1,40}\))?\s?(?:—|–|:|-(?=\s))/u
/** `Retention: 90 days.` */
const NAME = /^([\p{L}\p{N}][^:.!?|]{1,40}):\s/u
/** `Languages | English. Welsh is found by its words.` */
const CELL = /^([^|]{1,60}) \| /

/** Lists of a document that are read; each is looked up in all lines. */
const MOST_LISTS = 100

/** Sentences of one setting, row or list, which say what it is only once. */
export interface Entry {
  /** What the first of them says it is. */
  readonly label: string
  /** Positions of its first and its last sentence. */
  readonly first: number
  readonly last: number
}

/** The entries of a document by the positions of their sentences in `sentencesOf(text, 'joined')`. */
export function entriesOf(text: string): ReadonlyMap<number, Entry> {
  const entries = new Map<number, Entry>()
  const sentences: string[] = []
  for (const paragraph of paragraphsOf(text, 'joined')) {
    const first = sentences.length
    sentences.push(...splitSentences(paragraph))
    const last = sentences.length - 1
    const label = [KEY, CELL, NAME].map((pattern) => pattern.exec(paragraph)?.[1]).find((found) => found !== undefined)
    if (label !== undefined && last > first) for (let i = first; i <= last; i++) entries.set(i, { label, first, last })
  }
  return addIntroduced(entries, sentences, text)
}

/** The items of a list, which its introduction is about: `Where the logs are:` */
function addIntroduced(
  entries: Map<number, Entry>,
  sentences: readonly string[],
  text: string,
): ReadonlyMap<number, Entry> {
  const introductions = [...sentences.entries()].filter(([, sentence]) => sentence.endsWith(':'))
  if (introductions.length === 0) return entries
  const listBelow = listsOf(text)
  for (const [first, introduction] of introductions.slice(0, MOST_LISTS)) {
    for (const i of listBelow(introduction).keys()) {
      const last = first + 1 + i
      const { label = '' } = entries.get(last) ?? {}
      entries.set(last, { label: `${introduction} ${label}`, first, last })
    }
  }
  return entries
}
