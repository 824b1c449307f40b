import type { Chunk } from '../../domain/document.ts'
import { type Passage, passageOf, sizeOf } from './passage.ts'

/**
 * In characters. A chat is remembered a remark or two at a time: of the evidence of LoCoMo, memories of 600 characters put 86.2 %
 * into 1,500 tokens, of 200 87.5 %, of 120 88.1 %; of REALTALK 65.7, 70.6 and 71.5 %. Answers in meetings are longer (800).
 */
export interface TurnLimits {
  readonly min: number
  readonly target: number
  readonly max: number
  /** A longer pause begins a new passage. */
  readonly gapMs: number
  /** A turn at least this long stands alone, as a letter does; shorter ones go with what they answer. */
  readonly letter: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const CHAT_LIMITS: TurnLimits = { min: 40, target: 120, max: 1_400, gapMs: HOUR_MS, letter: Infinity }
export const TRANSCRIPT_LIMITS: TurnLimits = { min: 150, target: 800, max: 1_600, gapMs: HOUR_MS, letter: Infinity }
/** Comments and letters are written days apart, so only long silences separate them. */
export const LETTER_LIMITS: TurnLimits = { min: 150, target: 600, max: 1_400, gapMs: 30 * DAY_MS, letter: 250 }

/** Cuts turns into passages: at headings and long pauses first, then by size, never between a question and its answer. */
export function cutTurns(chunks: readonly Chunk[], limits: TurnLimits): Passage[] {
  const groups: Chunk[][] = []
  let open: Chunk[] = []
  for (const chunk of chunks) {
    if (open.length > 0 && beginsPassage(open, chunk, limits)) {
      groups.push(open)
      open = []
    }
    open.push(chunk)
  }
  if (open.length > 0) groups.push(open)
  return joinShort(groups, limits).flatMap((group) => passageOf(group, 'turns'))
}

function beginsPassage(open: readonly Chunk[], next: Chunk, limits: TurnLimits): boolean {
  const last = open.at(-1)
  if (!last) return false
  if (isApart(last, next, limits)) return true
  const size = sizeOf(open)
  const joined = size + next.text.length
  if (joined > limits.max) return true
  if (next.text.length >= limits.letter && size >= limits.letter) return true
  if (size < limits.target) return false
  const isAnswer = next.speaker !== last.speaker && /[?？]\s*$/.test(last.text)
  const isRemark = next.text.length < limits.letter && limits.letter < Infinity
  return !isAnswer && !isRemark
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
    const fits = before && sizeOf(before) + sizeOf(group) <= limits.max
    const isShort = sizeOf(group) < limits.min || (before && sizeOf(before) < limits.min)
    if (before && last && first && fits && isShort && !isApart(last, first, limits)) before.push(...group)
    else joined.push([...group])
  }
  return joined
}
