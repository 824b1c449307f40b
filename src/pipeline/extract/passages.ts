import type { Block, Chunk, DocumentKind, ParsedDocument, Skip } from '../../domain/document.ts'
import { dayOfHeading } from '../parse/heading-day.ts'
import { HEADING_SEPARATOR } from '../segment/heading-path.ts'
import { beginsContact } from './contacts.ts'
import { isAssistant } from './names/participant-kinds.ts'
import { closesRequest } from './speech/done-reports.ts'
import { endsWithQuestion } from './speech/spoken-sentences.ts'

/** The source of one memory. */
export interface Passage {
  /** Ordinals of the first and last chunk, inclusive; the passages of a document do not overlap. */
  readonly first: number
  readonly last: number
  /** The chunks of the narrative in order, without the tool output between them. */
  readonly chunks: readonly Chunk[]
  readonly form: 'turns' | 'prose' | 'exchange'
  /** For exchanges: the block of each chunk, which has its role. */
  readonly blocks?: readonly (Block | undefined)[]
  /** The program that notified of a person's message: `Slack`. */
  readonly via?: string
  /** Files that an agent worked on. */
  readonly files?: readonly string[]
}

function toPassage(chunks: readonly Chunk[], form: 'turns' | 'prose'): Passage[] {
  const first = chunks[0]
  const last = chunks.at(-1)
  return first && last ? [{ first: first.ordinal, last: last.ordinal, chunks, form }] : []
}

/** For each chunk the block it begins in, found in one pass; chunks and blocks are in reading order. */
export function chunkBlocks(document: ParsedDocument, chunks: readonly Chunk[]): (Block | undefined)[] {
  const blocks = document.blocks.toSorted((a, b) => a.start - b.start || b.end - a.end)
  let at = 0
  return chunks.map((chunk) => {
    while (at < blocks.length - 1 && (blocks[at]?.end ?? 0) <= chunk.start) at++
    const block = blocks[at]
    return block && block.start <= chunk.start && chunk.start < block.end ? block : undefined
  })
}

/** In characters. */
export function totalLength(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.text.length, 0)
}

export interface CutDocument {
  readonly passages: readonly Passage[]
  /** Chunks without a memory; `detail` is the noun to count. */
  readonly skips: readonly Skip[]
}

interface CuttingManner {
  /** `false`: memories of turns quote them, one each, and are shorter. */
  readonly isReworded: boolean
  /** Whether it lists notifications, which are unrelated to each other. */
  readonly isNotices: boolean
}

/** Divides the chunks of a document into memories, in reading order; sessions with agents: `cutSession`. */
export function cutPassages(
  document: ParsedDocument,
  chunks: readonly Chunk[],
  blocks: readonly (Block | undefined)[],
  { isReworded, isNotices }: CuttingManner,
): CutDocument {
  const passages: Passage[] = []
  let quoted = 0
  for (const { kind, run } of runsOf(document, chunks, blocks)) {
    if (kind === 'quoted') quoted += run.filter(({ role }) => role !== 'quoted').length
    else if (kind === 'turn')
      passages.push(
        ...cutTurns(run, isNotices ? NOTICE_LIMITS : { ...turnLimits(document, isReworded), isOfTwo: isOfTwo(chunks) }),
      )
    else passages.push(...(document.kind === 'calendar' ? eventsOf(run) : contactsOf(run)).flatMap(cutProse))
  }
  return {
    passages,
    skips: [{ reason: 'quoted_reply', count: quoted, detail: 'passages quoted from earlier messages' }],
  }
}

/** The chunks of each event of a calendar: events never share a memory, not even those of one series. */
function eventsOf(chunks: readonly Chunk[]): Chunk[][] {
  const events: Chunk[][] = []
  for (const chunk of chunks) {
    const before = events.at(-1)?.at(-1)
    const isSame = before && before.heading === chunk.heading && before.at?.getTime() === chunk.at?.getTime()
    if (isSame) events.at(-1)?.push(chunk)
    else events.push([chunk])
  }
  return events
}

/** The chunks of each contact of an address book; of other documents, all. */
function contactsOf(chunks: readonly Chunk[]): Chunk[][] {
  const contacts: Chunk[][] = []
  for (const chunk of chunks) {
    const open = contacts.at(-1)
    if (open && !beginsContact(chunk)) open.push(chunk)
    else contacts.push([chunk])
  }
  return contacts
}

interface Run {
  readonly kind: Chunk['kind'] | 'quoted'
  readonly run: Chunk[]
}

/** An unmarked line above or below quoted ones: the answer to them. */
const OWN_LINE = /^(?![ \t]*>)[ \t]*\S/m

/** Neighboring chunks of one kind. In a letter, a quote block was written earlier by somebody else. */
function runsOf(document: ParsedDocument, chunks: readonly Chunk[], blocks: readonly (Block | undefined)[]): Run[] {
  const runs: Run[] = []
  chunks.forEach((chunk, i) => {
    const isQuoted =
      chunk.role === 'quoted' ||
      (document.kind === 'email' && blocks[i]?.type === 'quote' && !OWN_LINE.test(chunk.text))
    const kind = isQuoted ? 'quoted' : chunk.kind
    const open = runs.at(-1)
    if (open && open.kind === kind) open.run.push(chunk)
    else runs.push({ kind, run: [chunk] })
  })
  return runs
}

/**
 * In characters. A chat memory has one or two remarks. Share of the evidence within 1,500 tokens, for memories of 600,
 * 200 and 120 characters: LoCoMo 86.2, 87.5 and 88.1 %, REALTALK 65.7, 70.6 and 71.5 %. Answers in meetings are longer
 * (800).
 */
interface TurnLimits {
  readonly min: number
  readonly target: number
  readonly max: number
  /** A longer pause begins a new passage. */
  readonly gapMs: number
  /** Whether every turn has a memory of its own. */
  readonly areNotices?: boolean
  /** Whether only two people speak. */
  readonly isOfTwo?: boolean
  /** Whether its memories quote every turn, so that they hold an exchange from its first question to the last answer. */
  readonly isQuoted?: boolean
  /** A turn of at least this length is a separate passage; shorter ones stay with what they answer. */
  readonly letter: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const CHAT_LIMITS: TurnLimits = { min: 40, target: 120, max: 1_400, gapMs: HOUR_MS, letter: Infinity }
const NOTICE_LIMITS: TurnLimits = { ...CHAT_LIMITS, areNotices: true }
const TRANSCRIPT_LIMITS: TurnLimits = { min: 150, target: 800, max: 1_600, gapMs: HOUR_MS, letter: Infinity }
/** Comments and letters are written days apart, so only long silences separate them. */
const LETTER_LIMITS: TurnLimits = { min: 150, target: 600, max: 1_400, gapMs: 30 * DAY_MS, letter: 250 }
const LIMITS: Partial<Record<DocumentKind, TurnLimits>> = {
  transcript: TRANSCRIPT_LIMITS,
  email: LETTER_LIMITS,
  issue: LETTER_LIMITS,
}

/** A memory quotes an exchange, which has fewer characters in scripts without spaces. */
function turnLimits(document: ParsedDocument, isReworded: boolean): TurnLimits {
  const { kind, text } = document
  const limits = LIMITS[kind] ?? CHAT_LIMITS
  if (isReworded || limits.letter < Infinity) return limits
  const unspaced = text.slice(0, 2_000).match(UNSPACED)?.length ?? 0
  const share = (unspaced > text.slice(0, 2_000).length / 4 ? 0.4 : 1) * (kind === 'transcript' ? 0.3 : 1)
  return { ...limits, min: limits.min * share, target: limits.target * share, max: MOST_QUOTED, isQuoted: true }
}
/** In characters; more are not quoted whole. */
const MOST_QUOTED = 600
/** Turns between a question and its answer. */
const MOST_ASKING = 3

function isStatement({ text }: Chunk): boolean {
  const least = text.replace(UNSPACED, '').length < text.length / 2 ? LEAST_STATEMENT / 4 : LEAST_STATEMENT
  return !/[?？]/.test(text) && text.length >= least
}
/** In characters; fewer of a script without spaces. */
const LEAST_STATEMENT = 25
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

/**
 * Splits turns into passages: at headings and long pauses first, then by size, never between a question and its answer.
 */
function cutTurns(chunks: readonly Chunk[], limits: TurnLimits): Passage[] {
  const groups: Chunk[][] = []
  let open: Chunk[] = []
  for (const chunk of chunks) {
    if (open.length > 0 && beginsPassage(open, chunk, limits)) {
      // What a quoted answer replies to goes with it.
      const asking = limits.isQuoted && open.length > 1 && isAnsweredBy(open.at(-1)!, chunk, limits)
      const question = asking ? open.splice(-1) : []
      groups.push(open)
      open = question
    }
    open.push(chunk)
  }
  if (open.length > 0) groups.push(open)
  return joinShort(groups, limits).flatMap((group) => toPassage(group, 'turns'))
}

function isAnsweredBy(asking: Chunk, next: Chunk, limits: TurnLimits): boolean {
  return next.speaker !== asking.speaker && /[?？]\s*$/.test(asking.text) && !isApart(asking, next, limits)
}

function beginsPassage(open: readonly Chunk[], next: Chunk, limits: TurnLimits): boolean {
  const last = open.at(-1)
  if (!last) return false
  if (limits.areNotices) return true
  if (isApart(last, next, limits)) return !isAwaited(open, next, limits.isOfTwo === true)
  const size = totalLength(open)
  const joined = size + next.text.length
  if (joined > limits.max) return true
  if (next.text.length >= limits.letter && size >= limits.letter) return true
  if (size < limits.target) return false
  // A memory that quotes has to hold what was answered, not only what was asked.
  if (limits.isQuoted && open.length <= MOST_ASKING && !open.some(isStatement)) return false
  const isAnswer =
    next.speaker !== last.speaker &&
    (endsWithQuestion(last.text) || (next.speaker !== undefined && isAssistant(next.speaker)))
  const isRemark = next.text.length < limits.letter && limits.letter < Infinity
  return !isAnswer && !isRemark
}

/** `Ist gebucht` in the evening belongs to what was asked for in the morning. */
function isAwaited(open: readonly Chunk[], next: Chunk, isOfTwo: boolean): boolean {
  const last = open.at(-1)
  if (last?.at === undefined || next.at === undefined || last.heading !== next.heading) return false
  const isSoon = next.at.getTime() - last.at.getTime() <= LONGEST_WAIT_MS
  return isSoon && closesRequest(open, next, isOfTwo)
}
const LONGEST_WAIT_MS = 3 * DAY_MS

/** Whether it reports as done what was asked for in the same passage. */
export function endsWithReport({ chunks }: Passage): boolean {
  return chunks.some((chunk, i) => i > 0 && isAwaited(chunks.slice(0, i), chunk, isOfTwo(chunks)))
}

function isOfTwo(chunks: readonly Chunk[]): boolean {
  return new Set(chunks.map(({ speaker }) => speaker)).size <= 2
}

/** Separated by structure or by time. */
function isApart(before: Chunk, after: Chunk, limits: TurnLimits): boolean {
  if (before.heading !== after.heading) return true
  return before.at !== undefined && after.at !== undefined && after.at.getTime() - before.at.getTime() > limits.gapMs
}

/** A short group joins the one before it, unless structure or time separates them. */
function joinShort(groups: readonly Chunk[][], limits: TurnLimits): Chunk[][] {
  const joined: Chunk[][] = []
  for (const group of groups) {
    const before = joined.at(-1)
    const last = before?.at(-1)
    const first = group[0]
    const fits = before && totalLength(before) + totalLength(group) <= limits.max
    const isShort = totalLength(group) < limits.min || (before && totalLength(before) < limits.min)
    if (before && last && first && fits && isShort && !limits.areNotices && !isApart(last, first, limits))
      before.push(...group)
    else joined.push([...group])
  }
  return joined
}

// In characters; 13 to 18 memories per 10,000 characters of documentation (measured on five Markdown collections).
const MIN = 250
const TARGET = 900
const MAX = 1_600

/**
 * Splits prose into passages of 250 to 1,600 characters: a section, or a part of one; short neighboring sections below
 * the same heading are joined.
 */
function cutProse(chunks: readonly Chunk[]): Passage[] {
  const groups: Chunk[][] = []
  for (const section of sectionsOf(chunks)) groups.push(...cutSection(section))
  return joinShortSections(groups).flatMap((group) => toPassage(group, 'prose'))
}

function sectionsOf(chunks: readonly Chunk[]): Chunk[][] {
  const sections: Chunk[][] = []
  for (const chunk of chunks) {
    const section = sections.at(-1)
    if (section && section[0]?.heading === chunk.heading) section.push(chunk)
    else sections.push([chunk])
  }
  return sections
}

function cutSection(section: readonly Chunk[]): Chunk[][] {
  const groups: Chunk[][] = []
  let open: Chunk[] = []
  for (const chunk of section) {
    const size = totalLength(open)
    if (open.length > 0 && size + chunk.text.length > (size < MIN ? MAX : TARGET)) {
      groups.push(open)
      open = []
    }
    open.push(chunk)
  }
  groups.push(open)
  return groups
}

function joinShortSections(groups: readonly Chunk[][]): Chunk[][] {
  const joined: Chunk[][] = []
  groups.forEach((group, i) => {
    const before = joined.at(-1)
    const size = before ? totalLength(before) : 0
    const isShortEnd = i === groups.length - 1 && totalLength(group) < MIN
    const fits = size + totalLength(group) <= TARGET && areNear(before?.[0], group[0])
    if (before && fits && (size < MIN || isShortEnd)) before.push(...group)
    else joined.push([...group])
  })
  return joined
}

/** The day of the innermost heading, in whatever year. */
function headedDay(heading: string): number | undefined {
  const last = heading.split(HEADING_SEPARATOR).at(-1) ?? ''
  return /\d/.test(last) ? dayOfHeading(last) : undefined
}

/** One section, a section and its subsection, or two below the same heading; never two of different days. */
function areNear(a: Chunk | undefined, b: Chunk | undefined): boolean {
  if (a?.at?.getTime() !== b?.at?.getTime()) return false
  const left = a?.heading ?? ''
  const right = b?.heading ?? ''
  const [day, next] = [headedDay(left), headedDay(right)]
  if (day !== undefined && next !== undefined) return day === next
  if (left === right || right.startsWith(`${left}${HEADING_SEPARATOR}`)) return true
  return parentHeading(left) !== '' && parentHeading(left) === parentHeading(right)
}

function parentHeading(heading: string): string {
  const cut = heading.lastIndexOf(HEADING_SEPARATOR)
  return cut === -1 ? '' : heading.slice(0, cut)
}
