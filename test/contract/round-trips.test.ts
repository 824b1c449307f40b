import { expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { DelayedServer } from '../bench/delayed-server.ts'
import { OwnPostgres } from '../lib/own-postgres.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { memorize, sampleAccount, sampleItem, sampleUpload } from './store-samples.ts'

const { leftOut } = OwnPostgres
if (leftOut !== undefined) console.warn(`Round trips to PostgreSQL are not counted: ${leftOut}`)

const ACCOUNTS = 16
const ITEMS = 2 * ACCOUNTS
/** Long enough that each answer is waited for. */
const DELAY_MS = 30
/** The goal, of which the claim takes about one. */
const MOST_FOR_AN_ITEM = 4

test.skipIf(leftOut !== undefined)('items of many accounts take few round trips each to claim and store', async () => {
  const server = await OwnPostgres.start()
  onTestFinished(() => server.end())
  const network = await DelayedServer.start(Number(new URL(server.url).port), DELAY_MS)
  onTestFinished(() => network[Symbol.asyncDispose]())
  const delayed = new URL(server.url)
  delayed.port = String(network.port)
  const store = await openPostgresStore({ url: delayed.href, log: recordingLog().log })
  onTestFinished(() => store.close())
  for (let number = 0; number < ACCOUNTS; number++) {
    await store.admin.createAccount(sampleAccount(`a${number}`))
    const scoped = store.scoped({ accountId: `a${number}`, sources: 'all' })
    if (number === 0) await memorize(store, scoped, 'first', ['what all share'])
    for (const name of ['one', 'two']) await scoped.putItem(sampleUpload(name, 'text'))
  }
  const before = network.roundTrips
  const claims = await store.queue.claim({ owner: 'test', limit: ITEMS, leaseMs: 60_000 })
  const outcomes = await Promise.all(claims.map((claim) => store.queue.complete(claim, sampleItem([claim.itemId]))))
  expect(outcomes).toEqual(Array.from({ length: ITEMS }, () => 'stored'))
  const each = (network.roundTrips - before) / ITEMS
  expect(each).toBeLessThan(MOST_FOR_AN_ITEM)
})
