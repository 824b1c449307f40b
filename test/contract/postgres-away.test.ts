import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ChangeNotifications } from '../../src/store/change-notifications.ts'
import { Connections } from '../../src/store/postgres/connections.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { NotificationChannel } from '../../src/store/postgres/notification-channel.ts'
import { openPostgresStore, openPostgresStoreWhenReachable } from '../../src/store/postgres/postgres-store.ts'
import { createWorker } from '../../src/worker/worker.ts'
import { OwnPostgres } from '../lib/own-postgres.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { SeverableLink } from '../lib/severable-link.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'
import { sampleAccount, sampleUpload } from './store-samples.ts'

const { leftOut } = OwnPostgres
if (leftOut !== undefined) console.warn(`What happens when PostgreSQL goes away is not tested: ${leftOut}`)

describe.skipIf(leftOut !== undefined)('when PostgreSQL goes away', () => {
  let server: OwnPostgres
  beforeAll(async () => {
    server = await OwnPostgres.start()
  })
  afterAll(() => server?.end())

  test('a connection that ends while it is held fails its next statement, and nothing else', async () => {
    const { log } = recordingLog()
    const connections = new Connections({ url: server.url, most: 2, statementTimeoutMs: 1_000 }, log)
    const held = await connections.take()
    await server.restart('immediate')
    await expect(held.run('select 1')).rejects.toMatchObject({ code: 'unavailable' })
    held.release(true)
    const next = await connections.take()
    expect(await next.run('select 1 as one')).toEqual([{ one: 1 }])
    next.release(false)
    await connections.close()
  })

  test('a connection that falls silent is given up by the server too, within half a minute', async () => {
    const { log } = recordingLog()
    const connections = new Connections({ url: server.url, most: 1, statementTimeoutMs: 1_000 }, log)
    const held = await connections.take()
    const seconds = async (setting: string) =>
      Number(Object.values((await held.run(`select setting from pg_settings where name = '${setting}'`))[0] ?? {})[0])
    const [idle, interval, count] = await Promise.all(
      ['tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count'].map(seconds),
    )
    expect((idle ?? 0) + (interval ?? 0) * (count ?? 0)).toBe(25)
    expect(await seconds('tcp_user_timeout')).toBe(25_000)
    held.release(false)
    await connections.close()
  })

  test('a connection to a server that takes no writes any more, as after a failover, is not used again', async () => {
    const { log } = recordingLog()
    const connections = new Connections({ url: server.url, most: 1, statementTimeoutMs: 1_000 }, log)
    const replaced = await connections.take()
    await replaced.run('set default_transaction_read_only = on')
    replaced.release(false)
    const write = () => sql`create table after_failover ()`.execute(connections.db)
    await expect(write()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('read-only') })
    await write()
    await connections.close()
    await server.query('drop table after_failover')
  })

  test('a migration takes as long as it takes, also when another process makes it', async () => {
    const { log } = recordingLog()
    const folder = temporaryFolder()
    writeFileSync(join(folder, '0001-slow.sql'), 'create table slow as select 1 from pg_sleep(6);')
    // A statement that was sent is given up 5 s after the server should have ended it.
    const [one, other] = [1, 2].map(() => new Connections({ url: server.url, most: 1, statementTimeoutMs: 100 }, log))
    if (one === undefined || other === undefined) throw new RangeError('there are two')
    await Promise.all([migrate(one, { folder }), migrate(other, { folder })])
    expect(await server.query('select count(*)::integer as many from slow')).toEqual([{ many: 1 }])
    await Promise.all([one.close(), other.close()])
    await server.query('drop table slow, recalld_format')
  })

  test('a store says so while it is away, and goes on when it is back', async () => {
    const { log } = recordingLog()
    const store = await openPostgresStore({ url: server.url, log })
    await store.admin.createAccount(sampleAccount('a'))
    const scoped = store.scoped({ accountId: 'a', sources: 'all' })
    await server.stop('immediate')
    await expect(scoped.putItem(sampleUpload('one', 'text'))).rejects.toMatchObject({ code: 'unavailable' })
    await server.start()
    await until(() =>
      store.check().then(
        () => true,
        () => false,
      ),
    )
    expect(await scoped.putItem(sampleUpload('one', 'text'))).toMatchObject({ outcome: 'created' })
    await store.close()
  })

  /** Two processes that tell each other; `link` is the network between one of them and the server. */
  async function channels() {
    const link = await SeverableLink.to(Number(new URL(server.url).port))
    const address = new URL(server.url)
    address.port = String(link.port)
    const { log, lines } = recordingLog()
    const open = async (url: string) => {
      const news = new ChangeNotifications()
      const heard: (string | undefined)[] = []
      news.onWork(() => heard.push('work'))
      news.onItems((accountId) => heard.push(accountId))
      const channel = new NotificationChannel(url, news, log)
      await channel.open()
      return { channel, heard }
    }
    const far = await open(server.url)
    const near = await open(address.href)
    onTestFinished(async () => {
      await Promise.all([far.channel.close(), near.channel.close()])
      await link[Symbol.asyncDispose]()
    })
    return { far, near, link, isLost: async () => lines.some(({ message }) => message.includes('was lost')) }
  }

  test('who starts while it is away waits for it, and says for which, without the password', async () => {
    const { log, lines } = recordingLog()
    await server.stop('immediate')
    const url = server.url.replace('recalld@', 'recalld:hidden-word@')
    const opening = openPostgresStoreWhenReachable({ url, log }, new AbortController().signal)
    await until(async () => lines.length > 0)
    await server.start()
    const store = await opening
    await store.check()
    await store.close()
    const database = `${new URL(url).host}/postgres`
    expect(lines[0]).toMatchObject({ level: 'warn', fields: { database }, message: 'waiting for the database' })
    expect(JSON.stringify(lines)).not.toContain('hidden-word')
  })

  test('who waits for it ends at once when that is asked for, also in the middle of a try', async () => {
    await using link = await SeverableLink.to(Number(new URL(server.url).port))
    link.state = 'cut'
    const stop = new AbortController()
    const address = new URL(server.url)
    address.port = String(link.port)
    const opening = openPostgresStoreWhenReachable({ url: address.href, log: recordingLog().log }, stop.signal)
    stop.abort(new Error('enough'))
    await expect(opening).rejects.toThrow('enough')
  })

  test('nobody waits for what no waiting mends', async () => {
    const { signal } = new AbortController()
    const { log, lines } = recordingLog()
    const url = server.url.replace('/postgres?', '/absent?')
    await expect(openPostgresStoreWhenReachable({ url, log }, signal)).rejects.toThrow(
      'there is no database with this name',
    )
    expect(lines).toEqual([])
  })

  test('a notification channel that is cut without a word is made anew, and what could not be told is told then', async () => {
    const { far, near, link, isLost } = await channels()
    link.state = 'cut'
    near.channel.work()
    near.channel.items('a')
    await until(isLost)
    // Of the connection that was given up nothing arrives.
    link.reset()
    link.state = 'whole'
    await until(async () => far.heard.includes('work') && far.heard.includes('a'))
  })

  test('after a notification channel was lost, whoever listens there looks again, for all accounts', async () => {
    const { near } = await channels()
    await server.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'recalld news'")
    await until(async () => near.heard.includes('work') && near.heard.includes(undefined))
  })

  test('what was told just before a notification channel is closed is heard', async () => {
    const { far, near } = await channels()
    near.channel.items('a')
    await near.channel.close()
    await until(async () => far.heard.includes('a'))
  })

  test.each(['open', 'being opened'])(
    'a notification channel that is %s is closed though the network is cut',
    async (how) => {
      const { near, link, isLost } = await channels()
      link.state = 'cut'
      if (how === 'being opened') {
        link.reset()
        await until(isLost)
      }
      await near.channel.close()
    },
  )

  test('what a killed process had hidden is removed by those that go on', async () => {
    const { log } = recordingLog()
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const store = await openPostgresStore({ url: server.url, log })
    await store.queue.claim({ owner: 'one', limit: 1, leaseMs: 60_000 })
    await server.query('insert into hidden_range (first_chunk_id, last_chunk_id, account_key) values (1000, 3000, 1)')
    vi.advanceTimersByTime(60_000)
    await until(async () => (await server.query('select 1 from hidden_range')).length === 0)
    await store.close()
  })

  test('a worker whose database was away for a moment takes its item up again soon', async () => {
    const { log, lines } = recordingLog()
    const store = await openPostgresStore({ url: server.url, log })
    const scoped = store.scoped({ accountId: 'a', sources: 'all' })
    const pipelineModule = new URL('../lib/scripted-pipeline.ts', import.meta.url)
    // Longer than the test: nothing is claimed again because a lease ran out.
    const worker = createWorker({ store, log, modelFolder: 'unused', pipelineModule, leaseMs: 120_000 })
    await worker.start()
    await scoped.putItem(sampleUpload('two', 'slow'))
    // That of the test before is still leased.
    const isClaimed = "select 1 from job join item using (item_key) where item_id = 'two' and lease_token is not null"
    await until(async () => (await server.query(isClaimed)).length > 0)
    await server.stop('immediate')
    await until(async () => lines.some(({ message }) => message === 'an item could not be processed'))
    await server.start()
    const state = "select state from item where item_id = 'two'"
    await until(async () => (await server.query(state))[0]?.state === 'ready')
    expect(lines.filter(({ message }) => message === 'a failure could not be recorded')).toEqual([])
    await worker.stop(5_000)
    await store.close()
  })

  test('a worker whose database was away for longer than its leases gives its item back as not attempted', async () => {
    const { log, lines } = recordingLog()
    const said = (sentence: string) => lines.filter(({ message }) => message === sentence)
    const store = await openPostgresStore({ url: server.url, log })
    const scoped = store.scoped({ accountId: 'a', sources: 'all' })
    const pipelineModule = new URL('../lib/scripted-pipeline.ts', import.meta.url)
    const worker = createWorker({ store, log, modelFolder: 'unused', pipelineModule, leaseMs: 300 })
    await worker.start()
    await scoped.putItem(sampleUpload('three', 'slow'))
    const job = "select attempts, lease_token from job join item using (item_key) where item_id = 'three'"
    await until(async () => (await server.query(job))[0]?.lease_token != null)
    await server.stop('immediate')
    await until(async () => said('an item could not be processed').length > 0)
    // Three of them are a lease.
    await until(async () => said("leases couldn't be extended").length > 4)
    await server.start()
    await until(
      async () => (await server.query("select state from item where item_id = 'three'"))[0]?.state === 'ready',
    )
    expect(said('a failure could not be recorded')).toEqual([])
    await worker.stop(5_000)
    await store.close()
  })
})
