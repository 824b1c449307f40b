import { secretKeyFile } from '../config/secret-key-file.ts'
import type { Config } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { AccountGrants } from '../service/account-deletion.ts'
import type { Store } from '../store/store.ts'

/** What providers granted to accounts of this store, for whoever deletes one of them. */
export function accountGrants(parts: {
  readonly config: Config
  readonly store: Store
  readonly log: Log
}): AccountGrants {
  const { config, store, log } = parts
  return {
    async hold(accountId) {
      // Few deletions need it, and every command opens a service.
      const { openGrants } = await import('./open-grants.ts')
      const place = { memoryId: `account:${accountId}`, secretKeyFile: secretKeyFile(config) }
      return openGrants({ store, ...place, clock: systemClock, log }).held()
    },
  }
}
