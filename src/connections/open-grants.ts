import { setTimeout as delay } from 'node:timers/promises'
import { PROVIDERS } from '../../connectors/providers.ts'
import type { SecretKeyFile } from '../config/home-folder.ts'
import type { Grants } from '../connector/access-grant.ts'
import type { OAuthProvider } from '../connector/oauth-provider.ts'
import { SourceError } from '../connector/source-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { HeldGrant } from '../service/service-context.ts'
import type { Store } from '../store/store.ts'
import { createGrants } from './oauth/access-grants.ts'
import { type Consents, createConsents } from './oauth/consents.ts'
import { createOAuthGrants } from './oauth/create-oauth-grants.ts'
import { credentialCipher } from './oauth/credential-cipher.ts'
import type { OAuthGrants } from './oauth/oauth-grants.ts'
import { createRenewals } from './oauth/renewals.ts'
import { revokeGrantAtProvider } from './oauth/revoke-grant-at-provider.ts'
import { secretKey } from './oauth/secret-key.ts'

export interface GrantParts {
  readonly store: Pick<Store, 'grants'>
  /** `account:<id>` or `remote:<...>`, as in the ledger. */
  readonly memoryId: string
  readonly secretKeyFile: SecretKeyFile
  readonly clock: Clock
  readonly log: Log
  /** By id; those of `connectors/providers.ts` when absent. */
  readonly providers?: Readonly<Record<string, () => Promise<OAuthProvider>>>
}

/** The grants of one memory. */
interface OpenedGrants {
  /** For connectors. */
  readonly grants: Grants
  /** For people. */
  readonly oauthGrants: OAuthGrants
  /** Consents that were started in the app. */
  readonly consents: Consents
  /** A copy of the current grants, so that they can be revoked at the providers even after they were deleted here. */
  held(): Promise<readonly HeldGrant[]>
}

export function openGrants(parts: GrantParts): OpenedGrants {
  const { memoryId, secretKeyFile, clock, log, providers = PROVIDERS } = parts
  const store = parts.store.grants(memoryId)
  const key = secretKey(secretKeyFile, log)
  const seal = credentialCipher(key, memoryId)
  const findProvider = async (id: string) => {
    const load = Object.hasOwn(providers, id) ? providers[id] : undefined
    if (load !== undefined) return load()
    throw new SourceError('reconfigure', `Unknown provider ${id}. Choose one of: ${Object.keys(providers).join(', ')}.`)
  }
  const renewals = createRenewals({ store, seal, findProvider, clock, log, sleep })
  return {
    grants: createGrants({ store, seal, renewals, findProvider, clock }),
    oauthGrants: createOAuthGrants({ store, seal, providers, findProvider, clock, log }),
    consents: createConsents(store.consents, key, memoryId),
    held: async () =>
      (await store.list()).map((row) => ({
        provider: row.provider,
        withdraw: async (signal) =>
          revokeGrantAtProvider(row, await findProvider(row.provider), { seal, clock, signal }),
      })),
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal })
}
