import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { OwnPostgres } from '../lib/own-postgres.ts'
import { startRecalld } from '../lib/recalld-process.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

const { lack } = OwnPostgres
if (lack !== undefined) console.warn(`A start whose database goes away is not tested: ${lack}`)

const WAITING = "select 1 from pg_stat_activity where application_name like 'recalld%' and wait_event_type = 'Lock'"

describe.skipIf(lack !== undefined)('a database that goes away while a service starts', () => {
  let server: OwnPostgres
  beforeAll(async () => {
    server = await OwnPostgres.start()
  })
  afterAll(() => server?.end())

  /** A database with the tables of recalld, in which nobody reads or writes one of them. */
  async function databaseWithout(table: string): Promise<string> {
    const name = `without_${table}`
    await server.query(`create database ${name}`)
    const url = server.url.replace('/postgres?', `/${name}?`)
    const store = await openPostgresStore({ url, log: recordingLog().log })
    await store.close()
    const holder = new pg.Client({ connectionString: url, application_name: 'test' })
    // It ends with the server.
    holder.on('error', () => undefined)
    onTestFinished(() => holder.end().catch(() => undefined))
    await holder.connect()
    await holder.query(`begin; lock table ${table} in access exclusive mode`)
    return url
  }

  test.each([
    ['its first account is to be made', 'account'],
    ['its first link is to be made', 'sign_in_link'],
    ['its account is made and its work is looked for', 'job'],
  ])('is waited for again when %s, and what was made once is shown', async (_, table) => {
    const home = temporaryFolder()
    const starting = startRecalld({ RECALLD_HOME: home, RECALLD_DATABASE_URL: await databaseWithout(table) })
    await until(async () => (await server.query(WAITING)).length > 0)
    await server.restart('immediate')
    const { greeting, stop } = await starting
    const { code, stderr } = await stop()
    expect(greeting).toMatch(/rk_[\w-]+/)
    expect(greeting).toContain('Open the app: ')
    // What looks for work beside the start may be what waited, and outlives the outage.
    if (table !== 'job') expect(stderr).toContain('the database connection was lost during startup')
    expect(code).toBe(0)
  })
})
