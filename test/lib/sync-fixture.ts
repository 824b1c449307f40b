import { afterAll, beforeAll } from 'vitest'
import type { Memory, Upload } from '../../src/domain/memory.ts'
import { bindMemory } from '../../src/service/bind-memory.ts'
import type { Ledger, LedgerItem } from '../../src/store/ledger/ledger.ts'
import type { RunOptions, SyncEnvironment } from '../../src/sync/connection.ts'
import type { RunReport } from '../../src/sync/run-report.ts'
import { syncConnection } from '../../src/sync/sync-connection.ts'
import { type MovableClock, movableClock } from '../contract/store-contract.ts'
import { type Script, scriptedConnection } from './scripted-connector.ts'
import { type RunningService, startService } from './start-service.ts'
import { syncEnvironment, type TestEnvironment } from './sync-environment.ts'

/** A memory that tells what was asked of it, and fails when a test says so. */
export interface WatchedMemory extends Memory {
  /** `memorize a`, `forget a`, `list`, in order. */
  readonly calls: string[]
  readonly uploads: Upload[]
  fault: ((call: string) => Error | undefined) | undefined
}

export interface SyncFixture {
  readonly script: Script
  readonly ledger: Ledger
  readonly memory: WatchedMemory
  readonly clock: MovableClock
  readonly environment: TestEnvironment
  /** One run of the scripted connection. */
  sync(options?: Partial<RunOptions>, environment?: Partial<SyncEnvironment>): Promise<RunReport>
  /** What the memory holds, by item id, without front matter. */
  held(): Promise<Record<string, string>>
  row(itemId: string): Promise<LedgerItem | undefined>
}

export const MAIN = { connector: 'scripted', name: 'main' }
export const never = new AbortController().signal

export function syncFixture(parts: {
  memory: Memory
  ledger: Ledger
  clock: MovableClock
  script?: Script
}): SyncFixture {
  const { ledger, clock, script = {} } = parts
  const memory = watched(parts.memory)
  const environment = syncEnvironment({ ledger, memory, clock })
  return {
    script,
    ledger,
    memory,
    clock,
    environment,
    sync: (options = {}, more = {}) =>
      syncConnection(scriptedConnection(script), { ...environment, ...more }, { signal: never, ...options }),
    async held() {
      const { files } = await parts.memory.list({ sourceType: 'text', limit: 10_000 })
      const texts = files.map(async ({ item_id: itemId }) => {
        const { body } = await parts.memory.download({ itemId, sourceType: 'text' })
        return [itemId, new TextDecoder().decode(body).replace(/^---\n.*?\n---\n\n/s, '')] as const
      })
      return Object.fromEntries(await Promise.all(texts))
    },
    async row(itemId) {
      return [...(await ledger.findItems([{ sourceType: 'text', itemId }])).values()][0]
    },
  }
}

/** The service in process for one file of tests; every fixture is an account of its own. */
export function syncService(): { fixture(script?: Script): Promise<SyncFixture> } {
  const clock = movableClock()
  let running: RunningService | undefined
  beforeAll(async () => {
    running = await startService({ work: false, clock })
  })
  afterAll(() => running?.stop())
  return {
    async fixture(script = {}) {
      const { service, store } = running!
      const { key, accountId } = await service.accounts.create({ name: 'Ada', userName: 'Ada Lovelace' })
      const memory = bindMemory(service, () => service.authenticate(key))
      return syncFixture({ memory, ledger: store.ledger(`account:${accountId}`), clock, script })
    },
  }
}

function watched(memory: Memory): WatchedMemory {
  const watch = async <T>(call: string, answer: () => Promise<T>): Promise<T> => {
    self.calls.push(call)
    const error = self.fault?.(call)
    if (error !== undefined) throw error
    return answer()
  }
  const self: WatchedMemory = {
    calls: [],
    uploads: [],
    fault: undefined,
    memorize(upload: Upload) {
      self.uploads.push(upload)
      return watch(`memorize ${upload.itemId}`, () => memory.memorize(upload))
    },
    forget: (ref) => watch(`forget ${ref.itemId}`, () => memory.forget(ref)),
    list: (query) => watch(query.limit === 1 ? 'prove' : 'list', () => memory.list(query)),
    download: (ref) => watch(`download ${ref.itemId}`, () => memory.download(ref)),
    recall: (query) => memory.recall(query),
    ask: (question) => memory.ask(question),
    recent: (query) => memory.recent(query),
    open: (query) => memory.open(query),
  }
  return self
}
