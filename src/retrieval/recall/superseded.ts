import { casual } from 'chrono-node'
import { hashTerm } from '../../lib/analyze.ts'
import { zoneOffsetMinutes } from '../../lib/clock.ts'
import type { SearchIndex } from '../../store/search/search.ts'
import { inverseFrequency } from '../question/query-terms.ts'
import { type Clause, type Sentence, splitSentences, type ValueKind } from './clause.ts'

/** A passage with who stated it and when. */
export interface Statement {
  readonly chunkId: number
  readonly itemKey: number
  readonly text: string
  /** Milliseconds since the epoch; without one, nothing is known to be newer or older. */
  readonly at: number | undefined
  /** Of the item, where that says what the text is about: not in chats. */
  readonly title: string | undefined
  readonly speaker: string | undefined
  /** Of talk or mail. Others of one item are parts of a document, such as the days of a diary. */
  readonly isTurn: boolean
  /** An event of a calendar, which only a change of the same event replaces. */
  readonly isEvent: boolean
  /** Hashes of the terms that it is found by, its title's too. */
  readonly terms: Iterable<number>
}

/** `newer` states something else than `older` of the same subject. */
export interface Update {
  readonly newer: number
  readonly older: number
  /** When the owner corrected the older one: milliseconds since the epoch. Absent: the newer one was only stated later. */
  readonly correctedAt?: number
}

/** Share of the subject of one, by rarity, that the other must be about too. */
const SAME_SUBJECT = 0.85
/** One word in common is a subject only where few texts hold it: `ln(1 + (N - n + .5) / (n + .5))`. */
const RARE = 3.5
const DAY_MS = 86_400_000
const MOST_CHANGED_WORDS = 4
const RECURRING = /\b(?:every|each|weekly|daily|monthly|always)\b|days\b/i
const STATES =
  /\b(?:is|are|will|costs?|due|starts?|begins?|ends?|takes? place|has|have|uses?|runs?|works?|lives?|meets?)\b|:/i
const LONGEST_FRAME = 400
const VALUE = /\d|day\b|\b(?:is|are|be|to|by|in|at) \p{Lu}/u
const VALUES =
  /[-+$€£]?\d[\d.,:/-]*(?:st|nd|rd|th|am|pm|%|€|\$|\b)|\b\p{Lu}\p{Ll}+days?\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b|(?<=\b(?:is|are|be|to|by|in|at|now) (?:the )?)\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)*/gu
export const TIMES: readonly ValueKind[] = ['weekday', 'day', 'clock', 'period']

/** A clause with its passage. */
interface Stated {
  readonly statement: Statement
  readonly at: number
  readonly clause: Clause
  readonly subject: ReadonlyMap<string, string | undefined>
  /** It names no subject, so the title's subject counts. */
  readonly isTitled: boolean
}

interface Pair {
  readonly newer: Stated
  readonly older: Stated
  readonly shared: readonly string[]
  /** Two sentences alike but for a value; else the newer one says that something changed. */
  readonly isFrame: boolean
}

/**
 * Which statements replace which: of the same subject, later, and either saying so (`moved to Friday`, `no longer`, `is
 * now`) or alike but for one value. Misses an update rather than linking two subjects.
 *
 * @param index for how rare words are
 */
export async function findUpdates(
  statements: readonly Statement[],
  index: Pick<SearchIndex, 'termStatistics'>,
  timeZone: string,
): Promise<Update[]> {
  const read = createReader()
  const dated = statements.filter(({ at }) => at !== undefined)
  const withdrawn = withdrawnUpdates(dated, read)
  const pairs = [...cuedPairs(dated, read), ...framedPairs(dated, read)].filter(isPossible)
  if (pairs.length === 0) return withdrawn
  const terms = new Set(pairs.flatMap(({ newer, older }) => [...newer.subject.keys(), ...older.subject.keys()]))
  const { chunks, frequencies } = await index.termStatistics([...terms])
  const weightOf = (term: string): number => {
    return inverseFrequency(chunks, Math.min(frequencies.get(term) ?? 0, chunks))
  }
  const updates = new Map(withdrawn.map((update) => [`${update.newer} ${update.older}`, update]))
  for (const pair of pairs) {
    if (!isSameSubject(pair, weightOf) || isNextOccasion(pair, timeZone)) continue
    const { chunkId: newer } = pair.newer.statement
    const { chunkId: older } = pair.older.statement
    updates.set(`${newer} ${older}`, { newer, older })
  }
  return [...updates.values()]
}

const WITHDRAWS = /\b(?:not|no longer|never|cancel(?:l?ed)?|postponed?|moved?)\b|n['’]t\b/i

/**
 * `We do not launch on 17 March. The new date is 24 March.`: a sentence that denies a value, and one behind it with another
 * of its kind. It replaces what said the denied value of a subject in common.
 */
function withdrawnUpdates(statements: readonly Statement[], read: Read): Update[] {
  return statements.flatMap((newer) => {
    if (!WITHDRAWS.test(newer.text)) return []
    const sentences = read(newer)
    return sentences.slice(0, -1).flatMap((sentence, i): Update[] => {
      if (!sentence.hasValue || !WITHDRAWS.test(sentence.text)) return []
      const denied = sentence.clause()
      const stated = sentences[i + 1]!.clause()
      const kinds = VALUES_OF_PLANS.filter((kind) => {
        const [before, now] = [denied.values.get(kind), stated.values.get(kind)]
        return before !== undefined && now !== undefined && !now.isSubsetOf(before)
      })
      return statements
        .filter((older) => older.at! < newer.at! && kinds.some((kind) => states(older, kind, denied, read)))
        .map((older) => ({ newer: newer.chunkId, older: older.chunkId }))
    })
  })
}

const VALUES_OF_PLANS: readonly ValueKind[] = ['day', 'weekday', 'clock', 'amount']

/** Whether a passage states this value of a subject in common. */
function states(statement: Statement, kind: ValueKind, denied: Clause, read: Read): boolean {
  return read(statement).some((sentence) => {
    if (!sentence.hasValue) return false
    const { values, subject, isStated } = sentence.clause()
    const held = values.get(kind)
    const isSame = held !== undefined && denied.values.get(kind)?.isSubsetOf(held) === true
    return isSame && isStated && [...subject.keys()].some((term) => denied.subject.has(term))
  })
}

type Read = (statement: Statement) => readonly Sentence[]

function createReader(): Read {
  const known = new Map<Statement, readonly Sentence[]>()
  return (statement) => {
    const read = known.get(statement) ?? splitSentences(statement.text)
    known.set(statement, read)
    return read
  }
}

/** `It moved to Friday` is about what the title says. */
function statedIn(statement: Statement, sentence: Sentence): Stated[] {
  const clause = sentence.clause()
  if (!clause.isStated) return []
  const { at = 0, title } = statement
  const [head] = clause.subject.size === 0 && title !== undefined ? splitSentences(title) : []
  const isTitled = head !== undefined
  return [{ statement, at, clause, subject: head?.clause().subject ?? clause.subject, isTitled }]
}

function cuedPairs(statements: readonly Statement[], read: Read): Pair[] {
  const held = new Map<Statement, ReadonlySet<number>>()
  const termsOf = (statement: Statement): ReadonlySet<number> => {
    const terms = held.get(statement) ?? new Set(statement.terms)
    held.set(statement, terms)
    return terms
  }
  const cued = statements.flatMap((statement) =>
    read(statement)
      .filter(({ hasCue }) => hasCue)
      .flatMap((sentence) => statedIn(statement, sentence))
      .filter(({ clause, subject }) => clause.cue !== undefined && subject.size > 0),
  )
  return cued.flatMap((newer) => {
    const subject = [...newer.subject.keys()]
    const hashes = subject.map(hashTerm)
    const least = Math.min(2, subject.length)
    const earlier = statements.filter((older) => {
      const terms = termsOf(older)
      return older.at! < newer.at && hashes.filter((hash) => terms.has(hash)).length >= least
    })
    return earlier.flatMap((older) => {
      const isTitled = older.title !== undefined && older.title === newer.statement.title
      return read(older)
        .filter(({ terms }) => isTitled || terms().filter((term) => newer.subject.has(term)).length >= least)
        .flatMap((sentence) => statedIn(older, sentence))
        .flatMap((one) => {
          const shared = subject.filter((term) => one.subject.has(term))
          return shared.length > 0 ? [{ newer, older: one, shared, isFrame: false }] : []
        })
    })
  })
}

/** Sentences that are equal when their values are left out. */
function framedPairs(statements: readonly Statement[], read: Read): Pair[] {
  const alike = new Map<string, Set<Statement>>()
  for (const statement of statements) {
    for (const frame of framesIn(statement.text)) {
      const known = alike.get(frame)
      if (known) known.add(statement)
      else alike.set(frame, new Set([statement]))
    }
  }
  return [...alike.values()].flatMap((group) => {
    if (group.size === 1) return []
    const stated = [...group].flatMap((statement) =>
      read(statement)
        .filter(({ hasValue, text }) => hasValue && STATES.test(text))
        .flatMap((sentence) => statedIn(statement, sentence))
        .filter(({ clause }) => !clause.isPast),
    )
    return stated.flatMap((newer) =>
      stated
        .filter((older) => older.at < newer.at && isOneChange(older.clause, newer.clause))
        .map((older) => ({ newer, older, shared: [...newer.subject.keys()], isFrame: true })),
    )
  })
}

/** Equal for sentences that differ in numbers, days and names behind a copula; what has none of these is left out. */
function framesIn(text: string): string[] {
  if (!VALUE.test(text)) return []
  return text.split(/(?<=[.!?])\s+|\n/).flatMap((sentence) => {
    if (sentence.length > LONGEST_FRAME || !VALUE.test(sentence)) return []
    const bare = sentence.replace(VALUES, '0').toLowerCase()
    return [
      bare
        .replace(/[^\p{L}0]+/gu, ' ')
        .replace(/0(?: 0)+/g, '0')
        .trim(),
    ]
  })
}

/** One stretch of words differs, and all of it is values. */
function isOneChange(a: Clause, b: Clause): boolean {
  let start = 0
  while (start < a.words.length && a.words[start] === b.words[start]) start++
  let [endA, endB] = [a.words.length, b.words.length]
  while (endA > start && endB > start && a.words[endA - 1] === b.words[endB - 1]) {
    endA--
    endB--
  }
  const [spanA, spanB] = [a.kinds.slice(start, endA), b.kinds.slice(start, endB)]
  if (spanA.length === 0 || spanB.length === 0 || Math.max(spanA.length, spanB.length) > MOST_CHANGED_WORDS)
    return false
  return [...spanA, ...spanB].every((kind) => kind !== undefined) && spanB.some((kind) => spanA.includes(kind))
}

function isPossible({ newer, older, shared, isFrame }: Pair): boolean {
  const [n, o] = [newer.clause, older.clause]
  if (shared.length === 0) return false
  // The title of a diary says nothing about one of its days.
  const isOfDocument = isSameItem(newer, older) && !isSameThread(newer, older)
  if (isOfDocument && (newer.isTitled || older.isTitled)) return false
  const { statement: event } = newer
  if (event.isEvent && older.statement.isEvent && event.title !== older.statement.title) return false
  if ((n.isFirstPerson || o.isFirstPerson) && newer.statement.speaker !== older.statement.speaker) return false
  if (!areIdentifiersEqual(newer, older)) return false
  const changed = changedKinds(n, o)
  const isDropped = [...n.dropped].some((word) => o.words.includes(word))
  // A value that is named as gone must be in the older statement.
  if (n.dropped.size > 0 && !isDropped && droppedValues(n).length > 0) return false
  if (!isFrame) {
    const isChanged = n.cue === 'end' ? changed.length === 0 || isDropped : changed.length > 0 || replaces(n, o)
    if (!isChanged) return false
  }
  // `Balance on 31 January: 1,204 EUR` and that of a month later.
  if (isFrame && changed.includes('amount') && changed.some((kind) => TIMES.includes(kind))) return false
  // A different location and a different time: another event.
  return !changed.includes('name') || changed.length === 1 || isDropped
}

/** The older event was over when the newer one was stated: the next of its kind, not a change. */
function isNextOccasion({ newer, older }: Pair, timeZone: string): boolean {
  const [n, o] = [newer.clause, older.clause]
  if ([...n.dropped].some((word) => o.words.includes(word)) || RECURRING.test(o.text)) return false
  if (!changedKinds(n, o).some((kind) => TIMES.includes(kind))) return false
  const saidAt = new Date(older.at)
  const reference = { instant: saidAt, timezone: zoneOffsetMinutes(saidAt, timeZone) }
  const day = casual.parseDate(o.text, reference, { forwardDate: true })
  return day !== null && day.getTime() + DAY_MS < newer.at
}

function droppedValues({ dropped, words, kinds }: Clause): string[] {
  return words.filter((word, i) => kinds[i] !== undefined && dropped.has(word))
}

/** `Postgres instead of MySQL`: the older value is named as gone. */
function replaces(newer: Clause, older: Clause): boolean {
  return [...newer.dropped].some((word) => older.words.includes(word)) && newer.cue === 'change'
}

function areIdentifiersEqual(newer: Stated, older: Stated): boolean {
  const [n, o] = [newer.clause.identifiers, older.clause.identifiers]
  if (n.size === 0 && o.size === 0) return true
  if (n.size === 0 || o.size === 0) return isSameThread(newer, older)
  return n.isSubsetOf(o) || o.isSubsetOf(n)
}

function changedKinds(newer: Clause, older: Clause): ValueKind[] {
  const changed: ValueKind[] = []
  for (const [kind, values] of newer.values) {
    const before = older.values.get(kind)
    const now = new Set([...values].filter((word) => !newer.dropped.has(word)))
    if (before === undefined || now.size === 0 || now.isSubsetOf(before) || before.isSubsetOf(now)) continue
    if (kind === 'amount' && !areUnitsEqual(newer.units, older.units)) continue
    changed.push(kind)
  }
  if (changed.length > 0) return changed
  // `on Thursday`, and then `moved to 12 March`
  const [n, o] = [timesOf(newer), timesOf(older)]
  return n.length > 0 && o.length > 0 && !n.some((kind) => o.includes(kind)) && n[0] !== 'clock' && o[0] !== 'clock'
    ? ['day']
    : []
}

function timesOf({ values }: Clause): ValueKind[] {
  return TIMES.filter((kind) => values.has(kind))
}

function areUnitsEqual(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === 0 || b.size === 0 || !a.isDisjointFrom(b)
}

function isSameSubject({ newer, older, shared, isFrame }: Pair, weightOf: (term: string) => number): boolean {
  const sum = (terms: Iterable<string>): number => [...terms].reduce((total, term) => total + weightOf(term), 0)
  const isIn = new Set(shared)
  const least = Math.min(sum(newer.subject.keys()), sum(older.subject.keys()))
  if (sum(shared) < SAME_SUBJECT * least) return false
  if (isCompounded(newer, isIn) || isCompounded(older, isIn)) return false
  if (shared.length > 1) return true
  const [only] = shared
  const isAll = newer.subject.size === 1 && older.subject.size === 1
  const isTitledAlike =
    !isSameItem(newer, older) && newer.statement.title !== undefined && newer.statement.title === older.statement.title
  return isSameThread(newer, older) || isTitledAlike || (isAll && !isFrame && weightOf(only!) >= RARE)
}

function isSameItem(newer: Stated, older: Stated): boolean {
  return newer.statement.itemKey === older.statement.itemKey
}

function isSameThread(newer: Stated, older: Stated): boolean {
  return isSameItem(newer, older) && newer.statement.isTurn
}

/** The budget review checklist is no budget review. */
function isCompounded({ subject }: Stated, shared: ReadonlySet<string>): boolean {
  return [...subject].some(([term, next]) => next !== undefined && shared.has(term) && !shared.has(next))
}
