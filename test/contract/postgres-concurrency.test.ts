import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Connections } from '../../src/store/postgres/connections.ts'
import { postgresEngine } from '../../src/store/postgres/postgres-engine.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { DatabaseClock, Transactions } from '../../src/store/postgres/transactions.ts'
import { accountLocks } from '../../src/store/postgres/write-locks.ts'
import type { FinishedItem } from '../../src/store/queue/complete-item.ts'
import { openS3Blobs } from '../../src/store/s3/s3-blobs.ts'
import type { Store } from '../../src/store/store.ts'
import { startS3Server } from '../fakes/s3-server.ts'
import { CLEAR } from '../lib/clear-tables.ts'
import { OwnPostgres } from '../lib/own-postgres.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { until } from '../lib/until.ts'
import {
  claimOne,
  memorize,
  SPACE,
  sampleAccount,
  sampleItem,
  sampleKey,
  sampleUpload,
  sha256,
} from './store-samples.ts'

const DAY_MS = 86_400_000
const { leftOut } = OwnPostgres
if (leftOut !== undefined) console.warn(`What PostgreSQL does at the same time is not tested: ${leftOut}`)

describe.skipIf(leftOut !== undefined)('at the same time on PostgreSQL', () => {
  let server: OwnPostgres
  beforeAll(async () => {
    server = await OwnPostgres.start()
  })
  afterAll(() => server?.end())

  async function open() {
    const { log } = recordingLog()
    const store = await openPostgresStore({ url: server.url, log })
    const connections = new Connections({ url: server.url, most: 4, statementTimeoutMs: 10_000 }, log)
    onTestFinished(async () => {
      await Promise.all([store.close(), connections.close()])
      await server.query(CLEAR)
    })
    await store.admin.createAccount(sampleAccount('a'))
    const scoped = store.scoped({ accountId: 'a', sources: 'all' })
    const transactions = () => new Transactions(connections, postgresEngine, new DatabaseClock())
    return { store, scoped, commands: transactions(), elsewhere: transactions() }
  }

  /** Runs `first` up to where it has to wait for `statement`, then `second` as far as it goes, then both to their ends. */
  async function amid<First, Second>(statement: string, first: () => Promise<First>, second: () => Promise<Second>) {
    const holder = new pg.Client({ connectionString: server.url })
    await holder.connect()
    try {
      await holder.query(`begin; ${statement}`)
      const one = first()
      one.catch(() => undefined)
      await until(async () => (await waiting()) === 1)
      let isOver = false
      const other = second().finally(() => {
        isOver = true
      })
      other.catch(() => undefined)
      await until(async () => isOver || (await waiting()) === 2)
      await holder.query('rollback')
      return [await one, await other] as const
    } finally {
      await holder.end()
    }
  }

  async function waiting(): Promise<number> {
    return (await server.query("select 1 from pg_stat_activity where wait_event_type = 'Lock'")).length
  }

  /** Beside it, the store looks at the format of the tables now and then. */
  async function onlyOneIsUsed(store: Store): Promise<void> {
    const used = () => store.engineStats().connections
    await until(async () => used()?.inUse === 1 && used()?.waiting === 0)
  }

  async function count(table: string): Promise<number> {
    return (await server.query(`select 1 from ${table}`)).length
  }

  async function stagedItem({ store, scoped, commands }: Awaited<ReturnType<typeof open>>) {
    await scoped.putItem(sampleUpload('one', 'text'))
    const lease = await claimOne(store)
    const range = await commands.call('beginStaging', lease, 2)
    if (range === undefined) throw new Error('The claim is void')
    const { chunks, memories, qas, ...item } = sampleItem(['red boats', 'blue boats'])
    const stage = () => commands.call('stagePart', lease, range, { chunks, memories, qas }, SPACE)
    const totals = { memories: memories.length, span: 0 }
    const last = { ...item, chunks: [], memories: [], qas: [] }
    const complete = () =>
      commands.call('completeStaged', { claimed: lease, item: last, refine: false }, { range, totals })
    return { stage, complete }
  }

  test('an item that is shown at this moment keeps all its chunks, though its lease has run out', async () => {
    const parts = await open()
    const { stage, complete } = await stagedItem(parts)
    await stage()
    await server.query('update job set ready_at = 0')
    const sweep = () => parts.commands.call('sweepHidden')
    const [outcome] = await amid('lock table item in share mode', complete, sweep)
    expect(outcome).toBe('stored')
    expect([await count('chunk'), await count('chunk_text'), await count('memory')]).toEqual([2, 2, 2])
  })

  test('nothing is written into a range that is swept at this moment, because its lease has run out', async () => {
    const parts = await open()
    const { stage } = await stagedItem(parts)
    await server.query('update job set ready_at = 0')
    const sweep = () => parts.commands.call('sweepHidden')
    const [, isStaged] = await amid('lock table chunk_text in share mode', sweep, stage)
    expect(isStaged).toBe(false)
    expect([await count('chunk'), await count('chunk_terms'), await count('hidden_range')]).toEqual([0, 0, 0])
  })

  /** What stores an item that waits in the queue, with one commit. */
  async function waitingItem({ store, scoped, commands }: Awaited<ReturnType<typeof open>>) {
    await scoped.putItem(sampleUpload('one', 'text'))
    const lease = await claimOne(store)
    const finished = { claimed: lease, item: sampleItem(['red boats']), refine: false }
    return async () => (await commands.call('completeItems', [finished]))[0]
  }

  test('uploads of an account do not wait while vectors of another of its items are stored', async () => {
    const parts = await open()
    const complete = await waitingItem(parts)
    const order: string[] = []
    const [outcome] = await amid(
      'lock table embedding in share mode',
      () => complete().finally(() => order.push('stored')),
      () => parts.scoped.putItem(sampleUpload('two', 'text')).finally(() => order.push('uploaded')),
    )
    expect(order).toEqual(['uploaded', 'stored'])
    expect(outcome).toBe('stored')
    const [totals] = await server.query('select item_count::int, memory_count::int from account')
    expect(totals).toEqual({ item_count: 2, memory_count: 1 })
  })

  test.each([
    ['at once', waitingItem, 'superseded'],
    ['in parts', async (parts: Awaited<ReturnType<typeof open>>) => (await stagedItem(parts)).stage, false],
  ] as const)('nothing is left of an item that is deleted while it is stored: %s', async (_, begin, nothingStored) => {
    const parts = await open()
    const store = await begin(parts)
    const ref = { itemId: 'one', sourceType: 'text' } as const
    const remove = () => parts.elsewhere.call('deleteItem', parts.scoped.scope, ref)
    expect(await amid<unknown, unknown>('lock table embedding in share mode', store, remove)).toEqual([
      nothingStored,
      { deletedMemories: 0 },
    ])
    while (await parts.commands.call('sweepHidden'));
    for (const table of ['chunk', 'chunk_text', 'chunk_terms', 'embedding', 'memory', 'vocabulary']) {
      expect([table, await count(table)]).toEqual([table, 0])
    }
  })

  test('an item that is deleted while others are stored with it leaves them stored', async () => {
    const parts = await open()
    const finished: FinishedItem[] = []
    for (const itemId of ['one', 'two', 'three']) {
      await parts.scoped.putItem(sampleUpload(itemId, 'text'))
      finished.push({ claimed: await claimOne(parts.store), item: sampleItem([`boat ${itemId}`]), refine: false })
    }
    const store = () => parts.commands.call('completeItems', finished)
    const remove = () => parts.elsewhere.call('deleteItem', parts.scoped.scope, { itemId: 'two', sourceType: 'text' })
    const [outcomes] = await amid('lock table embedding in share mode', store, remove)
    expect(outcomes).toEqual(['stored', 'superseded', 'stored'])
    const [totals] = await server.query('select item_count::int, memory_count::int, chunk_count::int from account')
    expect(totals).toEqual({ item_count: 2, memory_count: 2, chunk_count: 2 })
    const commits = await server.query('select commit_number::int as number from item order by item_key')
    expect(commits[1]?.number).toBe(Number(commits[0]?.number) + 1)
  })

  test('an account that another process holds does not hold up items of others in the same commit', async () => {
    const { store } = await open()
    for (const accountId of ['b', 'c']) await store.admin.createAccount(sampleAccount(accountId))
    const complete = new Map<string, () => Promise<unknown>>()
    for (const accountId of ['a', 'b', 'c']) {
      await store.scoped({ accountId, sources: 'all' }).putItem(sampleUpload('one', 'text'))
      const claim = await claimOne(store)
      complete.set(accountId, () => store.queue.complete(claim, sampleItem([`boats of ${accountId}`])))
    }
    const order: string[] = []
    let ofB: Promise<unknown> | undefined
    await amid(
      `select pg_advisory_xact_lock(${accountLocks(['a'])[0]})`,
      // The first is committed alone, the others share the next commit.
      () => {
        const [c, a, b] = ['c', 'a', 'b'].map((accountId) =>
          complete
            .get(accountId)?.()
            .then(() => order.push(accountId)),
        )
        ofB = b
        return Promise.all([c, a, b])
      },
      async () => ofB,
    )
    expect(order).toEqual(['c', 'b', 'a'])
  })

  test.each(['vector', 'deletion'])(
    'no vector is left of an item that is deleted while one is stored: %s first',
    async (first) => {
      const { store, scoped, commands } = await open()
      await memorize(store, scoped, 'one', ['red boats', 'blue boats'])
      await commands.call('beginSpace', { spaceId: 'other@2', dimensions: 2, model: { model: 'other' }, background: 0 })
      const ids = await server.query('select chunk_id from chunk')
      const vectors = ids.map(({ chunk_id }) => ({ chunkId: Number(chunk_id), vector: Int8Array.of(127, 0) }))
      const fill = () => commands.call('fillSpace', 'other@2', { vectors, floor: { chunkId: 0, epoch: 1 } })
      const remove = () => commands.call('deleteItem', scoped.scope, { itemId: 'one', sourceType: 'text' })
      if (first === 'vector') await amid('lock table space in share mode', fill, remove)
      else await amid('lock table item in share mode', remove, fill)
      expect([await count('chunk'), await count('chunk_vector'), await count('embedding')]).toEqual([0, 0, 0])
    },
  )

  test('a space is dropped when nobody reads any more, and whoever reads meanwhile does not wait for that', async () => {
    const now = { ms: 0 }
    const url = server.url
    const store = await openPostgresStore({ url, log: recordingLog().log, clock: () => new Date(now.ms) })
    const reader = new pg.Client({ connectionString: url })
    onTestFinished(async () => {
      await Promise.all([store.close(), reader.end()])
      await server.query(CLEAR)
    })
    const model = { model: 'other' }
    await store.spaces.begin({ spaceId: 'other@2', dimensions: 2, model, background: 0 })
    await store.spaces.drop('other@2')
    await reader.connect()
    await reader.query('begin; select count(*) from embedding')
    let isOver = false
    const swept = store.spaces.sweep().finally(() => {
      isOver = true
    })
    do expect(await count('embedding')).toBe(0)
    while (!isOver)
    await swept
    expect(await store.spaces.sweep()).toBe(false)
    expect(await store.spaces.list()).toMatchObject([{ spaceId: 'other@2', state: 'dropping' }])
    await reader.query('rollback')
    now.ms += 60_000
    while (await store.spaces.sweep());
    expect(await store.spaces.list()).toEqual([])
    expect(await server.query("select 1 from pg_inherits where inhparent = to_regclass('embedding')")).toEqual([])
  })

  test('a session does not begin with a password that is replaced at this moment', async () => {
    const { commands, elsewhere } = await open()
    await server.query(
      `insert into person (person_id, name, login, login_key, password_hash, is_admin, created_at)
       values ('ada', 'Ada', 'ada', 'ada', 'old', 1, 0)`,
    )
    const session = { hash: sha256('session'), sessionId: 's', personId: 'ada', data: '{}', device: '' }
    const held = `insert into web_session (hash, session_id, person_key, data, device, created_at, seen_at, expires_at)
      select '\\x${session.hash.toString('hex')}', 'other', person_key, '', '', 0, 0, 9e15 from person`
    await amid(
      held,
      () => commands.call('addSession', { ...session, expiresAt: new Date(9e12), passwordHash: 'old' }),
      () => elsewhere.call('setPassword', 'ada', 'new', undefined),
    )
    expect(await count('web_session')).toBe(0)
  })

  test('a refinement whose item is deleted at this moment is not claimed', async () => {
    const { store, scoped, commands } = await open()
    store.refinements.want(true)
    await memorize(store, scoped, 'one', ['red boats'])
    const [, claim] = await amid(
      'lock table refinement_part in share mode',
      () => commands.call('deleteItem', scoped.scope, { itemId: 'one', sourceType: 'text' }),
      () => commands.call('claimRefinement', { leaseMs: 1_000 }),
    )
    expect(claim).toBeUndefined()
  })

  test('writes that wait for one account leave the connections to others', async () => {
    const { store, scoped } = await open()
    const holder = new pg.Client({ connectionString: server.url })
    await holder.connect()
    onTestFinished(() => holder.end())
    await holder.query('begin; lock table item in share mode')
    const puts = Array.from({ length: 20 }, (_, at) => scoped.putItem(sampleUpload(`item ${at}`, 'text')))
    await until(async () => (await waiting()) === 1)
    await onlyOneIsUsed(store)
    await store.check()
    await store.admin.createAccount(sampleAccount('b'))
    await holder.query('rollback')
    const outcomes = await Promise.all(puts)
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['created']))
  })

  test('items of one account that are stored at the same time leave the connections to others', async () => {
    const { store, scoped } = await open()
    const holder = new pg.Client({ connectionString: server.url })
    await holder.connect()
    onTestFinished(() => holder.end())
    for (let at = 0; at < 20; at++) await scoped.putItem(sampleUpload(`item ${at}`, 'text'))
    const claims = await store.queue.claim({ owner: 'test', limit: 20, leaseMs: 60_000 })
    await holder.query('begin; lock table embedding in share mode')
    const stored = claims.map((claim) => store.queue.complete(claim, sampleItem(['red boats'])))
    await until(async () => (await waiting()) === 1)
    await onlyOneIsUsed(store)
    expect(await scoped.putItem(sampleUpload('one more', 'text'))).toMatchObject({ outcome: 'created' })
    await holder.query('rollback')
    expect(new Set(await Promise.all(stored))).toEqual(new Set(['stored']))
  })

  test('claims that come at the same time pass what another one holds', async () => {
    const { store, scoped, commands } = await open()
    for (const name of ['one', 'two']) await scoped.putItem(sampleUpload(name, 'text'))
    const holder = new pg.Client({ connectionString: server.url })
    await holder.connect()
    onTestFinished(() => holder.end())
    await holder.query('begin; select 1 from job order by job_id limit 1 for update')
    const request = { owner: 'test', limit: 2, leaseMs: 60_000 }
    expect((await commands.call('claim', request)).map(({ itemId }) => itemId)).toEqual(['two'])
    await holder.query('rollback')
    expect((await store.queue.claim(request)).map(({ itemId }) => itemId)).toEqual(['one'])
  })

  test('a statement that takes too long is ended, and answered with why', async () => {
    const { log } = recordingLog()
    const connections = new Connections({ url: server.url, most: 1, statementTimeoutMs: 100 }, log)
    onTestFinished(() => connections.close())
    const transactions = new Transactions(connections, postgresEngine, new DatabaseClock())
    await open()
    const holder = new pg.Client({ connectionString: server.url })
    await holder.connect()
    onTestFinished(() => holder.end())
    await holder.query('begin; lock table checked in access exclusive mode')
    await expect(transactions.call('ping')).rejects.toMatchObject({
      code: 'unavailable',
      message: "The database can't be used: it took too long",
    })
  })

  test('writes that come too late in one account are refused as those for whom no connection is free', async () => {
    const { scoped } = await open()
    const holder = new pg.Client({ connectionString: server.url })
    await holder.connect()
    onTestFinished(() => holder.end())
    await holder.query('begin; lock table item in share mode')
    const [first, ...others] = ['one', 'two', 'three'].map((name) => scoped.putItem(sampleUpload(name, 'text')))
    const sentence = "The database can't be used: it is not connected"
    const refused = await Promise.allSettled(others)
    for (const one of refused) expect(one).toMatchObject({ reason: { code: 'unavailable', message: sentence } })
    await holder.query('rollback')
    expect(await first).toMatchObject({ outcome: 'created' })
    expect(await scoped.listItems({ sourceType: 'text', limit: 10, offset: 0 })).toMatchObject({ total: 1 })
  })

  test('an account that another process deleted is not there, whatever this one remembers of it', async () => {
    const { store, commands } = await open()
    await commands.call('createKey', sampleKey('a', 'one'), 10)
    await store.deletions.begin('a', { type: 'server' })
    await until(async () => (await store.deletions.goOn('a')).receipt !== undefined)
    await expect(commands.call('createKey', sampleKey('a', 'two'), 10)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a process whose clock is a day ahead gives up no object that another one is still writing', async () => {
    const s3 = await startS3Server()
    onTestFinished(() => s3[Symbol.asyncDispose]())
    const bodies = { blobs: openS3Blobs(s3.url('recalld'), { tries: 1 }), leastBytes: 1 }
    const { store: other } = await open()
    const store = await openPostgresStore({ url: server.url, log: recordingLog().log, bodies })
    const ahead = await openPostgresStore({ url: server.url, log: recordingLog().log, bodies })
    const sweepAhead = async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS })
      try {
        // Moves nothing, then sweeps.
        for await (const _ of ahead.bodies.move('database'));
      } finally {
        vi.useRealTimers()
      }
    }
    let sweeping: Promise<void> | undefined
    s3.fault = ({ method }) => {
      if (method === 'PUT') sweeping ??= sweepAhead()
      return undefined
    }
    try {
      const writer = store.scoped({ accountId: 'a', sources: 'all' })
      const put = writer.putItem(sampleUpload('note', 'words'), (work) => work().finally(() => sweeping))
      expect(await put).toMatchObject({ outcome: 'created' })
      expect(sweeping).toBeDefined()
      expect(await other.bodies.stats()).toMatchObject({ unfinished: 0, garbage: 0, inStorage: { items: 1 } })
      expect(s3.objects.size).toBe(1)
    } finally {
      await Promise.all([store.close(), ahead.close()])
    }
  })
})
