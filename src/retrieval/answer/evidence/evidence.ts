import type { ChunkRow } from '../../../store/search/search.ts'
import type { History } from '../../recall/history.ts'
import type { Folded } from '../../recall/near-duplicates.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import type { LeadSentence } from '../lead-quotation.ts'
import type { Reply } from './read-replies.ts'

/** The evidence for an answer. */
export interface Evidence {
  readonly ranking: Ranking
  /** The stored pair that asks the same question, unless a newer statement replaced it. */
  readonly paired: readonly Source[]
  readonly isSettled: boolean
  readonly found: readonly Folded<ReadChunk>[]
  /** Replies to questions among the best chunks, if they were not found themselves. */
  readonly replies: readonly Reply[]
  /** See `closestParts`. */
  readonly parts: readonly ReadChunk[]
  /** Later mails in the threads of the best chunks that move or cancel something. */
  readonly changes: readonly ReadChunk[]
  readonly history: History<number>
  /** See `titledOpening`. */
  readonly opening?: ReadChunk | undefined
}

/** A chunk to show, or the part that answers. */
export interface Source {
  readonly row: ChunkRow
  readonly position: number
  /** Shown instead of the whole chunk. */
  readonly answer?: string
  /** The sentences of `answer`. */
  readonly lead?: readonly LeadSentence[]
  /** Time of the latest statement that this one replaces, in milliseconds since the epoch. */
  readonly replacedAt?: number
  /** Whether this version of the leading statement is the older or the newer one. */
  readonly isOtherVersion?: 'earlier' | 'later'
  /** One of consecutive turns, which are quoted one after another. */
  readonly isOfRun?: boolean
}

/** When the latest statement was made that a chunk replaces; empty if it replaces none. */
export function replacedTime(chunkId: number, { found, history }: Evidence): { readonly replacedAt?: number } {
  const times = history
    .replacedBy(chunkId)
    .map((older) => found.find(({ one }) => one.row.chunkId === older)?.one.row.at ?? 0)
  return times.length > 0 ? { replacedAt: Math.max(...times) } : {}
}
