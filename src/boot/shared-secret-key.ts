import { hkdfSync } from 'node:crypto'
import { secretKeyFile } from '../config/secret-key-file.ts'
import type { Config } from '../config.ts'
import { secretKey } from '../connections/oauth/secret-key.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../store/store.ts'

/** Facts that no account has. */
const LEDGER = 'server'
const FACT = 'secret key'

/**
 * Warns when this process has another secret key than the one that was started before it: what one seals the other cannot
 * open, and people are signed out from request to request. What is compared says nothing about the key.
 */
export async function noteSecretKey({ config, store, log }: { config: Config; store: Store; log: Log }): Promise<void> {
  if (!store.capabilities.manyPerRole) return
  const place = secretKeyFile(config)
  const key = secretKey(place, log).forOpening()
  if (key === undefined) return
  const mine = Buffer.from(hkdfSync('sha256', key, '', 'recalld fingerprint', 16)).toString('hex')
  const ledger = store.ledger(LEDGER)
  const known = await ledger.readFact(FACT)
  if (known === mine) return
  if (known !== undefined) {
    log.warn(
      { file: place.file },
      'this process has another secret key than the one that was started before it: give all the same by RECALLD_SECRET_KEY_FILE',
    )
  }
  await ledger.writeFact(FACT, mine)
}
