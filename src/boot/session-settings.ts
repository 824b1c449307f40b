import { hkdfSync } from 'node:crypto'
import { secretKeyFile } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import { secretKey } from '../connections/oauth/secret-key.ts'
import { SourceError } from '../connector/source-error.ts'
import { AppError } from '../domain/errors.ts'
import type { SessionSettings } from '../http/app/sign-in/sessions.ts'
import type { Log } from '../lib/log.ts'

/**
 * How a service signs and names its sessions: derived from its key, and distinct from other services on the same
 * machine, because browsers share cookies between ports.
 * @throws AppError `unavailable` when the key can neither be read nor created
 */
export function sessionSettings(config: Config, log: Log): Omit<SessionSettings, 'baseUrl'> & { oauthSecret: string } {
  const key = sealingKey(config, log)
  const secret = hkdfSync('sha256', key, '', 'recalld web sessions', 32)
  const oauthSecret = hkdfSync('sha256', key, '', 'recalld agents by OAuth', 32)
  // By the key and not the folder: processes that share the one serve the same sessions.
  const name = hkdfSync('sha256', key, '', 'recalld cookie name', 4)
  return {
    secret: Buffer.from(secret).toString('base64url'),
    oauthSecret: Buffer.from(oauthSecret).toString('base64url'),
    cookieName: `recalld-${Buffer.from(name).toString('hex')}`,
  }
}

function sealingKey(config: Config, log: Log): Uint8Array {
  try {
    return secretKey(secretKeyFile(config), log).forSealing()
  } catch (cause) {
    if (cause instanceof SourceError) throw new AppError('unavailable', cause.message, { cause })
    throw cause
  }
}
