import type { PassageRow, SearchIndex } from '../../../store/search/search.ts'
import { neighbor } from '../../recall/features.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'
import type { Source } from './evidence.ts'

/** A turn with its position in the ranking. */
export interface Turn {
  readonly position: number
  readonly passage: PassageRow
}

/** A turn and at most so many after it in the same talk; empty if it was deleted since it was found. */
export async function turnsAfter(
  { position }: Source,
  most: number,
  { rows }: Ranking,
  index: SearchIndex,
): Promise<readonly Turn[]> {
  const positions = Array.from({ length: most + 1 }, (_, i) => neighbor(rows, position, i)).filter(
    (at) => at >= 0 && rows[at]!.kind === 'turn',
  )
  const passages = await index.passages(positions.map((at) => rows[at]!.chunkId))
  const talk = positions.flatMap((at): Turn[] => {
    const passage = passages.get(rows[at]!.chunkId)
    return passage === undefined ? [] : [{ position: at, passage }]
  })
  return talk[0]?.position === position ? talk : []
}
