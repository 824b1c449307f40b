import { secretKeyFile } from '../config/secret-key-file.ts'
import { SourceError } from '../connector/source-error.ts'
import { type FenceKeys, fenceKey } from '../domain/recalled-fence.ts'
import type { Log } from '../lib/log.ts'
import { secretKey } from '../oauth/secret-key.ts'

/**
 * Derived from the secret key, which processes of one database share. Without it nothing fails: fences get ids that are
 * not known again, and stay in what agents write down.
 */
export function fenceKeys(config: Parameters<typeof secretKeyFile>[0], log: Log): FenceKeys {
  const secret = secretKey(secretKeyFile(config), log)
  let hasWarned = false
  return {
    of(accountId) {
      try {
        const key = secret.forOpening()
        return key && fenceKey(key, accountId)
      } catch (error) {
        if (!(error instanceof SourceError)) throw error
        if (!hasWarned)
          log.warn({ err: error }, 'recalled passages cannot be told from new text without the secret key')
        hasWarned = true
        return undefined
      }
    },
  }
}
