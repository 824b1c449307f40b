import type { Grants } from '../connector/access-grant.ts'
import type { OAuthProvider } from '../connector/oauth-provider.ts'
import { AppError } from '../domain/errors.ts'
import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { GrantDesk } from '../oauth/grant-desk.ts'
import { NO_GRANTS } from '../oauth/no-grants.ts'
import type { Store } from '../store/store.ts'

export interface GrantParts {
  readonly store: Store
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
export function openGrants(_parts: GrantParts): { readonly grants: Grants; readonly desk: GrantDesk } {
  const later = async () => {
    throw new AppError('unavailable', 'Grants are not kept yet.')
  }
  return {
    grants: NO_GRANTS,
    desk: { providers: later, list: later, knownClient: later, begin: later, byDevice: later, revoke: later },
  }
}
