import { usableCredentials, writeCredentials } from '../config/credentials.ts'
import type { ActivityActor } from '../domain/activity.ts'
import { AppError } from '../domain/errors.ts'
import type { KeyView } from '../service/keys.ts'
import type { Principal } from '../service/principal.ts'
import type { Service } from '../service/service.ts'

/**
 * Regenerates a key, and updates credentials.json if it had the old value, so that the command line and MCP on this
 * machine keep working.
 * @param file.address for a file without a valid key: a regenerated default key is then written there, with this
 * address unless the file has one. Absent: such a file is left alone
 */
export async function regenerateKey(
  service: Service,
  ref: Parameters<Service['keys']['regenerate']>[0],
  file: { readonly credentials: string; readonly address?: string },
) {
  const stored = usableCredentials(file.credentials)
  const holder = stored === undefined ? undefined : await keyHolder(service, stored.apiKey)
  const regenerated = await service.keys.regenerate(ref)
  const isHeld = holder?.keyId === regenerated.id
  const isLost = file.address !== undefined && holder === undefined && regenerated.isDefault
  const baseUrl = stored?.baseUrl ?? file.address
  if ((isHeld || isLost) && baseUrl !== undefined) {
    writeCredentials(file.credentials, { baseUrl, apiKey: regenerated.key })
  }
  return regenerated
}

/** The owner of this key; `undefined` when it is no longer valid. */
async function keyHolder(service: Service, key: string): Promise<Principal | undefined> {
  try {
    return await service.authenticate(key)
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthenticated') return undefined
    throw error
  }
}

/** The app's key operations that also affect this machine. */
export interface KeysService {
  /**
   * As `service.keys.regenerate`. Programs on this machine that read the old value from credentials.json continue with
   * the new one.
   */
  regenerate(ref: {
    readonly account: string
    readonly key: string
    readonly by: ActivityActor
  }): Promise<KeyView & { readonly key: string }>
}
