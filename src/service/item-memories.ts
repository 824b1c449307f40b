import type { ItemMemory } from '../http/app/schemas/library.ts'
import { editsAbout, notesOn, statedEdit } from '../retrieval/recall/memory-edits.ts'
import { type MemoryEdit, statingItem } from '../store/edits/edits.ts'
import type { LibraryMemory, LibraryPage, LibraryRef } from '../store/library/library.ts'
import type { ScopedStore } from '../store/store.ts'
import { readHides } from './hidden-memories.ts'

/** More than the chunks of the longest correction or note. */
const STATED_CHUNKS = 100

/** A page of the memories of an item, each with its correction, notes and pin, and whether it is hidden. */
export async function itemMemories(
  { library, edits: { list }, index }: Pick<ScopedStore, 'library' | 'edits' | 'index'>,
  ref: LibraryRef,
  page: LibraryPage,
): Promise<ItemMemory[]> {
  const [memories, edits, hides] = await Promise.all([library.memories(ref, page), list(), readHides(ref, index)])
  const textOf = (edit: MemoryEdit) => statedText(library, edit)
  return Promise.all(memories.map((memory) => itemMemory(ref, memory, { edits, hides, statedText: textOf })))
}

/** The text of a correction or a note; `null` for other edits, and until it is processed. */
export async function statedText(library: ScopedStore['library'], edit: MemoryEdit): Promise<string | null> {
  const stating = statingItem(edit)
  if (stating === undefined) return null
  const { sourceType } = edit
  const chunks = await library.chunks({ itemId: stating.itemId, sourceType }, { offset: 0, limit: STATED_CHUNKS })
  return chunks.length === 0 ? null : chunks.map(({ text }) => text).join('\n\n')
}

interface EditReader {
  readonly edits: readonly MemoryEdit[]
  readonly hides: Awaited<ReturnType<typeof readHides>>
  /** `null` until the correction is processed. */
  readonly statedText: (edit: MemoryEdit) => Promise<string | null>
}

async function itemMemory(
  ref: LibraryRef,
  memory: LibraryMemory,
  { edits, hides, statedText }: EditReader,
): Promise<ItemMemory> {
  const edited = { ...ref, content: memory.content }
  const about = editsAbout(edited, edits)
  const notes = notesOn(edited, edits).map(async (note) => {
    const item_id = note.note?.itemId ?? ref.itemId
    return { ...madeEdit(note), item_id, text: await statedText(note) }
  })
  const correction = about.find(({ kind }) => kind === 'correction')
  const pin = about.find(({ kind }) => kind === 'pin')
  const stated = statedEdit(ref, edits)
  const statedOn = stated ? { ...madeEdit(stated), item_id: stated.itemId } : null
  const [hide] = hides(memory)
  return {
    custom_id: `${ref.itemId}_memory_${memory.index}`,
    index: memory.index,
    content: memory.content,
    first_chunk: memory.firstChunk,
    last_chunk: memory.lastChunk,
    at: memory.at?.toISOString() ?? null,
    correction: correction ? { ...madeEdit(correction), text: await statedText(correction) } : null,
    pin: pin ? madeEdit(pin) : null,
    hidden: hide ? madeEdit(hide) : null,
    corrects: stated?.kind === 'correction' ? statedOn : null,
    notes: await Promise.all(notes),
    note_on: stated?.kind === 'note' ? statedOn : null,
  }
}

function madeEdit({ by, at }: MemoryEdit): { readonly by: string; readonly at: string } {
  return { by, at: at.toISOString() }
}
