import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll } from 'vitest'
import { CLEAR, EMPTY } from './clear-tables.ts'
import { type PgliteDatabase, pgliteDatabase } from './pglite-database.ts'

/**
 * A database of PostgreSQL: of the server that `RECALLD_TEST_DATABASE_URL` names or that runs for all tests
 * (`started-postgres.ts`), else of a PGlite in this process.
 */
export interface PostgresServer {
  /** Without tables: stores of earlier calls must be closed. */
  emptyDatabase(): Promise<string>
  /** The same with the tables that are there, if any, and no rows: making them anew takes a second. */
  clearedDatabase(): Promise<string>
}

/** For the tests of a file, and given back after them. */
export async function postgresServer(): Promise<PostgresServer> {
  const server = await ownPostgres()
  afterAll(() => server[Symbol.asyncDispose]())
  return server
}

/** One that the caller gives back. */
export async function ownPostgres(): Promise<PostgresServer & AsyncDisposable> {
  const { RECALLD_TEST_DATABASE_URL: named, RECALLD_TEST_STARTED_SERVER: started } = process.env
  const url = named ?? started
  return url === undefined ? pgliteServer() : realServer(url)
}

interface IdleDatabase {
  readonly database: PgliteDatabase
  /** Whether its tables may be others than those of a store. */
  readonly isChanged: boolean
}

/** Of files and tests that have ended: a new PGlite compiles what it runs, for seconds. They end with the process. */
const idle: IdleDatabase[] = []

async function pgliteServer(): Promise<PostgresServer & AsyncDisposable> {
  const { database, isChanged } = idle.pop() ?? { database: await pgliteDatabase(), isChanged: false }
  const { url } = database
  let isOfOthers = isChanged
  let isOwn = false
  return {
    async emptyDatabase() {
      isOfOthers = false
      isOwn = true
      await database.run(EMPTY)
      return url
    },
    async clearedDatabase() {
      await database.run(isOfOthers ? EMPTY : CLEAR)
      isOfOthers = false
      return url
    },
    async [Symbol.asyncDispose]() {
      await database.reset()
      idle.push({ database, isChanged: isOfOthers || isOwn })
    },
  }
}

async function realServer(server: string): Promise<PostgresServer & AsyncDisposable> {
  const name = `recalld_test_${process.pid}_${randomUUID().slice(0, 8)}`
  await run(server, `create database ${name}`)
  const database = new URL(server)
  database.pathname = `/${name}`
  // Kept for the file: a new one reads anew what every table is, for ten times as long as to clear them takes.
  const session = keptSession(database.href)
  let isNew = true
  return {
    async emptyDatabase() {
      isNew = false
      await session.run(EMPTY)
      return database.href
    },
    async clearedDatabase() {
      if (!isNew) await session.run(CLEAR)
      isNew = false
      return database.href
    },
    async [Symbol.asyncDispose]() {
      await session.end()
      await run(server, `drop database ${name} with (force)`)
    },
  }
}

function keptSession(url: string) {
  let kept: Promise<pg.Client> | undefined
  const forget = () => {
    kept = undefined
  }
  return {
    async run(statements: string): Promise<void> {
      kept ??= connect(url, forget)
      kept.catch(forget)
      await (await kept).query(statements)
    },
    end: async () => (await kept)?.end(),
  }
}

async function run(url: string, statements: string): Promise<void> {
  const client = await connect(url)
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}

/** @param ended when the server ends the session, as tests of outages have it do */
async function connect(url: string, ended: () => void = () => undefined): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', ended)
  await client.connect()
  return client
}
