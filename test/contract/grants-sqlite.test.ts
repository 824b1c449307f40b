import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { inspectDatabase } from '../../src/store/sqlite/database-file.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { toFormat } from '../lib/to-format.ts'
import { describeGrantsContract, sampleGrant } from './store-grants-contract.ts'

async function open(file: string, clock: Clock = systemClock) {
  const store = await openSqliteStore({ file, log: recordingLog().log, clock })
  onTestFinished(() => store.close())
  return store
}

describeGrantsContract('SQLite', (clock) => open(join(temporaryFolder(), 'recalld.db'), clock))

test('of stores of one file that claim at once, one renews', async () => {
  const file = join(temporaryFolder(), 'recalld.db')
  const stores = await Promise.all([open(file), open(file), open(file)])
  const id = await stores[0].grants('account:a').save(sampleGrant)
  const claims = await Promise.all(
    stores.map((store, n) => store.grants('account:a').claim(id, { holder: `holder ${n}`, leaseMs: 60_000 })),
  )
  expect(claims.map(({ outcome }) => outcome).sort()).toEqual(['busy', 'busy', 'claimed'])
})

test('a file of the format before grants gets them, and keeps what it holds', async () => {
  const file = join(temporaryFolder(), 'recalld.db')
  const before = await open(file)
  await before.ledger('account:a').writeFact('whose', 'ada')
  await before.close()
  toFormat(file, 6)
  expect(inspectDatabase(file).counts).not.toHaveProperty('grants')

  const store = await open(file)
  const id = await store.grants('account:a').save(sampleGrant)
  expect(await store.ledger('account:a').readFact('whose')).toBe('ada')
  const copy = join(temporaryFolder(), 'copy.db')
  await store.backup(copy)
  expect(inspectDatabase(copy)).toMatchObject({ problems: [], counts: { grants: 1 } })
  expect(await (await open(copy)).grants('account:a').find(id)).toMatchObject({ id, accountTitle: 'ada@acme.test' })
})
