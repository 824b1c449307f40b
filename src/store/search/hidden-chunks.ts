import { isPartOfPassage, isSamePassage, passageWords } from '../../lib/passage-words.ts'
import { listEdits } from '../edits/create-edits.ts'
import { type MemoryEdit, statingItem } from '../edits/edits.ts'
import { itemsInScope } from '../items/item-reads.ts'
import { sourceRestriction } from '../items/item-rows.ts'
import type { ScopedAccount } from '../store-parts.ts'
import { readChunks } from './read-chunks.ts'
import type { ChunkRow, MemoryRow } from './search.ts'
import type { SearchReader } from './search-reader.ts'

/** The edit that hides each hidden chunk. */
export type HiddenChunks = ReadonlyMap<number, MemoryEdit>

export const NOTHING_HIDDEN: HiddenChunks = new Map()

/** Memories made from these chunks. */
type ReadMemories = (reader: SearchReader, chunkIds: readonly number[]) => Promise<MemoryRow[]>

/** The chunks of hidden memories, of their corrections and of their notes, as the items are processed now. */
export function readHiddenChunks(
  account: ScopedAccount,
  reader: SearchReader,
  memoriesOf: ReadMemories,
): Promise<HiddenChunks> {
  return reader.kept.of(`hidden ${reader.accountKey} ${sourceRestriction(reader.scope)}`, async () => {
    const edits = await account.editsOf(() => listEdits(reader), reader.kept)
    const hides = edits.filter(({ kind }) => kind === 'hide')
    return hides.length === 0 ? NOTHING_HIDDEN : findHiddenChunks(reader, { edits, hides, memoriesOf })
  })
}

interface Hiding {
  readonly edits: readonly MemoryEdit[]
  readonly hides: readonly MemoryEdit[]
  readonly memoriesOf: ReadMemories
}

async function findHiddenChunks(reader: SearchReader, { edits, hides, memoriesOf }: Hiding): Promise<HiddenChunks> {
  const stated = edits.flatMap((edit) => {
    const item = statingItem(edit)
    const hide = item && hides.find((other) => isAboutSame(edit, other))
    return item && hide ? [{ hide, sourceType: edit.sourceType, itemId: item.itemId }] : []
  })
  const chunks = await readChunksOf(reader, [...hides, ...stated])
  const hidden = new Map<number, MemoryEdit>()
  for (const { hide, ...item } of stated) {
    for (const { chunkId } of chunks.get(itemName(item)) ?? []) hidden.set(chunkId, hide)
  }
  for (const hide of hides) {
    const rows = chunks.get(itemName(hide)) ?? []
    if (rows.length === 0) continue
    for (const chunkId of await chunksHiddenBy(hide, rows, (ids) => memoriesOf(reader, ids))) hidden.set(chunkId, hide)
  }
  return hidden
}

/** All chunks of the memory; of an item that has other memories since, those with the words of the hidden one. */
async function chunksHiddenBy(
  { passage }: MemoryEdit,
  rows: readonly ChunkRow[],
  memoriesOf: (ids: readonly number[]) => Promise<readonly MemoryRow[]>,
): Promise<readonly number[]> {
  const parts = rows.filter(({ bodyHashes }) => isPartOfPassage(bodyHashes, passage)).map(({ chunkId }) => chunkId)
  const memories = await memoriesOf(parts.length > 0 ? parts : rows.map(({ chunkId }) => chunkId))
  const same = memories.filter(({ content: { body, narrative } }) =>
    isSamePassage(passageWords(body ?? narrative ?? ''), passage),
  )
  return same.length === 0 ? parts : same.flatMap(chunkIdsOf)
}

async function readChunksOf(
  reader: SearchReader,
  wanted: readonly Pick<MemoryEdit, 'sourceType' | 'itemId'>[],
): Promise<ReadonlyMap<string, readonly ChunkRow[]>> {
  const names = new Set(wanted.map(itemName))
  const found = await itemsInScope(reader)
    .select(['item.item_id', 'item.source_type', 'item.first_chunk_id', 'item.last_chunk_id'])
    .where('item.item_id', 'in', [...new Set(wanted.map(({ itemId }) => itemId))])
    .execute()
  const ids = found.flatMap(({ item_id: itemId, source_type: sourceType, first_chunk_id, last_chunk_id }) => {
    if (first_chunk_id === null || last_chunk_id === null || !names.has(itemName({ itemId, sourceType }))) return []
    return chunkIdsOf({ firstChunkId: first_chunk_id, lastChunkId: last_chunk_id })
  })
  return Map.groupBy(await readChunks(reader, ids, 0, {}), itemName)
}

/** Of a memory or an item. */
export function chunkIdsOf({ firstChunkId, lastChunkId }: Pick<MemoryRow, 'firstChunkId' | 'lastChunkId'>): number[] {
  return Array.from({ length: lastChunkId - firstChunkId + 1 }, (_, n) => firstChunkId + n)
}

function isAboutSame(edit: MemoryEdit, other: MemoryEdit): boolean {
  return itemName(edit) === itemName(other) && isSamePassage(edit.passage, other.passage)
}

function itemName({ sourceType, itemId }: { readonly sourceType: string; readonly itemId: string }): string {
  return `${sourceType}/${itemId}`
}
