import type { Selectable } from 'kysely'
import type { Database, Db } from '../schema.ts'
import type { WriteCommandRunner } from '../write-commands.ts'
import { grantRecord, toGrant } from './grant-writes.ts'
import type { ConsentRow, ConsentStore, GrantRenewal, GrantRow, GrantStore } from './grants.ts'

export function createGrantStore(
  db: Db,
  commands: WriteCommandRunner,
  { memoryId, now }: { readonly memoryId: string; readonly now: () => number },
): GrantStore {
  return {
    list: () => listGrants(db, memoryId),
    find: (id) => findGrant(db, memoryId, id),
    save: ({ provider, family, account, accountTitle, place, ...tokens }) =>
      commands.call('saveGrant', memoryId, {
        ...{ provider, family, account, accountTitle, place },
        ...plainRenewal(tokens),
      }),
    claim: (id, { holder, leaseMs }) => commands.call('claimGrant', memoryId, id, { holder, leaseMs }),
    renewed: (id, holder, { from, ...change }) =>
      commands.call('renewGrant', memoryId, id, holder, { from, ...plainRenewal(change) }),
    released: (id, holder, { from, refusal }) =>
      commands.call('releaseGrant', memoryId, id, holder, { from, ...(refusal !== undefined && { refusal }) }),
    remove: (id) => commands.call('removeGrant', memoryId, id),
    consents: createConsents(db, commands, { memoryId, now }),
  }
}

/** Copies only the stored fields for the writer thread. */
function plainRenewal({ sealed, scopes, accessExpiresAt, expiresAt }: GrantRenewal): GrantRenewal {
  return { sealed, scopes: [...scopes], accessExpiresAt, expiresAt }
}

/** Ordered by when they were granted. */
async function listGrants(db: Db, memoryId: string): Promise<GrantRow[]> {
  const rows = await db
    .selectFrom('access_grant')
    .selectAll()
    .where('memory_id', '=', memoryId)
    .orderBy('granted_at')
    .orderBy('grant_key')
    .execute()
  return rows.map(toGrant)
}

async function findGrant(db: Db, memoryId: string, id: string): Promise<GrantRow | undefined> {
  const row = await grantRecord(db, memoryId, id)
  return row && toGrant(row)
}

function createConsents(
  db: Db,
  commands: WriteCommandRunner,
  { memoryId, now }: { readonly memoryId: string; readonly now: () => number },
): ConsentStore {
  const open = () =>
    db.selectFrom('consent').selectAll().where('memory_id', '=', memoryId).where('expires_at', '>', now())
  return {
    add: ({ id, personId, stateHash, facts, secrets, lifeMs }, most) =>
      commands.call('addConsent', memoryId, { id, personId, stateHash, facts, secrets, lifeMs }, most),
    async find(id) {
      const row = await open().where('consent_id', '=', id).executeTakeFirst()
      return row && toConsent(row)
    },
    async answeredBy(stateHash) {
      const row = await open().where('state_hash', '=', stateHash).executeTakeFirst()
      return row && toConsent(row)
    },
    take: (id) => commands.call('takeConsent', memoryId, id),
    settle: (id, { secrets, outcome }) => commands.call('settleConsent', memoryId, id, { secrets, outcome }),
    remove: (id) => commands.call('removeConsent', memoryId, id),
  }
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
