import type { Kysely } from 'kysely'
import type { Clock } from '../../lib/clock.ts'
import type { ConnectionName, Ledger, LedgerCommit, LedgerItemState, LedgerRef } from '../ledger.ts'
import type { SqlEngine } from './engine.ts'
import type { IntentRunner } from './intent-runner.ts'
import { listBudgets, listConnections, listPartitions, readFact } from './read-connections.ts'
import { countItems, failedItems, findItems, memorizedBetween, pageItems } from './read-ledger.ts'
import type { Database } from './schema.ts'

export interface LedgerParts {
  readonly db: Kysely<Database>
  readonly engine: SqlEngine
  readonly intents: IntentRunner
  readonly clock: Clock
}

export function createLedger({ db, engine, intents, clock }: LedgerParts, memoryId: string): Ledger {
  return {
    listConnections: () => listConnections(db, memoryId, clock().getTime()),
    beginRun: (connection, run) => intents.call('beginRun', memoryId, plainName(connection), run),
    extendRun: (connection, run) => intents.call('extendRun', memoryId, plainName(connection), run),
    endRun: (connection, holder, end) => intents.call('endRun', memoryId, plainName(connection), holder, end),
    updateConnection: (connection, change) => intents.call('updateConnection', memoryId, plainName(connection), change),
    removeConnection: (connection) => intents.call('removeConnection', memoryId, plainName(connection)),
    listPartitions: (connection) => listPartitions(db, memoryId, connection),
    removePartition: (connection, partitionId) =>
      intents.call('removePartition', memoryId, plainName(connection), partitionId),
    commit: (connection, partitionId, changes) =>
      intents.call('commitItems', memoryId, plainName(connection), partitionId, plainCommit(changes)),
    findItems: (refs) => findItems(db, engine, memoryId, refs),
    pageItems: (connection, query, page) => pageItems(db, memoryId, connection, query, page),
    countItems: (connection) => countItems(db, memoryId, connection),
    failedItems: (connection, limit) => failedItems(db, memoryId, connection, limit),
    retryItems: (connection, options) =>
      intents.call('retryItems', memoryId, connection && plainName(connection), options),
    memorizedBetween: (range, page) => memorizedBetween(db, memoryId, range, page),
    dropTombstones: (before) => intents.call('dropTombstones', memoryId, before),
    listBudgets: (provider, account) => listBudgets(db, memoryId, provider, account),
    saveBudget: (provider, account, budget) => intents.call('saveBudget', memoryId, provider, account, budget),
    readFact: (name) => readFact(db, memoryId, name),
    writeFact: (name, value) => intents.call('writeFact', memoryId, name, value),
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
