import { sourceRestriction } from '../items/item-rows.ts'
import type { AccountReader, ScopedAccount } from '../store-parts.ts'
import { type MemoryEdit, type MemoryEdits, MOST_EDITS, passageBytes, statingItem } from './edits.ts'

export function createEdits(account: ScopedAccount): MemoryEdits {
  const { scope, commands } = account
  const changed = <Result>(work: Promise<Result>) => work.finally(() => account.forgetEdits())
  return {
    list: () => account.read(listEdits, []),
    mark: ({ kind, sourceType, itemId, passage, by }) => {
      const edit = { kind, sourceType, itemId, passage: passageBytes(passage), by }
      return changed(commands.call('addEdit', scope, { ...edit, correctionId: null }))
    },
    restore: (restoring) => {
      const { kind, sourceType, itemId, passage, by, at } = restoring
      const edit = { kind, sourceType, itemId, passage: passageBytes(passage), by }
      const restored = { ...edit, correctionId: statingItem(restoring)?.itemId ?? null, at: at.getTime() }
      return changed(commands.call('addEdit', scope, restored))
    },
    unmark: ({ kind, sourceType, itemId, passage }) =>
      changed(commands.call('removeEdit', scope, { kind, sourceType, itemId, passage: passageBytes(passage) })),
  }
}

/** Newest first. Every question asks for them. */
export function listEdits(reader: AccountReader): Promise<readonly MemoryEdit[]> {
  return reader.kept.of(`edits ${reader.accountKey} ${sourceRestriction(reader.scope)}`, () => readEdits(reader))
}

async function readEdits({ db, accountKey, scope }: AccountReader): Promise<readonly MemoryEdit[]> {
  const sources = sourceRestriction(scope)
  if (sources !== 'all' && sources.length === 0) return []
  let edits = db
    .selectFrom('memory_edit')
    .leftJoin('item', (join) =>
      join
        .onRef('item.account_key', '=', 'memory_edit.account_key')
        .onRef('item.source_type', '=', 'memory_edit.source_type')
        .onRef('item.item_id', '=', 'memory_edit.correction_id'),
    )
    .select(['memory_edit.kind', 'memory_edit.source_type', 'memory_edit.item_id', 'memory_edit.passage'])
    .select(['memory_edit.correction_id', 'memory_edit.made_by', 'memory_edit.made_at', 'item.first_chunk_id'])
    .where('memory_edit.account_key', '=', accountKey)
  if (sources !== 'all') edits = edits.where('memory_edit.source_type', 'in', sources)
  const rows = await edits.orderBy('memory_edit.edit_key', 'desc').limit(MOST_EDITS).execute()
  return rows.map((row) => ({
    kind: row.kind,
    sourceType: row.source_type,
    itemId: row.item_id,
    passage: passageHashes(row.passage),
    by: row.made_by,
    at: new Date(row.made_at),
    ...(row.correction_id !== null && {
      [row.kind === 'note' ? 'note' : 'correction']: {
        itemId: row.correction_id,
        ...(row.first_chunk_id !== null && { firstChunkId: row.first_chunk_id }),
      },
    }),
  }))
}

/** Copies, because the bytes of a row may not be aligned to four bytes. */
function passageHashes(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(Uint8Array.from(bytes).buffer)
}
