import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inspectServer } from '../../src/store/postgres/inspect-server.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { OwnPostgres } from '../lib/own-postgres.ts'
import { recordingLog } from '../lib/recording-log.ts'

const { leftOut } = OwnPostgres
if (leftOut !== undefined) console.warn(`What a server of PostgreSQL tells of itself is not tested: ${leftOut}`)

describe.skipIf(leftOut !== undefined)('what is told of a server of PostgreSQL', () => {
  let server: OwnPostgres
  beforeAll(async () => {
    server = await OwnPostgres.start()
  })
  afterAll(() => server?.end())

  test('counts the connections of all users, also for one who may not see them', async () => {
    await server.query('create role plain login')
    const others = Array.from({ length: 5 }, () => new pg.Client({ connectionString: server.url }))
    await Promise.all(others.map((client) => client.connect()))
    const url = new URL(server.url)
    url.username = 'plain'
    const { connections } = await inspectServer(url.href)
    expect(connections.used).toBeGreaterThanOrEqual(others.length + 1)
    expect(connections.most).toBeGreaterThan(connections.used)
    await Promise.all(others.map((client) => client.end()))
  })

  test('is what a user has to do who may not make what recalld needs, and then it opens', async () => {
    await server.query('create role owner login')
    await server.query('create database own owner owner')
    const url = new URL(server.url)
    const asAdministrator = new URL(url)
    asAdministrator.pathname = '/own'
    url.pathname = '/own'
    url.username = 'owner'
    const { log } = recordingLog()
    await expect(openPostgresStore({ url: url.href, log })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Run "create extension vector" as an administrator'),
    })
    const client = new pg.Client({ connectionString: asAdministrator.href })
    await client.connect()
    await client.query('create extension vector')
    await client.end()
    const store = await openPostgresStore({ url: url.href, log })
    await store.check()
    await store.close()
  })
})
