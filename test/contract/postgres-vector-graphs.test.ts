import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { packagePath } from '../../src/lib/files.ts'
import { Connections } from '../../src/store/postgres/connections.ts'
import { nearestVectors } from '../../src/store/postgres/nearest-vectors.ts'
import { postgresEngine } from '../../src/store/postgres/postgres-engine.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { DatabaseClock, Transactions } from '../../src/store/postgres/transactions.ts'
import { VectorGraphs } from '../../src/store/postgres/vector-graphs.ts'
import { vectorWriter } from '../../src/store/postgres/vector-writer.ts'
import { seededRandom } from '../bench/corpus.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

const server = await postgresServer()
const others = await postgresServer()
const MIGRATIONS = packagePath('src/store/migrations/postgres')
const LARGE = 7
const SMALL = 8
const SPACE = 1_000
const DIMENSIONS = 8
const MOST_COMPARED = 500
const GRAPH = `embedding_${SPACE}_graph_${LARGE}`
const random = seededRandom(5)
const { log } = recordingLog()

let url: string
let connections: Connections
beforeAll(async () => {
  url = await server.clearedDatabase()
  await (await openPostgresStore({ url, log })).close()
  connections = new Connections({ url, most: 3, statementTimeoutMs: 60_000 }, log)
  await sql`insert into space (space_key, space_id) values (${SPACE}, 'space')`.execute(connections.db)
  await connections.db.transaction().execute((db) => vectorWriter.prepare(db, SPACE, DIMENSIONS))
  await addAccount(LARGE, 2_000)
  await addAccount(SMALL, 100)
})
afterAll(() => connections.close())

async function addAccount(accountKey: number, vectors: number): Promise<void> {
  await sql`
    insert into account (account_key, account_id, user_id, name, time_zone, plan, billing_status, created_at, chunk_count)
    values (${accountKey}, ${`a${accountKey}`}, ${`u${accountKey}`}, '', 'UTC', 'none', 'active', 0, ${vectors})`.execute(
    connections.db,
  )
  const rows = Array.from({ length: vectors }, (_, place) => {
    return { chunkId: accountKey * 10_000 + place, source: 1, at: place, vector: direction(DIMENSIONS) }
  })
  await vectorWriter.add(connections.db, accountKey, SPACE, rows)
}

function direction(dimensions: number): Int8Array {
  return Int8Array.from({ length: dimensions }, () => Math.round((random() - 0.5) * 254))
}

function openGraphs(): VectorGraphs {
  const commands = new Transactions(connections, postgresEngine, new DatabaseClock(), {})
  const graphs = new VectorGraphs({ url, db: connections.db, commands, log, mostCompared: MOST_COMPARED })
  onTestFinished(() => graphs.stop())
  return graphs
}

async function graphs(): Promise<unknown[]> {
  const { rows } = await sql<{ name: string; valid: boolean }>`
    select relname as name, indisvalid as valid from pg_index join pg_class on pg_class.oid = indexrelid
    where relname like 'embedding%graph%' order by 1`.execute(connections.db)
  return rows
}

test('only an account with more vectors than are compared gets a graph, and its questions find the nearest by it', async () => {
  await openGraphs().update()
  expect(await graphs()).toEqual([{ name: GRAPH, valid: true }])
  const search = { spaceKey: SPACE, chunks: 2_000 }
  let found = 0
  for (let asked = 0; asked < 10; asked++) {
    const vector = Float32Array.from(direction(DIMENSIONS))
    const query = { accountKey: LARGE, spaceId: '-', vector, limit: 20, sources: 'all' as const }
    const ask = (mostCompared: number) =>
      nearestVectors(connections.db, { ...query, since: undefined, until: undefined }, { ...search, mostCompared })
    const [byGraph, exact] = [await ask(MOST_COMPARED), await ask(2_000)]
    expect(byGraph).toHaveLength(20)
    found += exact.filter(({ chunkId }) => byGraph.some((hit) => hit.chunkId === chunkId)).length
  }
  expect(found).toBeGreaterThanOrEqual(190)
})

test('a graph that was left half made is made again, and one of an account that shrank is removed', async () => {
  await openGraphs().update()
  await sql`update pg_index set indisvalid = false where indexrelid = ${GRAPH}::regclass`.execute(connections.db)
  await openGraphs().update()
  expect(await graphs()).toEqual([{ name: GRAPH, valid: true }])
  onTestFinished(async () => {
    await sql`update account set chunk_count = 2000 where account_key = ${LARGE}`.execute(connections.db)
  })
  await sql`update account set chunk_count = 300 where account_key = ${LARGE}`.execute(connections.db)
  await openGraphs().update()
  expect(await graphs()).toEqual([{ name: GRAPH, valid: true }])
  await sql`update account set chunk_count = 200 where account_key = ${LARGE}`.execute(connections.db)
  await openGraphs().update()
  expect(await graphs()).toEqual([])
})

test('vectors too long for an index row are found by their signs and compared', async () => {
  const [long, spaceKey] = [1_536, SPACE + 1]
  await connections.db.transaction().execute((db) => vectorWriter.prepare(db, spaceKey, long))
  const rows = Array.from({ length: 400 }, (_, chunkId) => {
    return { chunkId, source: 1, at: chunkId, vector: direction(long) }
  })
  await vectorWriter.add(connections.db, LARGE, spaceKey, rows)
  const near = rows[123]!.vector.map((value, place) => (place % 3 === 0 ? -value : value))
  const query = { accountKey: LARGE, spaceId: '-', vector: Float32Array.from(near), sources: 'all' as const, limit: 3 }
  const hits = await nearestVectors(connections.db, { ...query, since: 100, until: undefined }, { spaceKey })
  expect(hits).toHaveLength(3)
  expect(hits[0]?.chunkId).toBe(123)
  expect(hits[0]!.score).toBeGreaterThan(0.2)
  expect(hits[1]!.score).toBeLessThan(0.2)
})

test('vectors of an older version, in a graph that all accounts shared, are found after the migration', async () => {
  const folder = temporaryFolder()
  for (const name of readdirSync(MIGRATIONS).sort().slice(0, 14))
    copyFileSync(join(MIGRATIONS, name), join(folder, name))
  const olderUrl = await others.emptyDatabase()
  const openWith = (migrations?: string) => openPostgresStore({ url: olderUrl, log, ...(migrations && { migrations }) })
  await (await openWith(folder)).close()
  const olderConnections = new Connections({ url: olderUrl, most: 2, statementTimeoutMs: 60_000 }, log)
  onTestFinished(() => olderConnections.close())
  const { db } = olderConnections
  for (const [spaceKey, dimensions] of [
    [1, 8],
    [2, 1_536],
  ] as const) {
    const table = sql.table(`embedding_${spaceKey}`)
    await sql`create table ${table} partition of embedding for values in (${sql.lit(spaceKey)})`.execute(db)
    await sql`create index ${sql.id(`embedding_${spaceKey}_nearest`)} on ${table}
      using hnsw ((embedding::halfvec(${sql.lit(dimensions)})) halfvec_cosine_ops)`.execute(db)
    await sql`insert into embedding (account_key, chunk_id, space_key, source, at, embedding)
      select ${LARGE}, n, ${spaceKey}, 1, n, array_fill(-1.0, array[n]) || array_fill(1.0, array[${dimensions} - n])
      from generate_series(1, 7) as n`.execute(db)
  }
  await (await openWith()).close()
  for (const [spaceKey, dimensions] of [
    [1, 8],
    [2, 1_536],
  ] as const) {
    const vector = Float32Array.from({ length: dimensions }, (_, place) => (place < 3 ? -1 : 1))
    const query = { accountKey: LARGE, spaceId: '-', vector, sources: 'all' as const, limit: 2 }
    const hits = await nearestVectors(db, { ...query, since: undefined, until: 5 }, { spaceKey })
    expect(hits.map(({ chunkId }) => chunkId)).toEqual([3, 4])
    const { rows } = await sql<{ name: string }>`
      select indexname as name from pg_indexes where tablename = ${`embedding_${spaceKey}`} order by 1`.execute(db)
    expect(rows.map(({ name }) => name)).toEqual([`embedding_${spaceKey}_compared`, `embedding_${spaceKey}_pkey`])
  }
})
