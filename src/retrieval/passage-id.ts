import type { ChunkRow } from '../store/search/search.ts'

/** The id of a passage; stable until the item changes. */
export function passageId({ sourceType, itemId, ordinal }: ChunkRow): string {
  return `${sourceType}/${itemId}/${ordinal}`
}
