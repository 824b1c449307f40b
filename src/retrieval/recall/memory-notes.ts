import type { MemoryEdit } from '../../store/edits/edits.ts'
import type { MemoryRow, SearchIndex } from '../../store/search/search.ts'
import { notesOn, readEdits } from './memory-edits.ts'

/** A note on a memory, as a result shows it. */
export interface MemoryNote {
  readonly text: string
  readonly by: string
  readonly at: Date
  /** The item that states it. */
  readonly itemId: string
}

/** The notes on memories, oldest first, as of a day. @returns `undefined` for a memory without notes */
export async function readNotes<Row extends MemoryRow>(
  memories: readonly Row[],
  { index, now }: { readonly index: SearchIndex; readonly now: Date },
): Promise<(memory: Row) => readonly MemoryNote[] | undefined> {
  const edits = memories.length === 0 ? [] : await readEdits(index, now)
  const noted = await withNotes(
    memories.map((row) => ({ row, copies: [] })),
    edits,
    index,
  )
  const notes = new Map(noted.flatMap(({ row, notes: own }) => (own.length === 0 ? [] : [[row, own]])))
  return (memory) => notes.get(memory)
}

type NotesIndex = Pick<SearchIndex, 'extentOf' | 'passages'>

interface Noted {
  readonly row: MemoryRow
  readonly copies: readonly { readonly row: MemoryRow }[]
}

/** Adds the notes on each memory and on its duplicates, oldest first; none that is hidden or not processed yet. */
export async function withNotes<Memory extends Noted>(
  memories: readonly Memory[],
  edits: readonly MemoryEdit[],
  index: NotesIndex,
): Promise<(Memory & { readonly notes: readonly MemoryNote[] })[]> {
  const found = memories.map(({ row, copies }) => [
    ...new Set([row, ...copies.map((copy) => copy.row)].flatMap((one) => notesOn(one, edits))),
  ])
  const texts = await readTexts([...new Set(found.flat())], index)
  return memories.map((memory, position) => ({
    ...memory,
    notes: (found[position] ?? []).flatMap((edit) => {
      const text = texts.get(edit)
      if (text === undefined || edit.note === undefined) return []
      return [{ text, by: edit.by, at: edit.at, itemId: edit.note.itemId }]
    }),
  }))
}

async function readTexts(notes: readonly MemoryEdit[], index: NotesIndex): Promise<ReadonlyMap<MemoryEdit, string>> {
  if (notes.length === 0) return new Map()
  const chunks = await Promise.all(notes.map((note) => chunksOf(note, index)))
  const passages = await index.passages(chunks.flat())
  return new Map(
    notes.flatMap((note, position) => {
      const texts = (chunks[position] ?? []).map((id) => passages.get(id)?.text)
      const isShown = texts.length > 0 && texts.every((text) => text !== undefined)
      return isShown ? [[note, texts.join('\n\n')] as const] : []
    }),
  )
}

async function chunksOf({ note, sourceType }: MemoryEdit, index: NotesIndex): Promise<number[]> {
  const extent = note && (await index.extentOf({ itemId: note.itemId, sourceType }))
  if (extent === undefined) return []
  return Array.from({ length: extent.lastChunkId - extent.firstChunkId + 1 }, (_, n) => extent.firstChunkId + n)
}
