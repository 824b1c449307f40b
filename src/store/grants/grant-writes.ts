import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { refuseDeleted } from '../accounts/account-rows.ts'
import type { WriteContext } from '../engine.ts'
import { type Database, type Db, toDate, toTime } from '../schema.ts'
import type { GrantRenewal, GrantRow, NewConsent, NewGrant } from './grants.ts'

/** A row of the table. */
export function grantRecord(db: Db, memoryId: string, id: string) {
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

/** Without zod, which would double the code of every writer thread. */
function grantScopes(json: string): string[] {
  const scopes: unknown = JSON.parse(json)
  if (Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string')) return scopes
  throw new Error('access_grant.scopes is not a JSON array of strings')
}

/** Clears the lease, so that a renewal of the previous grant can't overwrite this one. */
const NO_LEASE = { lease_holder: null, lease_until: null }

/** @throws AppError `not_found` when the account was deleted, or is being deleted */
async function saveGrant({ db, now }: WriteContext, memoryId: string, grant: NewGrant): Promise<string> {
  await refuseDeleted(db, memoryId)
  const { provider, family, account } = grant
  const granted = {
    account_title: grant.accountTitle,
    place: grant.place,
    ...toColumns(grant),
    granted_at: now,
    renewed_at: null,
    refusal: null,
    ...NO_LEASE,
  }
  const row = await db
    .insertInto('access_grant')
    .values({ grant_id: randomUUID(), memory_id: memoryId, provider, family, account, ...granted })
    .onConflict((conflict) =>
      conflict
        .columns(['memory_id', 'provider', 'family', 'account'])
        .doUpdateSet({ ...granted, version: sql<number>`access_grant.version + 1` }),
    )
    .returning('grant_id')
    .executeTakeFirstOrThrow()
  return row.grant_id
}

async function claimGrant(
  { db, now }: WriteContext,
  memoryId: string,
  id: string,
  { holder, leaseMs }: { readonly holder: string; readonly leaseMs: number },
): Promise<{ outcome: 'claimed'; row: GrantRow } | { outcome: 'busy'; until: Date } | { outcome: 'absent' }> {
  const row = await grantRecord(db, memoryId, id)
  if (row === undefined) return { outcome: 'absent' }
  // A lease much longer than possible is from before the clock was set back. It may seem slightly longer to a process that asked
  // first and waited for the lock while another process got the lease.
  if (row.lease_until !== null && row.lease_until > now && row.lease_until <= now + 2 * leaseMs) {
    return { outcome: 'busy', until: new Date(row.lease_until) }
  }
  await db
    .updateTable('access_grant')
    .set({ lease_holder: holder, lease_until: now + leaseMs })
    .where('grant_key', '=', row.grant_key)
    .execute()
  return { outcome: 'claimed', row: toGrant(row) }
}

/** Keeps the lease of a current holder, which will find a changed row and store nothing. */
async function renewGrant(
  { db, now }: WriteContext,
  memoryId: string,
  id: string,
  holder: string,
  change: GrantRenewal & { readonly from: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('access_grant')
    .set({
      ...toColumns(change),
      renewed_at: now,
      refusal: null,
      version: change.from + 1,
      lease_until: sql<number | null>`case when lease_holder = ${holder} then null else lease_until end`,
      lease_holder: sql<string | null>`case when lease_holder = ${holder} then null else lease_holder end`,
    })
    .where('memory_id', '=', memoryId)
    .where('grant_id', '=', id)
    .where('version', '=', change.from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Records nothing for a holder that lost its lease, because the new holder may succeed. */
async function releaseGrant(
  { db }: WriteContext,
  memoryId: string,
  id: string,
  holder: string,
  { from, refusal }: { readonly from: number; readonly refusal?: string },
): Promise<void> {
  const held = db
    .updateTable('access_grant')
    .where('memory_id', '=', memoryId)
    .where('grant_id', '=', id)
    .where('lease_holder', '=', holder)
  if (refusal !== undefined) {
    await held
      .set({ refusal, version: from + 1, ...NO_LEASE })
      .where('version', '=', from)
      .execute()
  }
  await held.set(NO_LEASE).execute()
}

async function removeGrant({ db, engine }: WriteContext, memoryId: string, id: string): Promise<boolean> {
  let removed = false
  await engine.secureDelete(db, async () => {
    const { numDeletedRows } = await db
      .deleteFrom('access_grant')
      .where('memory_id', '=', memoryId)
      .where('grant_id', '=', id)
      .executeTakeFirst()
    removed = numDeletedRows > 0n
  })
  return removed
}

function toColumns({ sealed, scopes, accessExpiresAt, expiresAt }: GrantRenewal) {
  return {
    sealed,
    scopes: JSON.stringify(scopes),
    access_expires_at: toTime(accessExpiresAt) ?? null,
    expires_at: toTime(expiresAt) ?? null,
  }
}

/** @throws AppError `not_found` when the account was deleted, or is being deleted */
async function addConsent(
  { db, engine, now }: WriteContext,
  memoryId: string,
  { id, personId, stateHash, facts, secrets, lifeMs }: NewConsent,
  most: number,
): Promise<void> {
  await refuseDeleted(db, memoryId)
  const oldest = db
    .selectFrom('consent')
    .select('consent_id')
    .where('memory_id', '=', memoryId)
    .orderBy('created_at', 'desc')
    .orderBy('consent_id')
    .limit(most)
    .offset(most - 1)
  await engine.secureDelete(db, async () => {
    await db.deleteFrom('consent').where('expires_at', '<=', now).execute()
    await db.deleteFrom('consent').where('consent_id', 'in', oldest).execute()
  })
  await db
    .insertInto('consent')
    .values({
      consent_id: id,
      memory_id: memoryId,
      person_id: personId,
      state_hash: stateHash ?? null,
      facts,
      secrets: secrets ?? null,
      created_at: now,
      expires_at: now + lifeMs,
    })
    .execute()
}

/** Reads and removes under the lock of the memory's grants, so that only one caller gets it. */
async function takeConsent(
  { db, engine, now }: WriteContext,
  memoryId: string,
  id: string,
): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('consent')
    .select('secrets')
    .where('memory_id', '=', memoryId)
    .where('consent_id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (row?.secrets == null) return undefined
  await engine.secureDelete(db, async () => {
    await db
      .updateTable('consent')
      .set({ secrets: null, outcome: null })
      .where('memory_id', '=', memoryId)
      .where('consent_id', '=', id)
      .execute()
  })
  return row.secrets
}

async function settleConsent(
  { db, now }: WriteContext,
  memoryId: string,
  id: string,
  { secrets, outcome }: { readonly secrets?: Uint8Array | undefined; readonly outcome?: string | undefined },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('consent')
    .set({ secrets: secrets ?? null, outcome: outcome ?? null })
    .where('memory_id', '=', memoryId)
    .where('consent_id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function removeConsent({ db, engine }: WriteContext, memoryId: string, id: string): Promise<void> {
  await engine.secureDelete(db, async () => {
    await db.deleteFrom('consent').where('memory_id', '=', memoryId).where('consent_id', '=', id).execute()
  })
}

export const grantCommands = {
  saveGrant,
  claimGrant,
  renewGrant,
  releaseGrant,
  removeGrant,
  addConsent,
  takeConsent,
  settleConsent,
  removeConsent,
}
