import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SqlEngine } from '../engine.ts'
import type { Db } from '../schema.ts'
import type { BlobSweeper } from '../sweepers.ts'
import type { WriteCommandRunner } from '../write-commands.ts'
import type { Bodies, BodyComparison, BodyStats, VerifiedBodies } from './bodies.ts'
import { type BodyStorage, newBlobKey } from './body-storage.ts'
import { storedBody } from './body-writes.ts'

/** Read and moved in one step. */
const MOVED_ITEMS = 20

const COMPARED_BODIES = 1_000

/** Enough that some of them still exist after restoring a backup. */
const SOME_KEYS = 20

/** Objects being written may be in the storage but not yet in the database. */
const YOUNG_MS = 60 * 60_000

interface Parts {
  readonly db: Db
  readonly engine: SqlEngine
  readonly commands: WriteCommandRunner
  readonly bodies: BodyStorage
  readonly sweeper: BlobSweeper
  readonly clock: Clock
}

export function createBodies(parts: Parts): Bodies {
  const { db, engine, bodies } = parts
  return {
    place: bodies.blobs?.place,
    stats: () => readBodyStats(db, engine),
    someKeys: () => someKeys(db),
    checkPlace: () => bodies.required().check(),
    move: (to) => moveBodies(parts, to),
    compare: () => compareBodies(parts),
    verify: (after) => verifyBodies(parts, after),
    removeStray: (keys) => bodies.required().remove(keys),
  }
}

async function someKeys(db: Db): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('body')
    .select('blob_key')
    .where('blob_key', 'is not', null)
    .orderBy('blob_key')
    .limit(SOME_KEYS)
    .execute()
  return rows.flatMap(({ blob_key: key }) => key ?? [])
}

async function readBodyStats(db: Db, engine: SqlEngine): Promise<BodyStats> {
  const inStorage = await db
    .selectFrom('body')
    .innerJoin('item', 'item.item_key', 'body.item_key')
    .where(engine.isOfAccount('body', sql.ref('item.account_key')))
    .select(({ fn }) => [fn.countAll<number>().as('items'), fn.sum<number | null>('item.size_bytes').as('bytes')])
    .where('body.blob_key', 'is not', null)
    .executeTakeFirstOrThrow()
  const all = await db
    .selectFrom('item')
    .select(({ fn }) => [fn.countAll<number>().as('items'), fn.sum<number | null>('size_bytes').as('bytes')])
    .executeTakeFirstOrThrow()
  const items = Number(inStorage.items)
  const bytes = Number(inStorage.bytes ?? 0)
  return {
    inDatabase: { items: Number(all.items) - items, bytes: Number(all.bytes ?? 0) - bytes },
    inStorage: { items, bytes },
    unfinished: await countBlobRows(db, 'blob_write'),
    garbage: await countBlobRows(db, 'blob_garbage'),
  }
}

async function countBlobRows(db: Db, table: 'blob_write' | 'blob_garbage'): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Direction = Parameters<Bodies['move']>[0]

/** Items ordered by key; skips those that another process moves or replaces meanwhile. */
async function* moveBodies(parts: Parts, to: Direction): AsyncGenerator<{ items: number; bytes: number }> {
  for (let after = 0; ; ) {
    const rows = await movable(parts, to, after)
    let items = 0
    let bytes = 0
    for (const row of rows) {
      if (!(await moveBody(parts, to, row))) continue
      items++
      bytes += row.size_bytes
    }
    if (items > 0) yield { items, bytes }
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.item_key
  }
  // Done here, because no worker may ever run again, and without the setting none could do it.
  if (to === 'database') await parts.sweeper.sweepNow()
}

type MovableRow = Awaited<ReturnType<typeof movable>>[number]

function movable({ db, engine, bodies }: Parts, to: Direction, after: number) {
  const rows = db
    .selectFrom('item')
    .innerJoin('body', 'body.item_key', 'item.item_key')
    .where(engine.isOfAccount('body', sql.ref('item.account_key')))
    .innerJoin('account', 'account.account_key', 'item.account_key')
    .select(['item.item_key', 'item.account_key', 'item.size_bytes', 'account.account_id'])
    .where('item.item_key', '>', after)
    .where('account.deleting_since', 'is', null)
    .orderBy('item.item_key')
    .limit(MOVED_ITEMS)
  if (to === 'database') return rows.where('body.blob_key', 'is not', null).execute()
  return rows.where('body.blob_key', 'is', null).where('item.size_bytes', '>=', bodies.leastBytes).execute()
}

async function moveBody({ db, engine, commands, bodies }: Parts, to: Direction, row: MovableRow): Promise<boolean> {
  const { item_key: itemKey, account_key: accountKey, account_id: accountId } = row
  const blobs = bodies.required()
  const scope = { accountId, sources: 'all' } as const
  const stored = await db
    .selectFrom('body')
    .innerJoin('item', 'item.item_key', 'body.item_key')
    .where('item.account_key', '=', accountKey)
    .where(engine.isOfAccount('body', accountKey))
    // Read together with the bytes, because the item may have been replaced since its page was read.
    .select(['body.bytes', 'body.blob_key', 'item.body_hash', 'item.size_bytes'])
    .where('body.item_key', '=', itemKey)
    .executeTakeFirst()
  if (stored === undefined) return false
  const { body_hash: sha256, size_bytes } = stored
  if (to === 'database') {
    const { blob_key: key } = stored
    const body = key === null ? undefined : await blobs.get({ key, sha256, bytes: size_bytes })
    return key !== null && body !== undefined && commands.call('moveBodyIn', { scope, itemKey, key, body })
  }
  if (stored.blob_key !== null) return false
  const key = newBlobKey(accountId)
  await commands.call('beginBlob', scope, key)
  await blobs.put({ key, sha256, bytes: size_bytes }, stored.bytes)
  return commands.call('moveBodyOut', { scope, itemKey, sha256, key })
}

/** Both ordered by key, in pages. */
async function compareBodies(parts: Parts): Promise<BodyComparison> {
  const { db, bodies, clock } = parts
  const before = clock().getTime() - YOUNG_MS
  const stray: string[] = []
  const missing: MissingBody[] = []
  let objects = 0
  let bytes = 0
  let last = ''
  for await (const page of bodies.required().list('')) {
    const known = await knownKeys(
      db,
      page.map(({ key }) => key),
    )
    for (const { key, bytes: size, at } of page) {
      objects++
      bytes += size
      if (!known.has(key) && at.getTime() < before) stray.push(key)
    }
    const end = page.at(-1)?.key
    if (end === undefined) continue
    missing.push(...(await missingBetween(parts, last, end, new Set(page.map(({ key }) => key)))))
    last = end
  }
  missing.push(...(await missingBetween(parts, last, undefined, new Set())))
  return { objects, bytes, missing, stray }
}

async function knownKeys(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const rows = await db
    .selectFrom('body')
    .select('blob_key as key')
    .where('blob_key', 'in', [...keys])
    .unionAll(
      db
        .selectFrom('blob_write')
        .select('key')
        .where('key', 'in', [...keys]),
    )
    .unionAll(
      db
        .selectFrom('blob_garbage')
        .select('key')
        .where('key', 'in', [...keys]),
    )
    .execute()
  return new Set(rows.flatMap(({ key }) => key ?? []))
}

type MissingBody = BodyComparison['missing'][number]

/** Keys after `first`, up to `end`, that are in the database and not in the listing; each is checked again. */
async function missingBetween(
  { db, engine, bodies }: Parts,
  first: string,
  end: string | undefined,
  found: ReadonlySet<string>,
): Promise<MissingBody[]> {
  const missing: MissingBody[] = []
  for (let after = first; ; ) {
    let rows = db
      .selectFrom('body')
      .innerJoin('item', 'item.item_key', 'body.item_key')
      .where(engine.isOfAccount('body', sql.ref('item.account_key')))
      .innerJoin('account', 'account.account_key', 'item.account_key')
      .select(['body.blob_key', 'item.body_hash', 'item.size_bytes'])
      .select(['account.account_id', 'item.item_id', 'item.source_type'])
      .where('body.blob_key', '>', after)
      .orderBy('body.blob_key')
      .limit(COMPARED_BODIES)
    if (end !== undefined) rows = rows.where('body.blob_key', '<=', end)
    const page = await rows.execute()
    for (const row of page) {
      const { blob_key: key, body_hash: sha256, size_bytes: bytes } = row
      if (key === null || found.has(key)) continue
      if ((await bodies.required().get({ key, sha256, bytes })) !== undefined) continue
      missing.push({ accountId: row.account_id, itemId: row.item_id, sourceType: row.source_type })
    }
    const last = page.at(-1)?.blob_key
    if (page.length < COMPARED_BODIES || !last) return missing
    after = last
  }
}

/** Read one at a time, because the largest has 20 MB. */
const VERIFIED_ITEMS = 50

const VERIFIED_BYTES = 4 * 1024 * 1024

/** Ordered by key, up to a number and size. Skips uploads in the object storage. */
async function verifyBodies(
  { db, engine, bodies }: Pick<Parts, 'db' | 'engine' | 'bodies'>,
  after: number,
): Promise<VerifiedBodies> {
  const rows = await db
    .selectFrom('item')
    .innerJoin('account', 'account.account_key', 'item.account_key')
    .select(['item.item_key', 'item.account_key', 'item.item_id', 'item.source_type', 'item.size_bytes'])
    .select('account.account_id')
    .where('item.item_key', '>', after)
    .where('account.deleting_since', 'is', null)
    .orderBy('item.item_key')
    .limit(VERIFIED_ITEMS)
    .execute()
  const damaged: VerifiedBodies['damaged'][number][] = []
  let [bytes, checked, next] = [0, 0, after]
  for (const row of rows) {
    const item = { accountId: row.account_id, sourceType: row.source_type, itemId: row.item_id }
    const outcome = await verifyBody({ db, engine, bodies }, item, {
      itemKey: row.item_key,
      accountKey: row.account_key,
    })
    if (outcome !== 'passed') checked++
    if (outcome === 'damaged') damaged.push(item)
    next = row.item_key
    bytes += row.size_bytes
    if (bytes >= VERIFIED_BYTES) break
  }
  return { checked, damaged, next: rows.length === 0 ? undefined : next }
}

async function verifyBody(
  { db, engine, bodies }: Pick<Parts, 'db' | 'engine' | 'bodies'>,
  item: Parameters<BodyStorage['read']>[0],
  { itemKey, accountKey }: { readonly itemKey: number; readonly accountKey: number },
): Promise<'whole' | 'damaged' | 'passed'> {
  const find = async () => {
    const row = await db
      .selectFrom('body')
      .innerJoin('item', 'item.item_key', 'body.item_key')
      .where('item.account_key', '=', accountKey)
      .where(engine.isOfAccount('body', accountKey))
      .select(['body.bytes', 'body.blob_key', 'item.body_hash', 'item.size_bytes'])
      .where('body.item_key', '=', itemKey)
      .where('body.blob_key', 'is', null)
      .executeTakeFirst()
    return row && storedBody(row)
  }
  try {
    return (await bodies.read(item, find)) === undefined ? 'passed' : 'whole'
  } catch (error) {
    if (error instanceof AppError && error.code === 'damaged') return 'damaged'
    throw error
  }
}
