import { sql } from 'kysely'
import { z } from 'zod'
import type { SqlEngine } from '../engine.ts'
import type { Db } from '../schema.ts'
import type { WriteCommandRunner } from '../write-commands.ts'
import type { MissingTexts, SpaceRow, Spaces } from './spaces.ts'

/** @param active as `Spaces.active`: read with every question, so each engine has its own fast way */
export function createSpaces(
  db: Db,
  engine: SqlEngine,
  commands: WriteCommandRunner,
  active: Spaces['active'],
): Spaces {
  return {
    list: () => listSpaces(db),
    active,
    begin: ({ spaceId, dimensions, model, background }) =>
      commands.call('beginSpace', { spaceId, dimensions, model: { ...model }, background }),
    activate: (spaceId) => commands.call('activateSpace', spaceId),
    drop: (spaceId) => commands.call('dropSpace', spaceId),
    sweep: () => commands.call('sweepSpace'),
    progress: (spaceId) => spaceProgress(db, spaceId),
    estimate: (spaceId) => spaceEstimate(db, engine, spaceId),
    lease: (request) => commands.call('leaseSpace', request),
    release: (request) => commands.call('releaseSpace', request),
    missing: (spaceId, limit) => missingTexts(db, engine, spaceId, limit),
    fill: (spaceId, filled) => commands.call('fillSpace', spaceId, filled),
    noteProblem: (spaceId, problem) => commands.call('noteSpaceProblem', spaceId, problem),
  }
}

/** Ids read at a time: a few milliseconds, during which the main thread is blocked. */
const SCANNED_IDS = 2_000

const MODEL = z.record(z.string(), z.union([z.string(), z.number()]))

async function listSpaces(db: Db): Promise<SpaceRow[]> {
  const rows = await db.selectFrom('space').selectAll().where('state', 'is not', null).orderBy('space_key').execute()
  return rows.flatMap(({ state, problem, ...row }) => {
    if (state === null) return []
    const { dimensions, background, changed_at: changedAt, retry_at: retryAt, model } = row
    return {
      spaceId: row.space_id,
      state,
      dimensions: dimensions ?? 0,
      model: MODEL.parse(JSON.parse(model ?? '{}')),
      background: background ?? 0,
      changedAt: new Date(changedAt ?? 0),
      ...(problem !== null && { problem: { message: problem, retryAt: new Date(retryAt ?? 0) } }),
    }
  })
}

/** Visible chunks without a vector in the space; all chunks for an unknown space. */
function chunksWithout(db: Db, engine: SqlEngine, spaceKey: number) {
  return db
    .selectFrom('chunk')
    .innerJoin('item', (join) =>
      join.onRef('item.item_key', '=', 'chunk.item_key').onRef('item.account_key', '=', 'chunk.account_key'),
    )
    .innerJoin('chunk_text', 'chunk_text.chunk_id', 'chunk.chunk_id')
    .leftJoin('chunk_vector', (join) =>
      join
        .onRef('chunk_vector.chunk_id', '=', 'chunk.chunk_id')
        .onRef('chunk_vector.account_key', '=', 'chunk.account_key')
        .on('chunk_vector.space_key', '=', spaceKey),
    )
    .where(engine.isOfAccount('chunk_text', sql.ref('chunk.account_key')))
    .whereRef('chunk.chunk_id', '>=', 'item.first_chunk_id')
    .whereRef('chunk.chunk_id', '<=', 'item.last_chunk_id')
    .where('chunk_vector.vector_key', 'is', null)
}

async function missingTexts(db: Db, engine: SqlEngine, spaceId: string, limit: number): Promise<MissingTexts> {
  const space = await db
    .selectFrom('space')
    .select(['space_key', 'floor', 'floor_epoch'])
    .where('space_id', '=', spaceId)
    .executeTakeFirst()
  if (space === undefined) return { texts: [], floor: { chunkId: 0, epoch: 0 }, isLast: true }
  // Read before the chunks: later commits are found by the next call.
  const newest = await engine.settledChunks(db)
  const last = Math.min(newest, space.floor + SCANNED_IDS)
  const rows = await chunksWithout(db, engine, space.space_key)
    .select(['chunk.chunk_id', 'chunk_text.text'])
    .where('chunk.chunk_id', '>', space.floor)
    .where('chunk.chunk_id', '<=', last)
    .orderBy('chunk.chunk_id')
    .limit(limit)
    .execute()
  const isCut = rows.length === limit
  return {
    texts: rows.map(({ chunk_id: chunkId, text }) => ({ chunkId, text })),
    floor: { chunkId: isCut ? (rows.at(-1)?.chunk_id ?? space.floor) : last, epoch: space.floor_epoch },
    isLast: !isCut && last === newest,
  }
}

async function spaceProgress(db: Db, spaceId: string): Promise<{ chunks: number; filled: number }> {
  const { chunks } = await db
    .selectFrom('account')
    .select((account) => account.fn.sum<number | null>('chunk_count').as('chunks'))
    .executeTakeFirstOrThrow()
  const { filled } = await db
    .selectFrom('chunk_vector')
    .innerJoin('space', 'space.space_key', 'chunk_vector.space_key')
    .select((vector) => vector.fn.countAll<number>().as('filled'))
    .where('space.space_id', '=', spaceId)
    .executeTakeFirstOrThrow()
  // Vectors of a large deleted item are removed a moment later.
  return { chunks: Number(chunks ?? 0), filled: Math.min(Number(filled), Number(chunks ?? 0)) }
}

async function spaceEstimate(
  db: Db,
  engine: SqlEngine,
  spaceId: string,
): Promise<{ texts: number; characters: number }> {
  const space = await db.selectFrom('space').select('space_key').where('space_id', '=', spaceId).executeTakeFirst()
  const row = await chunksWithout(db, engine, space?.space_key ?? -1)
    .select((chunk) => chunk.fn.countAll<number>().as('texts'))
    .select(sql<number | null>`sum(length(chunk_text.text))`.as('characters'))
    .executeTakeFirstOrThrow()
  return { texts: Number(row.texts), characters: Number(row.characters ?? 0) }
}
