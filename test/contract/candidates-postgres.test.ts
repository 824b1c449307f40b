import { expect, onTestFinished, test } from 'vitest'
import type { CandidateSource } from '../../src/store/engine.ts'
import { Connections } from '../../src/store/postgres/connections.ts'
import { postgresCandidates } from '../../src/store/postgres/postgres-candidates.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Db } from '../../src/store/schema.ts'
import type { Store } from '../../src/store/store.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { describeCandidateSourceContract } from './candidate-source-contract.ts'
import { followAccount, outsideCandidates } from './outside-candidates.ts'
import { OutsideEngine } from './outside-engine.ts'
import { memorize, sampleAccount, sampleItem, sampleUpload } from './store-samples.ts'

const server = await postgresServer()
const { log } = recordingLog()

async function open() {
  const url = await server.clearedDatabase()
  const store = await openPostgresStore({ url, mostConnections: 3, log })
  const connections = new Connections({ url, most: 2, statementTimeoutMs: 10_000 }, log)
  onTestFinished(async () => void (await Promise.all([store.close(), connections.close()])))
  const { db } = connections
  const accountKey = async (accountId: string) => {
    const account = db.selectFrom('account').select('account_key').where('account_id', '=', accountId)
    return (await account.executeTakeFirstOrThrow()).account_key
  }
  return { url, store, db, accountKey }
}

const accountKeys = async (db: Db) =>
  (await db.selectFrom('account').select('account_key').execute()).map(({ account_key }) => account_key)

describeCandidateSourceContract('PostgreSQL', async () => {
  const opened = await open()
  return { ...opened, candidates: postgresCandidates(opened.db), caughtUp: async () => undefined }
})

describeCandidateSourceContract('an engine beside it', async () => {
  const opened = await open()
  const engine = new OutsideEngine()
  const caughtUp = async () => {
    for (const key of await accountKeys(opened.db)) await followAccount(opened.db, engine, key)
  }
  return { ...opened, candidates: outsideCandidates(opened.db, engine), caughtUp }
})

/** An account with an item that was replaced, one that was deleted, and one that is as it was. */
async function withHistory() {
  const { url, store, db, accountKey } = await open()
  await store.admin.createAccount(sampleAccount('a'))
  const key = await accountKey('a')
  const a = store.scoped({ accountId: 'a', sources: 'all' })
  const engine = new OutsideEngine()
  for (const item of ['one', 'two', 'three']) await memorize(store, a, item, [`red ${item}`, `blue ${item}`])
  const change = async () => {
    await memorize(store, a, 'one', ['red four'], { onConflict: 'replace' })
    await a.deleteItem({ itemId: 'two', sourceType: 'text' })
  }
  return { url, store, db, key, a, engine, change }
}

async function found(candidates: CandidateSource, accountKey: number): Promise<number[]> {
  const { frequencies } = await candidates.termStatistics(accountKey, ['red'])
  const terms = [{ term: 'red', weight: 1, frequency: frequencies.get('red') ?? 0 }]
  const query = { accountKey, sources: 'all', since: undefined, until: undefined, limit: 10, terms } as const
  return (await candidates.lexical(query)).map(({ chunkId }) => chunkId)
}

test('nothing is lost or doubled in an engine wherever the one who feeds it is killed, and what is deleted leaves it', async () => {
  const { db, key, change } = await withHistory()
  // To add what is new, to acknowledge it, to remove what was replaced and what was deleted.
  const engines = Array.from({ length: 4 }, () => new OutsideEngine())
  for (const engine of engines) await followAccount(db, engine, key)
  await change()
  const wanted = await found(postgresCandidates(db), key)
  expect(wanted).toHaveLength(2)
  for (const [calls, engine] of engines.entries()) {
    engine.callsLeft = calls
    await expect(followAccount(db, engine, key)).rejects.toThrow('The engine is gone')
    engine.callsLeft = Number.POSITIVE_INFINITY
    await followAccount(db, engine, key)
    expect(await found(outsideCandidates(db, engine), key)).toEqual(wanted)
    expect(engine.counts(key, [])).toMatchObject({ chunks: 3 })
  }
})

test('an engine that lost everything is fed again from the beginning', async () => {
  const { db, key, engine, change } = await withHistory()
  await change()
  await followAccount(db, engine, key)
  const again = new OutsideEngine()
  await followAccount(db, again, key)
  expect(again.ranges(key)).toEqual(engine.ranges(key))
  expect(await found(outsideCandidates(db, again), key)).toEqual(await found(postgresCandidates(db), key))
})

test('the database is asked until the engine has the newest commit of the account', async () => {
  const { store, db, key, a, engine } = await withHistory()
  await followAccount(db, engine, key)
  await memorize(store, a, 'late', ['red late'])
  const candidates = outsideCandidates(db, engine)
  expect(await found(candidates, key)).toHaveLength(4)
  expect(engine.counts(key, [])).toMatchObject({ chunks: 6 })
  await followAccount(db, engine, key)
  expect(await found(candidates, key)).toHaveLength(4)
  expect(engine.counts(key, [])).toMatchObject({ chunks: 7 })
})

test('commits of many workers on one account are all seen, though the engine looks all the time', async () => {
  const { url, store, db, key, a, engine } = await withHistory()
  const other = await openPostgresStore({ url, mostConnections: 3, log })
  onTestFinished(() => other.close())
  let isOver = false
  const following = (async () => {
    while (!isOver) await followAccount(db, engine, key)
  })()
  const items = Array.from({ length: 12 }, (_, n) => `item ${n}`)
  for (const item of items) await a.putItem(sampleUpload(item, item))
  const work = async (one: Store) => {
    for (;;) {
      const claims = await one.queue.claim({ owner: 'test', limit: 3, leaseMs: 60_000 })
      if (claims.length === 0) return
      await Promise.all(claims.map((claimed) => one.queue.complete(claimed, sampleItem([claimed.itemId]))))
    }
  }
  await Promise.all([work(store), work(other)])
  await work(store)
  isOver = true
  await following
  await followAccount(db, engine, key)
  expect(engine.counts(key, [])).toMatchObject({ chunks: 6 + items.length })
})
