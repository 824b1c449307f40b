import type { Kysely } from 'kysely'
import type { GrantRenewal, GrantStore } from '../grants.ts'
import { findGrant, listGrants } from '../sql/read-grants.ts'
import type { Database } from '../sql/schema.ts'
import type { Writer } from './writer.ts'

export function createGrantStore(db: Kysely<Database>, writer: Writer, memoryId: string): GrantStore {
  return {
    list: () => listGrants(db, memoryId),
    find: (id) => findGrant(db, memoryId, id),
    save: ({ provider, family, account, accountTitle, place, ...tokens }) =>
      writer.call('saveGrant', memoryId, {
        ...{ provider, family, account, accountTitle, place },
        ...plainRenewal(tokens),
      }),
    claim: (id, { holder, leaseMs }) => writer.call('claimGrant', memoryId, id, { holder, leaseMs }),
    renewed: (id, holder, { from, ...change }) =>
      writer.call('renewGrant', memoryId, id, holder, { from, ...plainRenewal(change) }),
    released: (id, holder, { from, refusal }) =>
      writer.call('releaseGrant', memoryId, id, holder, { from, ...(refusal !== undefined && { refusal }) }),
    remove: (id) => writer.call('removeGrant', memoryId, id),
  }
}

/** Only what is stored crosses to the thread. */
function plainRenewal({ sealed, scopes, accessExpiresAt, expiresAt }: GrantRenewal): GrantRenewal {
  return { sealed, scopes: [...scopes], accessExpiresAt, expiresAt }
}
