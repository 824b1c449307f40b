import { setTimeout as delay } from 'node:timers/promises'
import { PROVIDERS } from '../../connectors/providers.ts'
import type { Grants } from '../connector/access-grant.ts'
import type { OAuthProvider } from '../connector/oauth-provider.ts'
import { SourceError } from '../connector/source-error.ts'
import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import { createGrants } from '../oauth/access-grants.ts'
import { createDesk } from '../oauth/create-desk.ts'
import type { GrantDesk } from '../oauth/grant-desk.ts'
import { grantSeal } from '../oauth/grant-seal.ts'
import { createRenewals } from '../oauth/renewals.ts'
import { secretKey } from '../oauth/secret-key.ts'
import type { Store } from '../store/store.ts'

export interface GrantParts {
  readonly store: Pick<Store, 'grants'>
  /** `account:<id>` or `remote:<...>`, as of the ledger. */
  readonly memoryId: string
  /** `homeFiles(home).secretKey`; made when the first grant is stored. */
  readonly secretKeyFile: string
  readonly clock: Clock
  readonly log: Log
  /** By id; those of `connectors/providers.ts` when absent. */
  readonly providers?: Readonly<Record<string, () => Promise<OAuthProvider>>>
}

/** The grants of one memory: `grants` as connectors open them, `desk` as people manage them. */
export function openGrants(parts: GrantParts): { readonly grants: Grants; readonly desk: GrantDesk } {
  const { memoryId, secretKeyFile, clock, log, providers = PROVIDERS } = parts
  const store = parts.store.grants(memoryId)
  const seal = grantSeal(secretKey(secretKeyFile, log), memoryId)
  const findProvider = async (id: string) => {
    const load = Object.hasOwn(providers, id) ? providers[id] : undefined
    if (load !== undefined) return load()
    throw new SourceError('reconfigure', `There are no grants for ${id}, but for ${Object.keys(providers).join(', ')}.`)
  }
  const renewals = createRenewals({ store, seal, findProvider, clock, log, sleep })
  return {
    grants: createGrants({ store, seal, renewals, findProvider, clock }),
    desk: createDesk({ store, seal, providers, findProvider, clock, log }),
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal })
}
