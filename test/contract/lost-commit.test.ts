import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { OwnPostgres } from '../lib/own-postgres.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { SeverableLink } from '../lib/severable-link.ts'
import { until } from '../lib/until.ts'
import { sampleAccount } from './store-samples.ts'

const { lack } = OwnPostgres
if (lack !== undefined) console.warn(`Commits whose answers are lost are not tested: ${lack}`)

const COMMITTING = "select 1 from pg_stat_activity where query = 'commit' and state = 'active'"
/** Commits that write to a table wait until nobody holds this lock. */
const HELD = 'pg_advisory_xact_lock(1, 1)'

describe.skipIf(lack !== undefined)('when the answer to a commit is lost', () => {
  let server: OwnPostgres
  beforeAll(async () => {
    server = await OwnPostgres.start()
  })
  afterAll(() => server?.end())

  /** A store behind a link that breaks while a commit that wrote to `table` is under way. */
  async function storeLosing(table: string) {
    const stack = new AsyncDisposableStack()
    const link = stack.use(await SeverableLink.to(Number(new URL(server.url).port)))
    const address = new URL(server.url)
    address.port = String(link.port)
    const store = await openPostgresStore({ url: address.href, mostConnections: 1, log: recordingLog().log })
    stack.defer(() => store.close())
    await server.query(`
      create or replace function wait_in_commit() returns trigger language plpgsql as
        $$ begin perform ${HELD}; return null; end $$;
      create constraint trigger wait_in_commit after insert or update on ${table}
        deferrable initially deferred for each row execute function wait_in_commit()`)
    stack.defer(async () => void (await server.query(`drop trigger wait_in_commit on ${table}`)))
    const accountId = `of-${table}`
    await store.admin.createAccount(sampleAccount(accountId))
    return { store, link, accountId, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  }

  /** Loses the answer to the commit of `write`, which goes on at the server. */
  async function losing(link: SeverableLink, write: () => Promise<void>): Promise<void> {
    const holding = server.query(`begin; select ${HELD}; select pg_sleep(600)`).catch(() => undefined)
    const isHeld = "select 1 from pg_stat_activity where query like 'begin; select pg_adv%' and wait_event = 'PgSleep'"
    await until(async () => (await server.query(isHeld)).length > 0)
    const writing = write()
    await until(async () => (await server.query(COMMITTING)).length > 0)
    link.reset()
    await server.query("select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'")
    await Promise.all([writing, holding])
  }

  test('what was used is counted once', async () => {
    await using losingStore = await storeLosing('usage')
    const { store, link, accountId } = losingStore
    const count = { accountId, keyId: `${accountId}-key`, day: '2026-03-04', metric: 'upload', count: 3 } as const
    await losing(link, () => store.admin.addUsage([count]))
    expect(await store.admin.usage(accountId, '2026-03-01')).toEqual(new Map([['upload', 3]]))
  })

  test('what happened is told once', async () => {
    await using losingStore = await storeLosing('activity')
    const { store, link, accountId } = losingStore
    const entry = { kind: 'account_created', name: 'Ada' } as const
    const noted = { accountId, at: new Date(), actor: { type: 'server' }, entry } as const
    await losing(link, () => store.activity.add([noted]))
    const { activity } = store.scoped({ accountId, sources: 'all' })
    expect(await activity.page({ limit: 10 })).toHaveLength(1)
  })
})
