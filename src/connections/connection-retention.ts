import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { CONNECTORS } from '../../connectors/index.ts'
import type { FileSection } from '../config/file-section.ts'
import { homeFiles } from '../config/home-folder.ts'
import { type Config, connectorSection } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { MOST_RETENTION_DAYS } from '../domain/retention.ts'
import type { ConnectionRetention } from '../sync/forget-expired.ts'
import type { ConnectorRegistry } from './configured-connections.ts'

const SECTION = z.record(z.string(), z.array(z.unknown()).nullable().catch(null))
const ENTRY = z.looseObject({ name: z.string(), retention_days: z.unknown() })
const DAYS = z.int().min(1).max(MOST_RETENTION_DAYS)

/** As the file says at each call: the app may have changed it. */
export function connectionsOfHome(
  { home }: Pick<Config, 'home'>,
  env: Readonly<Record<string, string | undefined>>,
): () => Promise<readonly ConnectionRetention[]> {
  const file = homeFiles(home).config
  return async () =>
    connectionRetention(existsSync(file) ? connectorSection(readFileSync(file, 'utf8'), env) : undefined)
}

/**
 * Connections that keep what they bring for days of their own. Nothing else of them is looked at: what keeps one from
 * running, as a variable that only the scheduler has, does not change how long its items are kept.
 *
 * @throws AppError `invalid` for days that are none: what is to be kept longer must not go by a mistake
 */
export async function connectionRetention(
  section: FileSection | undefined,
  registry: ConnectorRegistry = CONNECTORS,
): Promise<ConnectionRetention[]> {
  const found: ConnectionRetention[] = []
  const content = section === undefined ? undefined : SECTION.safeParse(section.readWithErrors()).data
  for (const [id, entries] of Object.entries(content ?? {})) {
    for (const [index, given] of (entries ?? []).entries()) {
      const entry = ENTRY.safeParse(given).data
      if (entry?.retention_days === undefined || entry.retention_days === null) continue
      const load = Object.hasOwn(registry, id) ? registry[id] : undefined
      if (load === undefined) continue
      const connection = `${id}/${entry.name}`
      const days = DAYS.safeParse(entry.retention_days).data
      if (days === undefined) throw notDays(section, [id, index, 'retention_days'], connection)
      found.push({ connection, sourceTypes: (await load()).manifest.sourceTypes, days })
    }
  }
  return found
}

function notDays(section: FileSection | undefined, path: readonly PropertyKey[], connection: string): AppError {
  const sentence = `${connection}: retention_days must be a number of days from 1 to ${MOST_RETENTION_DAYS}`
  return new AppError('invalid', `${section?.where(path)}: ${sentence}`, { field: 'retention_days' })
}
