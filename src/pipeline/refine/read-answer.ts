import { z } from 'zod'
import type { ExtractedMemory, ExtractedQa, Skip } from '../../domain/document.ts'
import type { RefinableChunk, RefinableItem } from '../../domain/refinement.ts'
import type { MemoryContent } from '../../domain/results.ts'
import { analyze } from '../../lib/analyze.ts'
import { createMomentText } from '../../lib/dates/zoned-time.ts'
import { comparable, findQuote, type QuotablePassage, quotable } from '../../lib/find-quote.ts'
import { faultOf } from '../extract/salience.ts'
import { HEADING_SEPARATOR } from '../segment/heading-path.ts'
import { hasOnlyKnownValues, type NarrativeSource, narrativeFault, withResolvedDays } from './check-narrative.ts'
import { type Batch, memorableChunks } from './plan-batches.ts'

/**
 * A language model's answer for one batch. Nothing is optional, because providers that enforce a schema require every
 * field; lengths are limited on reading, so that a long headline needs no second call.
 */
export const EXTRACT_ANSWER = z.object({
  memories: z
    .array(
      z.object({
        headline: z.string(),
        narrative: z.string().describe('first person, as the user'),
        participants: z.array(z.string()),
        when: z.string().nullable().describe('YYYY-MM-DD or YYYY-MM-DD HH:MM'),
        where: z.string().nullable(),
        tags: z.array(z.string()),
        entities: z.array(z.object({ name: z.string(), type: z.string() })),
        evidence: z
          .array(z.object({ chunk: z.int().describe('n of the passage'), quote: z.string() }))
          .min(1)
          .describe('verbatim'),
      }),
    )
    .describe('in the order of the passages'),
  qas: z.array(z.object({ question: z.string(), answer: z.string(), chunk: z.int() })),
})
export type ExtractAnswer = z.infer<typeof EXTRACT_ANSWER>

/** The verified part of one answer. */
export interface ReadAnswer {
  /** Without their final index. */
  readonly memories: readonly Omit<ExtractedMemory, 'index'>[]
  readonly qas: readonly ExtractedQa[]
  readonly skips: readonly Skip[]
}

type AnsweredMemory = ExtractAnswer['memories'][number]

/** Maximum distance between the first and last passage of a memory's evidence. */
const MOST_SPAN = 20
const LONGEST_HEADLINE = 200
const LONGEST_NARRATIVE = 2_000
const LONGEST_NAME = 100
const LONGEST_TAG = 40
const LONGEST_ANSWER = 500
const MOST_NAMES = 20
const MOST_TAGS = 8
const WHEN = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}))?$/
/** Minimum share of the answer's words in its passage. */
const SUPPORTED = 0.6

/**
 * Validates the answer for one batch against its passages: a memory with a missing quote, or with a narrative that says
 * what is not in them or speaks of the owner in the third person, is dropped and counted, and so is an unsupported pair.
 * The body is text of the source, never of the model.
 */
export function readAnswer(item: RefinableItem, batch: Batch, answer: ExtractAnswer): ReadAnswer {
  const { chunks } = batch
  const passages = quotable(chunks)
  const memories: Omit<ExtractedMemory, 'index'>[] = []
  const seen = new Set<string>()
  let unproven = 0
  let repeated = 0
  const refused = { unsupported: 0, third_person: 0 }
  for (const answered of answer.memories) {
    const range = evidenceRange(answered, passages)
    const narrative = plainLine(answered.narrative, LONGEST_NARRATIVE)
    if (range === undefined || narrative === '') unproven++
    else if (seen.has(comparable(narrative))) repeated++
    else {
      seen.add(comparable(narrative))
      const source = narrativeSource(item, batch, range)
      const fault = narrativeFault(narrative, source)
      if (fault) refused[fault]++
      else memories.push({ ...range, ...readMemory(item, batch, range, { ...answered, narrative }, source) })
    }
  }
  const qas = answer.qas.flatMap((qa) => supportedPair(qa, chunks))
  return {
    memories,
    qas,
    skips: [
      skip('evidence_missing', unproven, 'memories of the language model that quote what is not in the source'),
      skip(
        'evidence_missing',
        refused.unsupported,
        'memories of the language model that say what is not in the source',
      ),
      skip('evidence_missing', refused.third_person, 'memories of the language model in the third person'),
      skip(
        'evidence_missing',
        answer.qas.length - qas.length,
        'answers of the language model that are not in the source',
      ),
      skip('duplicate', repeated, 'memories of the language model that repeat an earlier one'),
    ].flat(),
  }
}

interface ChunkRange {
  readonly firstChunk: number
  readonly lastChunk: number
}

function evidenceRange({ evidence }: AnsweredMemory, passages: readonly QuotablePassage[]): ChunkRange | undefined {
  const found: number[] = []
  for (const each of evidence) {
    const ordinal = findQuote(each, passages)
    if (ordinal === undefined) return undefined
    found.push(ordinal)
  }
  const range = { firstChunk: Math.min(...found), lastChunk: Math.max(...found) }
  return within(range, passages).length <= MOST_SPAN ? range : undefined
}

function within<T extends { readonly ordinal: number }>({ firstChunk, lastChunk }: ChunkRange, all: readonly T[]): T[] {
  return all.filter(({ ordinal }) => ordinal >= firstChunk && ordinal <= lastChunk)
}

/** Passages beside the evidence that a narrative may draw on. */
const NEIGHBORS = 2

function narrativeSource(item: RefinableItem, batch: Batch, range: ChunkRange): NarrativeSource {
  const wide = { firstChunk: range.firstChunk - NEIGHBORS, lastChunk: range.lastChunk + NEIGHBORS }
  const known = item.memories
    .filter(({ firstChunk, lastChunk }) => firstChunk <= range.lastChunk && lastChunk >= range.firstChunk)
    .flatMap(({ content }) => [content.when ?? '', content.where ?? '', ...(content.participants ?? [])])
  return { item, chunks: within(wide, batch.chunks), known }
}

function readMemory(
  item: RefinableItem,
  batch: Batch,
  range: ChunkRange,
  answered: AnsweredMemory,
  narrated: NarrativeSource,
): Pick<ExtractedMemory, 'content' | 'when'> {
  const narrative = withResolvedDays(answered.narrative, narrated)
  const told = plainLine(answered.headline, LONGEST_HEADLINE)
  const chunks = within(range, batch.chunks)
  const source = comparable([item.userName, item.title ?? '', ...chunks.flatMap(chunkWords)].join('\n'))
  const isThere = (name: string) => name !== '' && source.includes(comparable(name))
  // The time found by the rules comes from the source, and the index uses it.
  const known = item.memories.find(({ firstChunk, lastChunk }) => {
    return firstChunk <= range.lastChunk && lastChunk >= range.firstChunk
  })
  const at = chunks.find((chunk) => chunk.at !== undefined)?.at
  const when = known?.when ?? (at && { start: at, precision: 'minute' as const })
  const sourceTime = when && createMomentText(item.timeZone).range(when)
  const whenText = known?.content.when ?? sourceTime ?? statedTime(answered.when, source)
  const where = plainLine(answered.where ?? '', LONGEST_NAME)
  const participants = distinct(answered.participants, LONGEST_NAME).filter(isThere).slice(0, MOST_NAMES)
  const tags = distinct(answered.tags, LONGEST_TAG).slice(0, MOST_TAGS)
  const entities = answered.entities.map(({ name, type }) => ({
    entity_name: plainLine(name, LONGEST_NAME),
    entity_type: plainLine(type, LONGEST_TAG) || 'other',
  }))
  const named = entities.filter(({ entity_name }) => isThere(entity_name)).slice(0, MOST_NAMES)
  const content: MemoryContent = {
    narrative,
    headline: (hasOnlyKnownValues(told, narrated) && told) || firstWords(narrative),
    body: sourceBody(chunks),
    ...(participants.length > 0 && { participants }),
    ...(whenText !== undefined && { when: whenText }),
    where: isThere(where) ? where : (known?.content.where ?? null),
    ...(tags.length > 0 && { tags }),
    ...(named.length > 0 && { other_entities: named }),
  }
  return { content, ...(when !== undefined && { when }) }
}

function chunkWords({ text, speaker = '', heading = '' }: RefinableChunk): string[] {
  return [speaker, heading, text]
}

/** `2026-03-04 10:12` as the rules write it; `undefined` when it is not a time, or not a day in the passages. */
function statedTime(when: string | null, source: string): string | undefined {
  const [, date = '', clock] = WHEN.exec(when ?? '') ?? []
  const start = new Date(`${date}T${clock ?? '00:00'}Z`)
  // `Date` would parse 30 February as 2 March.
  if (Number.isNaN(start.getTime()) || !start.toISOString().startsWith(date)) return undefined
  if (!new RegExp(`(?<!\\d)0?${start.getUTCDate()}(?!\\d)`).test(source)) return undefined
  // The model answers in wall-clock time.
  return createMomentText('UTC').range({ start, precision: clock === undefined ? 'day' : 'minute' })
}

/** The passages verbatim: turns with their speakers, sections with their headings where they change. */
function sourceBody(chunks: readonly RefinableChunk[]): string {
  let before: RefinableChunk | undefined
  const parts = chunks.map((chunk) => {
    const { kind, speaker, heading, text } = chunk
    const isNewSection = before !== undefined && heading !== undefined && before.heading !== heading
    const gap = before === undefined || kind === 'turn' ? '' : '\n'
    before = chunk
    if (kind === 'turn') return speaker === undefined ? text : `${speaker}: ${text}`
    return isNewSection ? `${gap}${heading.split(HEADING_SEPARATOR).at(-1)}\n${text}` : `${gap}${text}`
  })
  return parts.join('\n')
}

/** The pair if its passage contains the numbers of the answer, and most of its words. */
function supportedPair({ question, answer, chunk }: ExtractedQa, chunks: readonly RefinableChunk[]): ExtractedQa[] {
  const holder = chunks.find(({ ordinal }) => ordinal === chunk)
  const pair = { question: plainLine(question, LONGEST_ANSWER), answer: plainLine(answer, LONGEST_ANSWER), chunk }
  if (holder === undefined || pair.question === '') return []
  const terms = new Set(analyze(pair.answer))
  const held = new Set(analyze(chunkWords(holder).join('\n')))
  const supported = [...terms].filter((term) => held.has(term))
  const invented = [...terms].some((term) => /\d/.test(term) && !held.has(term))
  return terms.size > 0 && !invented && supported.length >= terms.size * SUPPORTED ? [pair] : []
}

function distinct(names: readonly string[], longest: number): string[] {
  const byForm = new Map(names.toReversed().map((name) => [comparable(name), plainLine(name, longest)]))
  return [...byForm.values()].reverse().filter((name) => name !== '')
}

/** On one line, without control characters and fences, and cut at a word. */
function plainLine(text: string, longest: number): string {
  const line = text
    .replace(/<\/?recalled:[^>]*>/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  if (line.length <= longest) return line
  const start = line.slice(0, longest)
  return start.slice(0, start.lastIndexOf(' ') > 0 ? start.lastIndexOf(' ') : longest)
}

function firstWords(narrative: string): string {
  return plainLine(narrative, LONGEST_HEADLINE / 2)
}

function skip(reason: Skip['reason'], count: number, detail: string): Skip[] {
  return count === 0 ? [] : [{ reason, count, detail }]
}

/** The memories of a refined item. */
interface RefinedMemories {
  /** Numbered from 0. */
  readonly memories: readonly ExtractedMemory[]
  readonly qas: readonly ExtractedQa[]
  readonly skips: readonly Skip[]
}

/**
 * The memories of all answers in source order, with the item's earlier memories for chunks without an answer, so that
 * nothing is lost.
 * @param unread chunks in no batch
 */
export function mergeMemories(item: RefinableItem, answers: readonly ReadAnswer[], unread: number): RefinedMemories {
  const made = answers.flatMap(({ memories }) => memories)
  const covered = new Set<number>()
  for (const { firstChunk, lastChunk } of made) {
    for (let ordinal = firstChunk; ordinal <= lastChunk; ordinal++) covered.add(ordinal)
  }
  const silent = new Set(item.chunks.map(({ ordinal }) => ordinal))
  for (const { ordinal, text } of memorableChunks(item)) if (faultOf(text, true) === undefined) silent.delete(ordinal)
  const isLost = (ordinal: number) => !covered.has(ordinal) && !silent.has(ordinal)
  const kept = item.memories.filter(({ firstChunk, lastChunk }) => {
    for (let ordinal = firstChunk; ordinal <= lastChunk; ordinal++) if (isLost(ordinal)) return true
    return false
  })
  const memories = [...made, ...kept]
    .toSorted((a, b) => a.firstChunk - b.firstChunk || a.lastChunk - b.lastChunk)
    .map((memory, index) => ({ ...memory, index }))
  const asked = answers.flatMap(({ qas }) => qas)
  const answered = new Set(asked.map(({ chunk }) => chunk))
  const qas = [...asked, ...item.qas.filter(({ chunk }) => !answered.has(chunk))]
  return { memories, qas: qas.toSorted((a, b) => a.chunk - b.chunk), skips: totalSkips(answers, unread) }
}

function totalSkips(answers: readonly ReadAnswer[], unread: number): Skip[] {
  const totals = new Map<string, Skip>()
  for (const skip of answers.flatMap(({ skips }) => skips)) {
    totals.set(skip.detail, { ...skip, count: skip.count + (totals.get(skip.detail)?.count ?? 0) })
  }
  if (unread === 0) return [...totals.values()]
  const detail = 'chunks past what the language model reads of one item'
  return [...totals.values(), { reason: 'limit', count: unread, detail }]
}
