import type { Kysely, Selectable } from 'kysely'
import type { GrantRow } from '../grants.ts'
import { toDate } from './ledger-time.ts'
import type { Database } from './schema.ts'

/** In the order in which they were granted. */
export async function listGrants(db: Kysely<Database>, memoryId: string): Promise<GrantRow[]> {
  const rows = await db
    .selectFrom('access_grant')
    .selectAll()
    .where('memory_id', '=', memoryId)
    .orderBy('granted_at')
    .orderBy('grant_key')
    .execute()
  return rows.map(toGrant)
}

export async function findGrant(db: Kysely<Database>, memoryId: string, id: string): Promise<GrantRow | undefined> {
  const row = await grantRecord(db, memoryId, id)
  return row && toGrant(row)
}

/** As it lies in the table. */
export function grantRecord(db: Kysely<Database>, memoryId: string, id: string) {
  return db
    .selectFrom('access_grant')
    .selectAll()
    .where('memory_id', '=', memoryId)
    .where('grant_id', '=', id)
    .executeTakeFirst()
}

export function toGrant(row: Selectable<Database['access_grant']>): GrantRow {
  return {
    id: row.grant_id,
    provider: row.provider,
    family: row.family,
    account: row.account,
    accountTitle: row.account_title,
    scopes: grantScopes(row.scopes),
    place: row.place,
    sealed: row.sealed,
    accessExpiresAt: toDate(row.access_expires_at),
    expiresAt: toDate(row.expires_at),
    grantedAt: new Date(row.granted_at),
    renewedAt: toDate(row.renewed_at),
    refusal: row.refusal ?? undefined,
    version: row.version,
  }
}

/** Without zod, which would double the code that every writer thread loads. */
function grantScopes(json: string): string[] {
  const scopes: unknown = JSON.parse(json)
  if (Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string')) return scopes
  throw new Error('access_grant.scopes is not a JSON array of strings')
}
