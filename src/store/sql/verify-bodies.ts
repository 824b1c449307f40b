import type { Kysely } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import type { VerifiedBodies } from '../bodies.ts'
import type { BodyStorage } from './body-storage.ts'
import { placedBody } from './placed-body.ts'
import type { Database } from './schema.ts'

/** One is read at a time: the largest has 20 MB. */
const MOST_ITEMS = 50
const MOST_BYTES = 4 * 1024 * 1024

/** In the order of their keys, until so many or so large ones were read. Those in the storage of objects are passed. */
export async function verifyBodies(
  { db, bodies }: { readonly db: Kysely<Database>; readonly bodies: BodyStorage },
  after: number,
): Promise<VerifiedBodies> {
  const rows = await db
    .selectFrom('item')
    .innerJoin('account', 'account.account_key', 'item.account_key')
    .select(['item.item_key', 'item.item_id', 'item.source_type', 'item.size_bytes', 'account.account_id'])
    .where('item.item_key', '>', after)
    .where('account.deleting_since', 'is', null)
    .orderBy('item.item_key')
    .limit(MOST_ITEMS)
    .execute()
  const damaged: VerifiedBodies['damaged'][number][] = []
  let [bytes, checked, next] = [0, 0, after]
  for (const row of rows) {
    const item = { accountId: row.account_id, sourceType: row.source_type, itemId: row.item_id }
    const outcome = await verify({ db, bodies }, item, row.item_key)
    if (outcome !== 'passed') checked++
    if (outcome === 'damaged') damaged.push(item)
    next = row.item_key
    bytes += row.size_bytes
    if (bytes >= MOST_BYTES) break
  }
  return { checked, damaged, next: rows.length === 0 ? undefined : next }
}

async function verify(
  { db, bodies }: { readonly db: Kysely<Database>; readonly bodies: BodyStorage },
  item: Parameters<BodyStorage['read']>[0],
  itemKey: number,
): Promise<'whole' | 'damaged' | 'passed'> {
  const find = async () => {
    const row = await db
      .selectFrom('body')
      .innerJoin('item', 'item.item_key', 'body.item_key')
      .select(['body.bytes', 'body.blob_key', 'item.body_hash', 'item.size_bytes'])
      .where('body.item_key', '=', itemKey)
      .where('body.blob_key', 'is', null)
      .executeTakeFirst()
    return row && placedBody(row)
  }
  try {
    return (await bodies.read(item, find)) === undefined ? 'passed' : 'whole'
  } catch (error) {
    if (error instanceof AppError && error.code === 'damaged') return 'damaged'
    throw error
  }
}
