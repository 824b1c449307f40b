import type { SourceType } from '../../domain/source-type.ts'
import type { ChunkRange, ChunkRow } from './search.ts'

/** The chunks that an item shows. */
export interface ShownRange extends ChunkRange {
  readonly itemId: string
  readonly sourceType: SourceType
}

/** All chunks of an account in one state of the database, without a read for each. */
export interface ChunksInMemory {
  /** The item that shows the chunk; `undefined` where none does. */
  itemOf(chunkId: number): ShownRange | undefined
  itemKeyOf(chunkId: number): number | undefined
  /** A chunk that an item shows. @param spaceId the same string is used where it is equal */
  row(chunkId: number, spaceId: string | undefined): ChunkRow | undefined
}
