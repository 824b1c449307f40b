import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Connector, SourceItem } from '../../src/connector/connector.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { syncConnection } from '../../src/sync/sync-connection.ts'
import { MADE_UP_DOCUMENTATION, MADE_UP_LISTING } from '../lib/made-up-documentation.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { syncEnvironment } from '../lib/sync-environment.ts'
import { forgetfulMemory, usedMiB } from './forgetful-memory.ts'

/**
 * Prints how many MiB are in use after 10,000 and after 100,000 items of one run, with the real ledger and a memory that
 * keeps nothing: what grows would be the runner's. Run with --expose-gc.
 */
const FEW = 10_000
const MANY = 100_000

const home = mkdtempSync(join(tmpdir(), 'recalld-bench-'))
const store = await openSqliteStore({ file: join(home, 'recalld.db'), log: recordingLog().log })
const used = { few: 0, many: 0 }
const environment = syncEnvironment({ ledger: store.ledger('account:bench'), memory: forgetfulMemory() })
const report = await syncConnection({ connector: manyItems(), config: { name: 'bench' } }, environment, {
  signal: new AbortController().signal,
})
await store.close()
rmSync(home, { recursive: true, force: true })
if (report.memorized !== MANY) throw new Error(JSON.stringify(report))
process.stdout.write(JSON.stringify(used))

function manyItems(): Connector {
  const item = (number: number): SourceItem => ({
    sourceType: 'text',
    itemId: `bench:${number}`,
    revision: '1',
    title: `Item ${number}`,
    body: `What item ${number} says. `.repeat(80),
  })
  return {
    manifest: {
      id: 'bench',
      title: 'Bench',
      sourceTypes: ['text'],
      auth: 'none',
      config: z.strictObject({ name: z.string() }),
      cursor: z.number(),
      schedule: '0 * * * *',
      deletions: 'feed',
      inventoryEveryMs: 0,
      vanished: 'forget',
      provider: 'bench',
      version: 1,
      quietPeriodMs: 0,
      selection: () => null,
      listing: MADE_UP_LISTING,
      documentation: MADE_UP_DOCUMENTATION,
    },
    check: async () => ({ account: 'bench' }),
    async *partitions() {
      yield { id: 'all', title: 'all' }
    },
    async *changes() {
      for (let number = 1; number <= MANY; number++) {
        yield { type: 'item', item: item(number) }
        if (number % 100 === 0) yield { type: 'checkpoint', cursor: number }
        if (number === FEW) used.few = usedMiB()
      }
      used.many = usedMiB()
    },
    read: async () => undefined,
  }
}
