import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { SourceType } from '../../src/domain/source-type.ts'
import { Connections } from '../../src/store/postgres/connections.ts'
import { lexicalCandidates } from '../../src/store/postgres/lexical-candidates.ts'
import { nearestVectors } from '../../src/store/postgres/nearest-vectors.ts'
import { TermFrequencies } from '../../src/store/postgres/postgres-candidates.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { vectorWriter } from '../../src/store/postgres/vector-writer.ts'
import { seededRandom } from '../bench/corpus.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recordingLog } from '../lib/recording-log.ts'

const server = await postgresServer()
const DIMENSIONS = 8
const ACCOUNT = 7
const OTHER = 8
const SPACE_KEY = 1_000
const EMAIL = 2

/** A database with our tables; its rows are put there directly, in numbers that items would take minutes to make. */
async function openDatabase(): Promise<Connections> {
  const { log } = recordingLog()
  const url = await server.clearedDatabase()
  await (await openPostgresStore({ url, log })).close()
  return new Connections({ url, most: 6, statementTimeoutMs: 60_000 }, log)
}

let connections: Connections
beforeAll(async () => {
  connections = await openDatabase()
})
afterAll(() => connections.close())

const anywhere = { sources: 'all' as 'all' | readonly SourceType[], since: undefined, until: undefined }

describe('terms that very many chunks hold', () => {
  const CHUNKS = 60_000
  const terms = ['everywhere', 'often', 'rare', 'late']
  const grow = (chunks: number) =>
    sql`update account set chunk_count = ${chunks} where account_key = ${ACCOUNT}`.execute(connections.db)
  beforeAll(async () => {
    await sql`
      insert into account (account_key, account_id, user_id, name, time_zone, plan, billing_status, created_at, chunk_count)
      values (${ACCOUNT}, 'many', 'ada', 'Many', 'UTC', 'none', 'active', 0, ${CHUNKS})`.execute(connections.db)
    await sql`
      insert into chunk_terms (account_key, chunk_id, source, at, terms)
      select ${ACCOUNT}, n, case when n % 20 = 0 then ${EMAIL} else 1 end, n, array_remove(array[
        hashtextextended('everywhere', ${ACCOUNT}),
        case when n % 10 < 4 then hashtextextended('often', ${ACCOUNT}) end,
        case when n % 12000 = 5 then hashtextextended('rare', ${ACCOUNT}) end,
        case when n > 59000 then hashtextextended('late', ${ACCOUNT}) end
      ], null)
      from generate_series(1, ${CHUNKS}::int) as n`.execute(connections.db)
  })
  const weigh = async (accountKey = ACCOUNT) => {
    const { frequencies } = await new TermFrequencies(connections.db).of(accountKey, terms)
    return terms.map((term, place) => ({ term, weight: 10 ** place, frequency: frequencies.get(term) ?? 0 }))
  }

  test('are counted within a tenth, the others exactly', async () => {
    const [everywhere, often, rare, late] = (await weigh()).map(({ frequency }) => frequency)
    expect(everywhere).toBe(CHUNKS)
    expect(Math.abs(often! - 24_000)).toBeLessThan(2_400)
    expect([rare, late]).toEqual([5, 1_000])
  })

  test('are counted the same among hundreds of others', async () => {
    const others = Array.from({ length: 300 }, (_, n) => `other ${n}`)
    const asked = ['rare', ...others, 'late', 'everywhere']
    const { frequencies } = await new TermFrequencies(connections.db).of(ACCOUNT, asked)
    expect(asked.filter((term) => frequencies.get(term) !== 0)).toEqual(['rare', 'late', 'everywhere'])
    expect(['rare', 'late', 'everywhere'].map((term) => frequencies.get(term))).toEqual([5, 1_000, CHUNKS])
  })

  test('are counted again when the account has grown', async () => {
    const frequencies = new TermFrequencies(connections.db)
    await frequencies.of(ACCOUNT, ['late'])
    onTestFinished(async () => {
      await sql`delete from chunk_terms where chunk_id > ${CHUNKS}`.execute(connections.db)
      await grow(CHUNKS)
    })
    await sql`
      insert into chunk_terms (account_key, chunk_id, source, at, terms)
      select ${ACCOUNT}, n, 1, n, array[hashtextextended('late', ${ACCOUNT})]
      from generate_series(${CHUNKS + 1}::int, ${CHUNKS + 4_000}::int) as n`.execute(connections.db)
    const late = async () => (await frequencies.of(ACCOUNT, ['late'])).frequencies.get('late')
    await grow(CHUNKS + 1_000)
    expect(await late()).toBe(1_000)
    await grow(CHUNKS + 4_000)
    expect(await late()).toBe(5_000)
    expect(await late()).toBe(5_000)
  })

  test('separate what rarer ones found, and fill up with the newest that hold most of them', async () => {
    const query = { accountKey: ACCOUNT, terms: await weigh(), limit: 1_010, ...anywhere }
    const hits = await lexicalCandidates(connections.db, query, CHUNKS)
    const ids = hits.map(({ chunkId }) => chunkId)
    expect(hits.slice(0, 3)).toEqual([60_000, 59_993, 59_992].map((chunkId) => ({ chunkId, score: 1_011 })))
    expect(hits).toHaveLength(1_010)
    expect(new Set(ids).size).toBe(1_010)
    expect(hits.filter(({ score }) => score >= 1_000)).toHaveLength(1_000)
    expect(hits.slice(1_000).map(({ score }) => score)).toEqual([101, 101, 101, 101, 101, 11, 11, 11, 11, 11])
  })

  test('are found inside a source and a time, of one account only', async () => {
    const query = { accountKey: ACCOUNT, terms: (await weigh()).slice(0, 2), limit: 3, ...anywhere }
    const mails = await lexicalCandidates(connections.db, { ...query, sources: ['email'] }, CHUNKS)
    expect(mails.map(({ chunkId }) => chunkId)).toEqual([60_000, 59_980, 59_960])
    const early = await lexicalCandidates(connections.db, { ...query, since: 50_000, until: 50_013 }, CHUNKS)
    expect(early.map(({ chunkId }) => chunkId)).toEqual([50_012, 50_011, 50_010])
    expect(await lexicalCandidates(connections.db, { ...query, accountKey: OTHER }, CHUNKS)).toEqual([])
    expect((await weigh(OTHER)).map(({ frequency }) => frequency)).toEqual([0, 0, 0, 0])
  })

  test('chunks that no item shows are no candidates', async () => {
    onTestFinished(async () => {
      await sql`delete from hidden_range`.execute(connections.db)
    })
    await sql`
      insert into hidden_range (first_chunk_id, last_chunk_id, account_key, lease_token)
      values (59001, 59990, ${ACCOUNT}, null), (59992, 60000, ${ACCOUNT}, 'being-written')`.execute(connections.db)
    const query = { accountKey: ACCOUNT, limit: 9, ...anywhere }
    const all = await weigh()
    const late = await lexicalCandidates(connections.db, { ...query, terms: all.slice(3) }, CHUNKS)
    expect(late.map(({ chunkId }) => chunkId)).toEqual([59_991])
    const newest = await lexicalCandidates(connections.db, { ...query, terms: all.slice(0, 1), limit: 2 }, CHUNKS)
    expect(newest.map(({ chunkId }) => chunkId)).toEqual([59_991, 59_000])
  })
})

describe('vectors', () => {
  const VECTORS = 3_000
  const random = seededRandom(5)
  const prepare = (spaceKey: number, dimensions: number) =>
    connections.db.transaction().execute((db) => vectorWriter.prepare(db, spaceKey, dimensions))
  const direction = () => Int8Array.from({ length: DIMENSIONS }, () => Math.round((random() - 0.5) * 2 * 127))
  const stored = Array.from({ length: VECTORS }, (_, place) => {
    return { chunkId: place + 1, source: place % 4 === 0 ? EMAIL : 1, at: place, vector: direction() }
  })
  beforeAll(async () => {
    await prepare(SPACE_KEY, DIMENSIONS)
    await vectorWriter.add(
      connections.db,
      ACCOUNT,
      SPACE_KEY,
      stored.filter(({ chunkId }) => chunkId % 3 !== 0),
    )
    await vectorWriter.add(
      connections.db,
      OTHER,
      SPACE_KEY,
      stored.filter(({ chunkId }) => chunkId % 3 === 0),
    )
  })

  const cosine = (a: ArrayLike<number>, b: ArrayLike<number>) => {
    const product = (x: ArrayLike<number>, y: ArrayLike<number>) =>
      Array.from({ length: x.length }, (_, i) => x[i]! * y[i]!).reduce((sum, value) => sum + value, 0)
    return product(a, b) / Math.sqrt(product(a, a) * product(b, b))
  }

  test.each([
    ['compared one by one', VECTORS],
    ['more than are compared', 10],
  ])('%s are those that are nearest inside account, source and time', async (_, mostCompared) => {
    let found = 0
    for (let asked = 0; asked < 10; asked++) {
      const vector = Float32Array.from(direction())
      const query = { accountKey: ACCOUNT, spaceId: '-', vector, limit: 20, since: 500, until: 2_500 }
      const hits = await nearestVectors(
        connections.db,
        { ...query, sources: ['email'] },
        { spaceKey: SPACE_KEY, mostCompared },
      )
      const nearest = stored
        .filter(({ chunkId, source, at }) => chunkId % 3 !== 0 && source === EMAIL && at >= 500 && at < 2_500)
        .map((row) => ({ chunkId: row.chunkId, score: cosine(vector, row.vector) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, 20)
      expect(hits).toHaveLength(20)
      expect(hits[0]!.score).toBeCloseTo(nearest[0]!.score, 2)
      found += nearest.filter(({ chunkId }) => hits.some((hit) => hit.chunkId === chunkId)).length
    }
    expect(found).toBeGreaterThanOrEqual(mostCompared === VECTORS ? 200 : 190)
  })

  test('of chunks that no item shows are left out, by either way', async () => {
    onTestFinished(async () => {
      await sql`delete from hidden_range`.execute(connections.db)
    })
    await sql`
      insert into hidden_range (first_chunk_id, last_chunk_id, account_key, lease_token)
      values (1, 2990, ${ACCOUNT}, null)`.execute(connections.db)
    const query = { accountKey: ACCOUNT, spaceId: '-', vector: new Float32Array(DIMENSIONS).fill(1), limit: 50 }
    for (const mostCompared of [VECTORS, 10]) {
      const hits = await nearestVectors(
        connections.db,
        { ...query, ...anywhere },
        { spaceKey: SPACE_KEY, mostCompared },
      )
      expect(hits.map(({ chunkId }) => chunkId).sort()).toEqual([2_992, 2_993, 2_995, 2_996, 2_998, 2_999])
    }
  })

  test('of a dropped space are gone, and the space can be filled again', async () => {
    const query = { accountKey: ACCOUNT, spaceId: '-', vector: Float32Array.of(1, 0), limit: 5, ...anywhere }
    await prepare(SPACE_KEY + 1, 2)
    const row = { chunkId: 1, source: EMAIL, at: null, vector: Int8Array.of(127, 0) }
    await vectorWriter.add(connections.db, ACCOUNT, SPACE_KEY + 1, [row])
    expect(await nearestVectors(connections.db, query, { spaceKey: SPACE_KEY + 1 })).toEqual([{ chunkId: 1, score: 1 }])
    await vectorWriter.drop(connections.db, SPACE_KEY + 1)
    expect(await nearestVectors(connections.db, query, { spaceKey: SPACE_KEY + 1 })).toEqual([])
    await prepare(SPACE_KEY + 1, 2)
    expect(await nearestVectors(connections.db, query, { spaceKey: SPACE_KEY + 1 })).toEqual([])
  })

  test('get one partition, however many processes begin a space at once', async () => {
    await Promise.all([1, 2, 3, 4].map(() => prepare(SPACE_KEY + 2, DIMENSIONS)))
    const { rows } = await sql<{ indexes: number }>`
      select count(*)::int as indexes from pg_indexes where tablename = ${`embedding_${SPACE_KEY + 2}`}`.execute(
      connections.db,
    )
    expect(rows).toEqual([{ indexes: 2 }])
  })
})
