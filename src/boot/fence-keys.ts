import { secretKeyFile } from '../config/home-folder.ts'
import { secretKey } from '../connections/oauth/secret-key.ts'
import { SourceError } from '../connector/source-error.ts'
import { type FenceKeys, fenceKey } from '../domain/recalled-fence.ts'
import type { Log } from '../lib/log.ts'
import { RecentMap } from '../lib/recent-map.ts'

const MAX_CACHED_ACCOUNTS = 1_000

/**
 * Derived from the secret key, which processes of one database share. Without it, fence ids are not recognized later,
 * and recalled text stays in what agents memorize. Keys are cached, because every recall needs one.
 */
export function fenceKeys(config: Parameters<typeof secretKeyFile>[0], log: Log): FenceKeys {
  const secret = secretKey(secretKeyFile(config), log)
  const cached = new RecentMap<string, Uint8Array>(MAX_CACHED_ACCOUNTS)
  let hasWarned = false
  return {
    of(accountId) {
      const known = cached.get(accountId)
      if (known !== undefined) return known
      try {
        const secretBytes = secret.forOpening()
        if (secretBytes === undefined) return undefined
        const key = fenceKey(secretBytes, accountId)
        cached.set(accountId, key)
        return key
      } catch (error) {
        if (!(error instanceof SourceError)) throw error
        if (!hasWarned)
          log.warn({ err: error }, 'the secret key is missing; recalled passages in uploads are not recognized')
        hasWarned = true
        return undefined
      }
    },
  }
}
