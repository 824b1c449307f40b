import type { Kysely } from 'kysely'
import type { GrantRenewal, GrantStore } from '../grants.ts'
import { createConsents } from './consents.ts'
import type { IntentRunner } from './intent-runner.ts'
import { findGrant, listGrants } from './read-grants.ts'
import type { Database } from './schema.ts'

export function createGrantStore(
  db: Kysely<Database>,
  intents: IntentRunner,
  { memoryId, now }: { readonly memoryId: string; readonly now: () => number },
): GrantStore {
  return {
    list: () => listGrants(db, memoryId),
    find: (id) => findGrant(db, memoryId, id),
    save: ({ provider, family, account, accountTitle, place, ...tokens }) =>
      intents.call('saveGrant', memoryId, {
        ...{ provider, family, account, accountTitle, place },
        ...plainRenewal(tokens),
      }),
    claim: (id, { holder, leaseMs }) => intents.call('claimGrant', memoryId, id, { holder, leaseMs }),
    renewed: (id, holder, { from, ...change }) =>
      intents.call('renewGrant', memoryId, id, holder, { from, ...plainRenewal(change) }),
    released: (id, holder, { from, refusal }) =>
      intents.call('releaseGrant', memoryId, id, holder, { from, ...(refusal !== undefined && { refusal }) }),
    remove: (id) => intents.call('removeGrant', memoryId, id),
    consents: createConsents(db, intents, { memoryId, now }),
  }
}

/** Only what is stored crosses to the thread. */
function plainRenewal({ sealed, scopes, accessExpiresAt, expiresAt }: GrantRenewal): GrantRenewal {
  return { sealed, scopes: [...scopes], accessExpiresAt, expiresAt }
}
