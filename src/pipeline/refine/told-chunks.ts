import type { RefinableChunk, RefinableItem } from '../../domain/refinement.ts'

/**
 * The chunks that memories are made of. Of a session with a coding agent those that somebody says: the output of tools,
 * which has no speaker, is four fifths of it, and is searched only.
 */
export function toldChunks({ kind, chunks }: Pick<RefinableItem, 'kind' | 'chunks'>): readonly RefinableChunk[] {
  return kind === 'agent' ? chunks.filter(({ speaker }) => speaker !== undefined) : chunks
}
