import type { Kysely, Selectable } from 'kysely'
import type { ConsentRow, ConsentStore, NewConsent } from '../grants.ts'
import type { WriteContext } from './engine.ts'
import type { IntentRunner } from './intent-runner.ts'
import { refuseDeleted } from './refuse-deleted.ts'
import type { Database } from './schema.ts'

export function createConsents(
  db: Kysely<Database>,
  intents: IntentRunner,
  { memoryId, now }: { readonly memoryId: string; readonly now: () => number },
): ConsentStore {
  const open = () =>
    db.selectFrom('consent').selectAll().where('memory_id', '=', memoryId).where('expires_at', '>', now())
  return {
    add: ({ id, personId, stateHash, facts, secrets, lifeMs }, most) =>
      intents.call('addConsent', memoryId, { id, personId, stateHash, facts, secrets, lifeMs }, most),
    async find(id) {
      const row = await open().where('consent_id', '=', id).executeTakeFirst()
      return row && toConsent(row)
    },
    async answeredBy(stateHash) {
      const row = await open().where('state_hash', '=', stateHash).executeTakeFirst()
      return row && toConsent(row)
    },
    take: (id) => intents.call('takeConsent', memoryId, id),
    settle: (id, { secrets, outcome }) => intents.call('settleConsent', memoryId, id, { secrets, outcome }),
    remove: (id) => intents.call('removeConsent', memoryId, id),
  }
}

/** @throws AppError `not_found` when the account was deleted, or is being deleted */
export async function addConsent(
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

/** Read and removed under the lock of the memory's grants: of two who ask, one gets it. */
export async function takeConsent(
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

export async function settleConsent(
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

export async function removeConsent({ db, engine }: WriteContext, memoryId: string, id: string): Promise<void> {
  await engine.secureDelete(db, async () => {
    await db.deleteFrom('consent').where('memory_id', '=', memoryId).where('consent_id', '=', id).execute()
  })
}

function toConsent(row: Selectable<Database['consent']>): ConsentRow {
  return {
    id: row.consent_id,
    personId: row.person_id,
    facts: row.facts,
    outcome: row.outcome ?? undefined,
    expiresAt: new Date(row.expires_at),
  }
}
