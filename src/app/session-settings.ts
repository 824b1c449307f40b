import { createHash, hkdfSync } from 'node:crypto'
import type { SessionSettings } from '../app-api/sign-in/sessions.ts'
import type { HomeFiles } from '../config/home-folder.ts'
import { SourceError } from '../connector/source-error.ts'
import { AppError } from '../domain/errors.ts'
import type { Log } from '../kit/log.ts'
import { secretKey } from '../oauth/secret-key.ts'

/**
 * How sessions of a home are signed and named: by the key of the home, and apart from those of another home on the same
 * machine, whose cookies a browser keeps in the same place.
 *
 * @throws AppError `unavailable` when the key can neither be read nor made
 */
export function sessionSettings(files: HomeFiles, log: Log): Omit<SessionSettings, 'baseUrl'> {
  const secret = hkdfSync('sha256', sealingKey(files, log), '', 'recalld web sessions', 32)
  const home = createHash('sha256').update(files.home).digest('hex').slice(0, 8)
  return { secret: Buffer.from(secret).toString('base64url'), cookieName: `recalld-${home}` }
}

function sealingKey(files: HomeFiles, log: Log): Uint8Array {
  try {
    return secretKey(files.secretKey, log).forSealing()
  } catch (cause) {
    if (cause instanceof SourceError) throw new AppError('unavailable', cause.message, { cause })
    throw cause
  }
}
