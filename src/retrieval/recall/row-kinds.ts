import { analyze, hashTerm } from '../../lib/analyze.ts'
import type { ChunkRow } from '../../store/search/search.ts'
import type { RowKind } from './weights.ts'

/** Turns of more terms than this are long, and conversations whose turns have more on average. */
export const LONG_TERMS = 40
/** Speakers of a conversation between two; with more, it is one of a group. */
const PAIR = 2
/** Maximum distance of two turns of a group that are one stretch of talk. */
const SAME_STRETCH = 3

let weekdays: ReadonlySet<number> | undefined

/**
 * What each row is weighed as: in a channel or a meeting of several people, a subject is spread over more turns than
 * between two; a long reply has words of many questions. Counted among the rows that were found, which must be in reading order. Pure.
 */
export function rowKinds(rows: readonly ChunkRow[]): RowKind[] {
  const kinds: RowKind[] = rows.map(({ kind }) => kind)
  for (let start = 0, end = 0; start < rows.length; start = end) {
    let speakers: Set<number> | undefined
    let terms = 0
    for (end = start; rows[end]?.itemKey === rows[start]!.itemKey; end++) {
      const speaker = speakerOf(rows[end]!)
      if (speaker !== undefined) speakers = (speakers ?? new Set()).add(speaker)
      terms += rows[end]!.bodyHashes.length
    }
    const count = speakers?.size ?? 0
    const isGroup = count > PAIR
    const isLong = count === PAIR && terms > LONG_TERMS * (end - start)
    for (let i = start; (isGroup || isLong) && i < end; i++) {
      if (kinds[i] !== 'turn') continue
      if (isGroup) kinds[i] = 'group'
      else if (rows[i]!.bodyHashes.length > LONG_TERMS) kinds[i] = 'long'
    }
  }
  return kinds
}

/**
 * The best chunks of different stretches of talk: in a group, the weights let the turns around a good one rank right
 * behind it, so they say nothing about how good the others are. Pure.
 *
 * @param ranked best first
 * @param kinds by position
 */
export function bestOfStretches<Chunk extends { readonly row: ChunkRow; readonly position: number }>(
  ranked: readonly Chunk[],
  kinds: readonly RowKind[],
  count: number,
): readonly Chunk[] {
  const best: Chunk[] = []
  for (const one of ranked) {
    if (best.length === count) break
    const { itemKey, ordinal } = one.row
    const isBeside = ({ row }: Chunk) => row.itemKey === itemKey && Math.abs(row.ordinal - ordinal) <= SAME_STRETCH
    if (kinds[one.position] !== 'group' || !best.some(isBeside)) best.push(one)
  }
  return best
}

/** The first word of the speaker of a turn. Without a speaker and a heading, meta begins with the day of the week. */
function speakerOf({ kind, metaHashes }: ChunkRow): number | undefined {
  weekdays ??= new Set(analyze('Monday Tuesday Wednesday Thursday Friday Saturday Sunday').map(hashTerm))
  const first = kind === 'turn' ? metaHashes[0] : undefined
  return first === undefined || weekdays.has(first) ? undefined : first
}
