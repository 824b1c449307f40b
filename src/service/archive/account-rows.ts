import { statingItem } from '../../store/edits/edits.ts'
import type { ConnectionName, LedgerItem } from '../../store/ledger/ledger.ts'
import type { LibraryRef, StoredItem } from '../../store/library/library.ts'
import type { ScopedStore, Store } from '../../store/store.ts'
import type { ArchiveTable } from './archive-format.ts'

type Rows = AsyncGenerator<unknown, void>

const PAGE = 500
/** Long before the first metered day. */
const FIRST_DAY = '0000-01-01'

/** All tables of an account except its items, without credentials: no hashes of keys, passwords or grants. */
export function accountRows(store: Store, accountId: string): Readonly<Record<ArchiveTable, () => Rows>> {
  const scoped = store.scoped({ accountId, sources: 'all' })
  return {
    memories: () => memories(scoped),
    people: () => people(store, accountId),
    keys: () => keys(store, accountId),
    golden: () => golden(scoped),
    edits: () => edits(scoped),
    names: () => names(scoped),
    activity: () => activity(scoped),
    usage: () => usage(store, accountId),
    connections: () => connections(store, accountId),
    ledger: () => ledgerItems(store, accountId),
  }
}

/** In order of first upload. */
export async function* storedItems({ library }: ScopedStore): AsyncGenerator<StoredItem, void> {
  for (let after = 0; ; ) {
    const page = await library.stored({ after, limit: PAGE })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.key
  }
}

async function* memories(scoped: ScopedStore): Rows {
  for await (const item of storedItems(scoped)) yield* memoriesOf(scoped, item)
}

async function* memoriesOf({ library }: ScopedStore, { itemId, sourceType }: LibraryRef): Rows {
  for (let offset = 0; ; offset += PAGE) {
    const page = await library.memories({ itemId, sourceType }, { offset, limit: PAGE })
    for (const { index, content, at } of page) {
      yield { item_id: itemId, source_type: sourceType, index, at: at?.toISOString() ?? null, content }
    }
    if (page.length < PAGE) return
  }
}

async function* people({ people: store }: Store, accountId: string): Rows {
  for (const { name, login, role, joinedAt } of await store.members(accountId)) {
    yield { name, login, role, joined_at: joinedAt.toISOString() }
  }
}

async function* keys({ admin }: Store, accountId: string): Rows {
  for (const { name, sources, isDefault, createdAt, lastUsedAt } of await admin.listKeys(accountId)) {
    const last_used_at = lastUsedAt?.toISOString() ?? null
    yield { name, sources, is_default: isDefault, created_at: createdAt.toISOString(), last_used_at }
  }
}

async function* golden({ golden: questions }: ScopedStore): Rows {
  for (const { question, items, createdAt } of await questions.list()) {
    const refs = items.map(({ itemId, sourceType }) => ({ item_id: itemId, source_type: sourceType }))
    yield { question, items: refs, created_at: createdAt.toISOString() }
  }
}

async function* edits({ edits: store }: ScopedStore): Rows {
  // Oldest first, as an import adds them.
  for (const edit of (await store.list()).toReversed()) {
    const { kind, sourceType, itemId, passage, by, at } = edit
    const correction_id = statingItem(edit)?.itemId ?? null
    const memory = { source_type: sourceType, item_id: itemId, passage: [...passage] }
    yield { kind, ...memory, correction_id, by, at: at.toISOString() }
  }
}

async function* names({ names: store }: ScopedStore): Rows {
  for (const { name, mergedInto, by, at } of (await store.list()).toReversed()) {
    yield { name, merged_into: mergedInto ?? null, by, at: at.toISOString() }
  }
}

async function* activity({ activity: log }: ScopedStore): Rows {
  for (let before: number | undefined; ; ) {
    const page = await log.page({ limit: PAGE, ...(before !== undefined && { before }) })
    for (const { number, at, actor, entry } of page) yield { number, at: at.toISOString(), actor, ...entry }
    if (page.length < PAGE) return
    before = page.at(-1)?.number
  }
}

async function* usage({ admin }: Store, accountId: string): Rows {
  for (const { day, metric, keyId, count } of await admin.usageByDay(accountId, FIRST_DAY)) {
    yield { day, metric, key_id: keyId, count }
  }
}

async function* connections(store: Store, accountId: string): Rows {
  for (const row of await store.ledger(`account:${accountId}`).listConnections()) {
    const { connector, name, account, accountTitle, lastSuccessAt } = row
    yield {
      ...{ connector, name, account: account ?? null, account_title: accountTitle ?? null },
      last_success_at: lastSuccessAt?.toISOString() ?? null,
    }
  }
}

/** The source of each item. Cursors are omitted, because they may contain provider state for a single client. */
async function* ledgerItems(store: Store, accountId: string): Rows {
  const ledger = store.ledger(`account:${accountId}`)
  for (const { connector, name } of await ledger.listConnections()) {
    const connection: ConnectionName = { connector, name }
    for (const { partitionId } of await ledger.listPartitions(connection)) {
      for (let after: LedgerItem | undefined; ; ) {
        const query = { kind: 'partition', partitionId } as const
        const page = await ledger.pageItems(connection, query, { limit: PAGE, ...(after && { after }) })
        for (const row of page) yield ledgerRow(row)
        after = page.at(-1)
        if (page.length < PAGE) break
      }
    }
  }
}

function ledgerRow(row: LedgerItem) {
  const { connector, name, partitionId, sourceType, itemId, phase, title, url, error, statedAt } = row
  return {
    ...{ connector, name, partition: partitionId, source_type: sourceType, item_id: itemId, phase },
    ...{ title: title ?? null, url: url ?? null, error: error ?? null, told_at: statedAt?.toISOString() ?? null },
  }
}
