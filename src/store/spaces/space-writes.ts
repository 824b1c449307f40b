import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import type { WriteContext } from '../engine.ts'
import type { FilledVectors, NewSpace } from './spaces.ts'

/** Vectors removed in one commit. */
const SWEPT_VECTORS = 1_000

const NO_PROBLEM = { problem: null, retry_at: null }

const NO_LEASE = { lease_holder: null, lease_until: null }

/** Ranges that others are reading are removed later: a backup can take hours. */
const DROP_AGAIN_MS = 30_000

async function beginSpace(context: WriteContext, space: NewSpace): Promise<void> {
  const { db, now } = context
  await db
    .insertInto('space')
    .values({ space_id: space.spaceId })
    .onConflict((conflict) => conflict.column('space_id').doNothing())
    .execute()
  const known = await findSpace(context, space.spaceId)
  if (known?.state === 'active') return
  await db
    .updateTable('space')
    .set({ state: 'dropping', changed_at: now, ...NO_PROBLEM, ...NO_LEASE })
    .where('state', 'in', ['building', 'retired'])
    .where('space_id', '<>', space.spaceId)
    .execute()
  const isKept = known?.state === 'building' || known?.state === 'retired'
  await db
    .updateTable('space')
    .set({
      state: 'building',
      dimensions: space.dimensions,
      model: JSON.stringify(space.model),
      background: space.background,
      changed_at: now,
      ...NO_PROBLEM,
    })
    .$if(!isKept, (update) => update.set({ floor: 0, floor_epoch: sql<number>`floor_epoch + 1`, ...NO_LEASE }))
    .where('space_id', '=', space.spaceId)
    .execute()
  const { space_key } = await db
    .selectFrom('space')
    .select('space_key')
    .where('space_id', '=', space.spaceId)
    .executeTakeFirstOrThrow()
  await context.engine.vectors.prepare(db, space_key, space.dimensions)
}

async function activateSpace(context: WriteContext, spaceId: string | undefined): Promise<void> {
  const { db, now } = context
  const current = await db.selectFrom('space').select('space_id').where('state', '=', 'active').executeTakeFirst()
  if (current?.space_id === spaceId) return
  if (spaceId !== undefined) await requireBuilt(context, spaceId)
  if (current !== undefined) {
    await db
      .updateTable('space')
      .set({ state: 'dropping', changed_at: now, ...NO_PROBLEM, ...NO_LEASE })
      .where('state', '=', 'retired')
      .where('space_id', '<>', spaceId ?? '')
      .execute()
    await db
      .updateTable('space')
      .set({ state: 'retired', changed_at: now, ...NO_PROBLEM, ...NO_LEASE })
      .where('state', '=', 'active')
      .execute()
  }
  if (spaceId === undefined) return
  await db.updateTable('space').set({ state: 'active', changed_at: now }).where('space_id', '=', spaceId).execute()
}

async function requireBuilt(context: WriteContext, spaceId: string): Promise<void> {
  const state = (await findSpace(context, spaceId))?.state
  if (state === 'building' || state === 'retired') return
  throw new AppError('conflict', `The embedding space ${spaceId} was deleted. Build it again.`)
}

async function dropSpace(context: WriteContext, spaceId: string): Promise<void> {
  const known = await findSpace(context, spaceId)
  if (known?.state === 'active') {
    throw new AppError('conflict', `The embedding space ${spaceId} is in use. Switch to another one first.`)
  }
  if (known === undefined || known.state === null) return
  await context.db
    .updateTable('space')
    .set({ state: 'dropping', changed_at: context.now, ...NO_PROBLEM, ...NO_LEASE })
    .where('space_id', '=', spaceId)
    .execute()
}

/** Removes one batch of dropped vectors. Returns whether there may be more to do now. */
async function sweepSpace(context: WriteContext): Promise<boolean> {
  const { db, engine, now } = context
  const space = await db
    .selectFrom('space')
    .select('space_key')
    .where('state', '=', 'dropping')
    .where((row) => row.or([row('retry_at', 'is', null), row('retry_at', '<=', now)]))
    .executeTakeFirst()
  if (space === undefined) return false
  const rows = await db
    .selectFrom('chunk_vector')
    .select('vector_key')
    .where('space_key', '=', space.space_key)
    .limit(SWEPT_VECTORS)
    .execute()
  if (rows.length > 0) {
    const keys = rows.map(({ vector_key }) => vector_key)
    await engine.secureDelete(db, async () => {
      await db
        .deleteFrom('chunk_vector')
        .where(engine.isOneOf(sql.ref('vector_key'), keys))
        .execute()
    })
    return true
  }
  if (!(await engine.vectors.drop(db, space.space_key))) {
    await db
      .updateTable('space')
      .set({ retry_at: now + DROP_AGAIN_MS })
      .where('space_key', '=', space.space_key)
      .execute()
    return true
  }
  // Vectors of an old version, kept by a commit that ended while this one waited for it.
  await db.deleteFrom('chunk_vector').where('space_key', '=', space.space_key).execute()
  const nothing = { state: null, dimensions: null, model: null, background: null, changed_at: null, floor: 0 }
  await db
    .updateTable('space')
    .set({ ...nothing, ...NO_PROBLEM, ...NO_LEASE })
    .where('space_key', '=', space.space_key)
    .execute()
  return true
}

async function leaseSpace(
  context: WriteContext,
  request: { readonly spaceId: string; readonly holder: string; readonly leaseMs: number },
): Promise<boolean> {
  const { now } = context
  const leased = await context.db
    .updateTable('space')
    .set({ lease_holder: request.holder, lease_until: now + request.leaseMs })
    .where('space_id', '=', request.spaceId)
    .where('state', 'in', ['building', 'active'])
    .where((space) =>
      space.or([
        space('lease_holder', 'is', null),
        space('lease_holder', '=', request.holder),
        space('lease_until', '<=', now),
        // After the clock was set back, the lease would last that much longer.
        space('lease_until', '>', now + request.leaseMs),
      ]),
    )
    .executeTakeFirst()
  return Number(leased.numUpdatedRows) > 0
}

async function releaseSpace(
  context: WriteContext,
  request: { readonly spaceId: string; readonly holder: string },
): Promise<void> {
  await context.db
    .updateTable('space')
    .set(NO_LEASE)
    .where('space_id', '=', request.spaceId)
    .where('lease_holder', '=', request.holder)
    .execute()
}

async function fillSpace(
  context: WriteContext,
  spaceId: string,
  { vectors, floor }: FilledVectors,
): Promise<'stored' | 'gone'> {
  const { db, engine } = context
  const space = await findSpace(context, spaceId)
  if (space?.state !== 'building' && space?.state !== 'active') return 'gone'
  const byChunk = new Map(vectors.map(({ chunkId, vector }) => [chunkId, vector]))
  const held = await lockChunks(context, [...byChunk.keys()])
  const rows = await db
    .selectFrom('chunk')
    .innerJoin('item', (join) =>
      join.onRef('item.item_key', '=', 'chunk.item_key').onRef('item.account_key', '=', 'chunk.account_key'),
    )
    .leftJoin('chunk_vector', (join) =>
      join
        .onRef('chunk_vector.chunk_id', '=', 'chunk.chunk_id')
        .onRef('chunk_vector.account_key', '=', 'chunk.account_key')
        .on('chunk_vector.space_key', '=', space.space_key),
    )
    .select(['chunk.chunk_id', 'chunk.account_key', 'chunk.source', 'chunk.at'])
    .where(engine.isOneOf(sql.ref('chunk.chunk_id'), held))
    .whereRef('chunk.chunk_id', '>=', 'item.first_chunk_id')
    .whereRef('chunk.chunk_id', '<=', 'item.last_chunk_id')
    .where('chunk_vector.vector_key', 'is', null)
    .orderBy('chunk.chunk_id')
    .execute()
  const values = rows.map(({ chunk_id, account_key }) => {
    const vector = byChunk.get(chunk_id) ?? new Int8Array(0)
    return [chunk_id, space.space_key, account_key, new Uint8Array(vector.buffer, vector.byteOffset, vector.length)]
  })
  await engine.insertRows(db, {
    table: 'chunk_vector',
    columns: ['chunk_id', 'space_key', 'account_key', 'vector'],
    rows: values,
  })
  for (const [accountKey, own] of Map.groupBy(rows, (row) => row.account_key)) {
    const added = own.map(({ chunk_id: chunkId, source, at }) => {
      return { chunkId, source, at, vector: byChunk.get(chunkId) ?? new Int8Array(0) }
    })
    await engine.vectors.add(db, accountKey, space.space_key, added)
  }
  await db.updateTable('space').set(NO_PROBLEM).where('space_key', '=', space.space_key).execute()
  await db
    .updateTable('space')
    .set({ floor: floor.chunkId })
    .where('space_key', '=', space.space_key)
    .where('floor_epoch', '=', floor.epoch)
    .where('floor', '<', floor.chunkId)
    .execute()
  return 'stored'
}

/** Locks chunks until the commit, so that a later deletion finds their vectors too. Skips those that are being deleted. */
async function lockChunks({ db, engine }: WriteContext, ids: readonly number[]): Promise<number[]> {
  const owned = await db
    .selectFrom('chunk')
    .select(['chunk_id', 'account_key'])
    .where(engine.isOneOf(sql.ref('chunk_id'), ids))
    .execute()
  const held: number[] = []
  for (const [accountKey, own] of Map.groupBy(owned, (row) => row.account_key)) {
    const chunks = db
      .selectFrom('chunk')
      .select('chunk_id')
      .where(engine.isOfAccount('chunk', accountKey))
      .where(
        engine.isOneOf(
          sql.ref('chunk_id'),
          own.map(({ chunk_id }) => chunk_id),
        ),
      )
    held.push(...(await engine.skipLocked(chunks).execute()).map(({ chunk_id }) => chunk_id))
  }
  return held
}

async function noteSpaceProblem(
  context: WriteContext,
  spaceId: string,
  problem: { readonly message: string; readonly retryAt: Date },
): Promise<void> {
  await context.db
    .updateTable('space')
    .set({ problem: problem.message, retry_at: problem.retryAt.getTime() })
    .where('space_id', '=', spaceId)
    .where('state', 'in', ['building', 'active'])
    .execute()
}

/** Chunks with earlier ids became visible only now, so they are checked again. */
export async function lowerFloors(context: WriteContext, firstChunkId: number): Promise<void> {
  await context.db
    .updateTable('space')
    .set({
      floor: sql<number>`case when floor < ${firstChunkId} then floor else ${firstChunkId - 1} end`,
      floor_epoch: sql<number>`floor_epoch + 1`,
    })
    .where('state', 'is not', null)
    .execute()
}

/**
 * Chunks of an item's new version with unchanged text keep the vectors of its old version, so that they are not paid
 * for again. Both ranges of ids include their ends.
 */
export async function copyUnchangedVectors(
  context: WriteContext,
  accountKey: number,
  before: { readonly first: number; readonly last: number },
  after: { readonly first: number; readonly last: number },
): Promise<void> {
  const { db } = context
  const spaces = await db.selectFrom('space').select('space_key').where('state', '<>', 'dropping').execute()
  if (spaces.length === 0) return
  // Equal texts have equal vectors, so the first one is used.
  const same = db
    .selectFrom('chunk_text as fresh')
    .innerJoin('chunk_text as old', 'old.text', 'fresh.text')
    .select('fresh.chunk_id')
    .select((row) => row.fn.min('old.chunk_id').as('old_id'))
    .where('fresh.chunk_id', '>=', after.first)
    .where('fresh.chunk_id', '<=', after.last)
    .where('old.chunk_id', '>=', before.first)
    .where('old.chunk_id', '<=', before.last)
    .where(context.engine.isOfAccount('fresh', accountKey))
    .where(context.engine.isOfAccount('old', accountKey))
    .groupBy('fresh.chunk_id')
  await db
    .insertInto('chunk_vector')
    .columns(['chunk_id', 'space_key', 'account_key', 'vector'])
    .expression(
      db
        .selectFrom(same.as('same'))
        .innerJoin('chunk_vector', 'chunk_vector.chunk_id', 'same.old_id')
        .where(
          context.engine.isOneOf(
            sql.ref('chunk_vector.space_key'),
            spaces.map(({ space_key }) => space_key),
          ),
        )
        .where(context.engine.isOfAccount('chunk_vector', accountKey))
        .select(['same.chunk_id', 'chunk_vector.space_key', 'chunk_vector.account_key', 'chunk_vector.vector']),
    )
    .execute()
  await context.engine.vectors.follow(db, accountKey, after.first, after.last)
}

async function findSpace(context: WriteContext, spaceId: string) {
  return context.db
    .selectFrom('space')
    .select(['space_key', 'state'])
    .where('space_id', '=', spaceId)
    .executeTakeFirst()
}

export const spaceCommands = {
  beginSpace,
  activateSpace,
  dropSpace,
  sweepSpace,
  leaseSpace,
  releaseSpace,
  fillSpace,
  noteSpaceProblem,
}
