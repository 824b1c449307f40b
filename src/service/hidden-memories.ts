import type { MemoryEdit } from '../store/edits/edits.ts'
import type { LibraryMemory, LibraryRef } from '../store/library/library.ts'
import type { SearchIndex } from '../store/search/search.ts'

type Index = Pick<SearchIndex, 'hidden' | 'extentOf'>

/** Finds the edits that hide memories of an item: those that answers leave out, and no others. */
export async function readHides(
  ref: LibraryRef,
  index: Index,
): Promise<(memory: Pick<LibraryMemory, 'firstChunk' | 'lastChunk'>) => readonly MemoryEdit[]> {
  const [hidden, extent] = await Promise.all([index.hidden(), index.extentOf(ref)])
  if (hidden.size === 0 || extent === undefined) return () => []
  return ({ firstChunk, lastChunk }) => {
    const ordinals = Array.from({ length: lastChunk - firstChunk + 1 }, (_, n) => firstChunk + n)
    return [...new Set(ordinals.flatMap((ordinal) => hidden.get(extent.firstChunkId + ordinal) ?? []))]
  }
}

/** The edits that hide a memory. */
export async function hidesOf(memory: LibraryRef & LibraryMemory, index: Index): Promise<readonly MemoryEdit[]> {
  const hides = await readHides(memory, index)
  return hides(memory)
}
