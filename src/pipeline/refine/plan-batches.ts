import { createHash } from 'node:crypto'
import { AppError } from '../../domain/errors.ts'
import type { RefinableChunk, RefinableItem } from '../../domain/refinement.ts'
import { wallClockFormat } from '../../lib/clock.ts'
import { estimateTokens } from '../../lib/estimate-tokens.ts'

/** Increase it when prompts or the reading of answers change. */
const REFINE_VERSION = 1

/**
 * Maximum chunks of an item for the language model: about 250,000 tokens or 300 pages. Later chunks keep the memories of the
 * built-in rules.
 */
export const MOST_CHUNKS_READ = 1_000

/** Rules for cutting an item into batches and asking the model. */
export interface RefineRules {
  /** Versions of model, prompt and code; changes whenever the memories may change. */
  readonly refinedBy: string
  readonly instructions: string
  readonly maxInputTokens: number
  readonly maxOutputTokens: number
}

/** Chunks that are sent together, in item order. */
export interface Batch {
  /** SHA-256 of the message and the model, so that an equal batch is not sent again. */
  readonly hash: string
  readonly message: string
  readonly chunks: readonly RefinableChunk[]
  /** Estimated tokens of the whole request. */
  readonly inputTokens: number
  /** Expected tokens of the answer; at most the limit of the model. */
  readonly likelyOutputTokens: number
}

// A memory with its quotes takes half as many tokens as its chunks; a truncated answer costs twice.
const INPUT_PER_OUTPUT = 1.5
const LIKELY_OUTPUT_PER_INPUT = 0.5
/** Tokens of the schema and the marker lines. */
const FRAME_TOKENS = 500
/** Tokens of the item's metadata and of a passage's fence. */
const ABOUT_TOKENS = 150
const FENCE_TOKENS = 40
/** A chunk has at most 2,000 characters, which must fit. */
const LEAST_ROOM = 700
const PASSAGES_BEFORE = 2
const MOST_TOKENS_BEFORE = 250

/**
 * The rules for one model and prompt.
 *
 * @throws AppError `invalid` when the model's context is too small
 */
export function refineRules(
  model: { readonly id: string; readonly maxInputTokens: number; readonly maxOutputTokens: number },
  prompt: { readonly version: string; readonly text: string },
): RefineRules {
  const { id, maxInputTokens, maxOutputTokens } = model
  const refinedBy = `${id} ${prompt.version} refine@${REFINE_VERSION}`
  const rules = { refinedBy, instructions: prompt.text, maxInputTokens, maxOutputTokens }
  const missing = LEAST_ROOM - batchRoom(rules)
  if (missing <= 0) return rules
  const inputs = Math.ceil(maxInputTokens + missing)
  const least = outputLeavesRoom(maxOutputTokens)
    ? `max_input_tokens to ${inputs} or more`
    : `max_output_tokens to ${Math.ceil(LEAST_ROOM / INPUT_PER_OUTPUT)} or more`
  throw new AppError(
    'invalid',
    `${id} cannot extract memories within its limits: raise ${least}, or leave extract out of use.`,
  )
}

function outputLeavesRoom(maxOutputTokens: number): boolean {
  return maxOutputTokens * INPUT_PER_OUTPUT >= LEAST_ROOM
}

/** Tokens of passages in one batch. */
function batchRoom({ instructions, maxInputTokens, maxOutputTokens }: RefineRules): number {
  // To repair an answer, it is sent back to the model.
  const taken = estimateTokens(instructions) + FRAME_TOKENS + ABOUT_TOKENS + MOST_TOKENS_BEFORE + maxOutputTokens
  return Math.min(maxInputTokens - taken, maxOutputTokens * INPUT_PER_OUTPUT)
}

/**
 * Cuts an item into batches from its start, so that a growing item keeps its earlier batches. Deterministic. A generator,
 * because a batch takes up to a millisecond, and there can be 1,000.
 */
export function* planBatches(item: RefinableItem, rules: RefineRules): Generator<Batch, void> {
  const room = batchRoom(rules)
  let chunks: RefinableChunk[] = []
  let before: readonly RefinableChunk[] = []
  let tokens = 0
  for (const chunk of memorableChunks(item).slice(0, MOST_CHUNKS_READ)) {
    const more = chunkTokens(chunk)
    if (tokens + more > room) {
      if (chunks.length > 0) yield createBatch(item, before, chunks, rules)
      before = chunks
      chunks = []
      tokens = 0
    }
    // In scripts with many tokens, a chunk can exceed the context of a small model.
    if (more > room) continue
    chunks.push(chunk)
    tokens += more
  }
  if (chunks.length > 0) yield createBatch(item, before, chunks, rules)
}

function createBatch(
  item: RefinableItem,
  before: readonly RefinableChunk[],
  chunks: readonly RefinableChunk[],
  rules: RefineRules,
): Batch {
  const message = batchMessage(item, precedingPassages(before), chunks)
  const inputTokens = estimateTokens(rules.instructions) + FRAME_TOKENS + estimateTokens(message)
  const passages = chunks.reduce((sum, chunk) => sum + chunkTokens(chunk), 0)
  return {
    hash: createHash('sha256')
      .update(JSON.stringify([rules.refinedBy, rules.instructions, message]))
      .digest('hex'),
    message,
    chunks,
    inputTokens,
    likelyOutputTokens: Math.min(rules.maxOutputTokens, Math.ceil(passages * LIKELY_OUTPUT_PER_INPUT)),
  }
}

/** The preceding passages that are sent as context. */
function precedingPassages(before: readonly RefinableChunk[]): RefinableChunk[] {
  const last: RefinableChunk[] = []
  let tokens = 0
  for (const chunk of before.slice(-PASSAGES_BEFORE).reverse()) {
    tokens += chunkTokens(chunk)
    if (tokens > MOST_TOKENS_BEFORE) break
    last.unshift(chunk)
  }
  return last
}

function chunkTokens({ text, speaker = '', heading = '' }: RefinableChunk): number {
  return FENCE_TOKENS + estimateTokens(text) + estimateTokens(speaker) + estimateTokens(heading)
}

const MARKER_LENGTH = 16
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

/**
 * The message for one batch. Each passage is in a fence with a hash of the batch as its marker, so that no passage can close
 * its own fence, and equal batches have equal messages.
 *
 * @param before preceding passages, as context only
 */
function batchMessage(
  item: Pick<RefinableItem, 'userName' | 'sourceType' | 'kind' | 'title' | 'timeZone' | 'uploadedAt'>,
  before: readonly RefinableChunk[],
  chunks: readonly RefinableChunk[],
): string {
  const { userName, sourceType, kind, title, timeZone, uploadedAt } = item
  const about = {
    user: userName,
    source: sourceType,
    kind,
    ...(title !== undefined && { title }),
    time_zone: timeZone,
    // Only if nothing else dates "yesterday", so that a repeated upload has the same message and costs nothing.
    ...(chunks.every(({ at }) => at === undefined) && { uploaded: localTime(uploadedAt, timeZone) }),
  }
  const passages = [
    ...before.map((chunk) => ['before', passageText(chunk, timeZone)] as const),
    ...chunks.map((chunk) => ['passage', passageText(chunk, timeZone)] as const),
  ]
  const content = JSON.stringify([about, passages])
  const marker = createHash('sha256').update(content).digest('hex').slice(0, MARKER_LENGTH)
  const fenced = (name: string, text: string) => `<${name}:${marker}>\n${text}\n</${name}:${marker}>`
  return [
    `The marker is ${marker}.`,
    fenced('about', JSON.stringify(about)),
    ...passages.map(([name, text]) => fenced(name, text)),
  ].join('\n')
}

function passageText(chunk: RefinableChunk, timeZone: string): string {
  const { ordinal, speaker, at, heading, text } = chunk
  const head = {
    n: ordinal,
    ...(speaker !== undefined && { speaker }),
    ...(at !== undefined && { at: localTime(at, timeZone) }),
    ...(heading !== undefined && { heading }),
  }
  return `${JSON.stringify(head)}\n${text}`
}

/** `Wed 2026-03-04 10:12` */
function localTime(instant: Date, timeZone: string): string {
  const parts = wallClockFormat(timeZone).formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value)
  const wall = new Date(Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute')))
  return `${DAYS[wall.getUTCDay()]} ${wall.toISOString().slice(0, 16).replace('T', ' ')}`
}

/**
 * The chunks for memories. Omits tool output of coding agents, which has no speaker: it is four fifths of a session, and
 * only searched.
 */
export function memorableChunks({ kind, chunks }: Pick<RefinableItem, 'kind' | 'chunks'>): readonly RefinableChunk[] {
  return kind === 'agent' ? chunks.filter(({ speaker }) => speaker !== undefined) : chunks
}
