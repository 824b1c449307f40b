import type { Kysely } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import type { ConnectionName, Ledger, LedgerCommit, LedgerItemState, LedgerRef } from '../ledger.ts'
import { listBudgets, listConnections, listPartitions, readFact } from '../sql/read-connections.ts'
import { countItems, failedItems, findItems, memorizedBetween, pageItems } from '../sql/read-ledger.ts'
import type { Database } from '../sql/schema.ts'
import { sqliteEngine } from './sqlite-engine.ts'
import type { Writer } from './writer.ts'

export function createLedger(db: Kysely<Database>, writer: Writer, clock: Clock, memoryId: string): Ledger {
  return {
    listConnections: () => listConnections(db, memoryId, clock().getTime()),
    beginRun: (connection, run) => writer.call('beginRun', memoryId, plainName(connection), run),
    extendRun: (connection, run) => writer.call('extendRun', memoryId, plainName(connection), run),
    endRun: (connection, holder, end) => writer.call('endRun', memoryId, plainName(connection), holder, end),
    updateConnection: (connection, change) => writer.call('updateConnection', memoryId, plainName(connection), change),
    removeConnection: (connection) => writer.call('removeConnection', memoryId, plainName(connection)),
    listPartitions: (connection) => listPartitions(db, memoryId, connection),
    removePartition: (connection, partitionId) =>
      writer.call('removePartition', memoryId, plainName(connection), partitionId),
    commit: (connection, partitionId, changes) =>
      writer.call('commitItems', memoryId, plainName(connection), partitionId, plainCommit(changes)),
    findItems: (refs) => findItems(db, sqliteEngine, memoryId, refs),
    pageItems: (connection, query, page) => pageItems(db, memoryId, connection, query, page),
    countItems: (connection) => countItems(db, memoryId, connection),
    failedItems: (connection, limit) => failedItems(db, memoryId, connection, limit),
    retryItems: (connection, options) =>
      writer.call('retryItems', memoryId, connection && plainName(connection), options),
    memorizedBetween: (range, page) => memorizedBetween(db, memoryId, range, page),
    dropTombstones: (before) => writer.call('dropTombstones', memoryId, before),
    listBudgets: (provider, account) => listBudgets(db, memoryId, provider, account),
    saveBudget: (provider, account, budget) => writer.call('saveBudget', memoryId, provider, account, budget),
    readFact: (name) => readFact(db, memoryId, name),
    writeFact: (name, value) => writer.call('writeFact', memoryId, name, value),
  }
}

// Only what is stored crosses to the thread: callers pass items of a source, whose functions could not.

function plainName({ connector, name }: ConnectionName): ConnectionName {
  return { connector, name }
}

function plainRef({ sourceType, itemId }: LedgerRef): LedgerRef {
  return { sourceType, itemId }
}

function plainItem(item: LedgerItemState): LedgerItemState {
  const { phase, contentHash, revision, walk, attempts, nextAttemptAt, errorCode, error, locator, title } = item
  const state = { phase, contentHash, revision, walk, attempts, nextAttemptAt, errorCode, error, locator, title }
  return { ...plainRef(item), ...state, url: item.url, toldAt: item.toldAt }
}

function plainCommit({ items, seen, partition }: LedgerCommit): LedgerCommit {
  return {
    items: items?.map(plainItem),
    seen: seen && { refs: seen.refs.map(plainRef), walk: seen.walk },
    partition,
  }
}
