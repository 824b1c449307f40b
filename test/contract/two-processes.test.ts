import { expect, onTestFinished, test } from 'vitest'
import type { Clock } from '../../src/lib/clock.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { sharedBudget } from '../../src/sync/request-budget.ts'
import { giveAccess, never, oauthHome, openAccess } from '../lib/oauth-engine.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recordingLog } from '../lib/recording-log.ts'

const server = await postgresServer()
const HOUR = 3_600_000

/** Stores that know of each other by the database alone, as those of two processes. */
async function twoStores(clock: Clock) {
  const url = await server.clearedDatabase()
  const { log } = recordingLog()
  const open = async () => {
    const store = await openPostgresStore({ url, mostConnections: 3, log, clock })
    onTestFinished(() => store.close())
    return store
  }
  return [await open(), await open()] as const
}

test('callers of two processes who need a token at once have it renewed by one request', async () => {
  const home = await oauthHome()
  const [here, there] = await twoStores(home.clock)
  await giveAccess(home, await home.open({ store: here }))
  home.clock.advance(HOUR - 60_000)
  const engines = await Promise.all([home.open({ store: here }), home.open({ store: there })])
  const accesses = await Promise.all(engines.map((engine) => openAccess(engine)))
  const callers = Array.from({ length: 5 }, () => accesses).flat()
  const tokens = await Promise.all(callers.map((access) => access.accessToken(never)))
  expect(new Set(tokens).size).toBe(1)
  expect(home.server.accepts(tokens[0] ?? '')).toBe(true)
  expect(home.server.count('token', 'refresh_token')).toBe(1)
})

test('a process with another secret key says so, and leaves what the others sealed as it is', async () => {
  const home = await oauthHome()
  const stranger = await oauthHome()
  const [here, there] = await twoStores(home.clock)
  const engine = await home.open({ store: here })
  await giveAccess(home, engine)
  await giveAccess(stranger, await stranger.open())
  const other = await stranger.open({ store: there })
  await expect(openAccess(other)).rejects.toThrow('it was encrypted with a different secret key')
  home.clock.advance(HOUR)
  expect(home.server.accepts(await (await openAccess(engine)).accessToken(never))).toBe(true)
})

test('a pause that one process was asked for is kept by the other one, which saves what it met itself', async () => {
  const now = new Date('2026-05-04T12:00:00Z')
  const [here, there] = (await twoStores(() => now)).map((store) => store.ledger('account:a'))
  if (here === undefined || there === undefined) throw new Error('two ledgers')
  const [one, other] = [here, there].map((ledger) => sharedBudget(ledger, 'slack', 'T1'))
  const until = new Date(now.getTime() + 30_000)
  await one?.refresh(now)
  await one?.holdUntil('history', until, now, true)
  await other?.refresh(now)
  expect(other?.nextTurn('history', now.getTime())).toBe(until.getTime())
  await other?.spaceOut('history', 1_000, true)
  await other?.holdUntil('history', new Date(now.getTime() + 5_000), now, true)
  expect(await here.listBudgets('slack', 'T1')).toMatchObject([{ api: 'history', notBefore: until, intervalMs: 1_000 }])
})
