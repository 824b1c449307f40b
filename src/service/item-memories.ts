import type { ItemMemory } from '../http/app/schemas/library.ts'
import { editsAbout, statedCorrection } from '../retrieval/memory-edits.ts'
import type { MemoryEdit } from '../store/edits/edits.ts'
import type { LibraryMemory, LibraryPage, LibraryRef } from '../store/library/library.ts'
import type { ScopedStore } from '../store/store.ts'
import { readHides } from './hidden-memories.ts'

/** More than the chunks of the longest correction. */
const CORRECTION_CHUNKS = 100

/** A page of the memories of an item, each with its correction and pin, and whether it is hidden. */
export async function itemMemories(
  { library, edits: { list }, index }: Pick<ScopedStore, 'library' | 'edits' | 'index'>,
  ref: LibraryRef,
  page: LibraryPage,
): Promise<ItemMemory[]> {
  const [memories, edits, hides] = await Promise.all([library.memories(ref, page), list(), readHides(ref, index)])
  const textOf = (edit: MemoryEdit) => correctionText(library, edit)
  return Promise.all(memories.map((memory) => itemMemory(ref, memory, { edits, hides, correctionText: textOf })))
}

/** The text of a correction; `null` for other edits, and until it is processed. */
export async function correctionText(
  library: ScopedStore['library'],
  { correction, sourceType }: MemoryEdit,
): Promise<string | null> {
  if (correction === undefined) return null
  const stated = { itemId: correction.itemId, sourceType }
  const chunks = await library.chunks(stated, { offset: 0, limit: CORRECTION_CHUNKS })
  return chunks.length === 0 ? null : chunks.map(({ text }) => text).join('\n\n')
}

interface EditReader {
  readonly edits: readonly MemoryEdit[]
  readonly hides: Awaited<ReturnType<typeof readHides>>
  /** `null` until the correction is processed. */
  readonly correctionText: (edit: MemoryEdit) => Promise<string | null>
}

async function itemMemory(
  ref: LibraryRef,
  memory: LibraryMemory,
  { edits, hides, correctionText }: EditReader,
): Promise<ItemMemory> {
  const about = editsAbout({ ...ref, content: memory.content }, edits)
  const correction = about.find(({ kind }) => kind === 'correction')
  const pin = about.find(({ kind }) => kind === 'pin')
  const stated = statedCorrection(ref, edits)
  const [hide] = hides(memory)
  return {
    custom_id: `${ref.itemId}_memory_${memory.index}`,
    index: memory.index,
    content: memory.content,
    first_chunk: memory.firstChunk,
    last_chunk: memory.lastChunk,
    at: memory.at?.toISOString() ?? null,
    correction: correction ? { ...madeEdit(correction), text: await correctionText(correction) } : null,
    pin: pin ? madeEdit(pin) : null,
    hidden: hide ? madeEdit(hide) : null,
    corrects: stated ? { ...madeEdit(stated), item_id: stated.itemId } : null,
  }
}

function madeEdit({ by, at }: MemoryEdit): { readonly by: string; readonly at: string } {
  return { by, at: at.toISOString() }
}
