import type { ExtractedMemory, ExtractedQa, Skip } from '../../domain/document.ts'
import type { RefinableItem } from '../../domain/refinement.ts'
import { faultOf } from '../extract/salience.ts'
import type { ReadAnswer } from './read-answer.ts'
import { toldChunks } from './told-chunks.ts'

/** What an item shows once it is refined. */
export interface RefinedMemories {
  /** Numbered from 0. */
  readonly memories: readonly ExtractedMemory[]
  readonly qas: readonly ExtractedQa[]
  readonly skips: readonly Skip[]
}

/**
 * The memories of all answers, in the order of the source, and those that the item had of what no answer covers: nothing
 * that could be recalled by its memory is lost, unless it says nothing.
 *
 * @param unread chunks that no batch holds
 */
export function mergeMemories(item: RefinableItem, answers: readonly ReadAnswer[], unread: number): RefinedMemories {
  const made = answers.flatMap(({ memories }) => memories)
  const covered = new Set<number>()
  for (const { firstChunk, lastChunk } of made) {
    for (let ordinal = firstChunk; ordinal <= lastChunk; ordinal++) covered.add(ordinal)
  }
  const silent = new Set(item.chunks.map(({ ordinal }) => ordinal))
  for (const { ordinal, text } of toldChunks(item)) if (faultOf(text, true) === undefined) silent.delete(ordinal)
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
