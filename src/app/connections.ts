import { z } from 'zod'
import { CONNECTORS } from '../../connectors/index.ts'
import type { FileSection } from '../config/file-section.ts'
import { issueSentence } from '../config/issue-sentence.ts'
import type { ConnectionConfig, Connector } from '../connector/connector.ts'
import { AppError } from '../domain/errors.ts'
import { closestName } from '../kit/closest-name.ts'
import type { Connection } from '../sync/connection.ts'
import { scheduleProblem } from '../sync/schedule-times.ts'

/** Connectors by id, each loaded when it is used. */
export type ConnectorRegistry = Readonly<Record<string, () => Promise<Connector>>>

const MAPPING = z.record(z.string(), z.unknown())

/**
 * The connections of config.yaml, in its order. Only connectors that are configured are loaded.
 *
 * @throws AppError `invalid`, naming file, line, connection and setting, and what is allowed there; never a value
 */
export async function configuredConnections(
  section: FileSection | undefined,
  registry: ConnectorRegistry = CONNECTORS,
): Promise<Connection[]> {
  if (section === undefined) return []
  const content = MAPPING.safeParse(section.read())
  if (!content.success) {
    throw invalid(section, [], 'connectors must be a mapping, as in connectors: {claude_code: [{name: me}]}')
  }
  const connections: Connection[] = []
  for (const [id, entries] of Object.entries(content.data)) {
    const load = Object.hasOwn(registry, id) ? registry[id] : undefined
    if (load === undefined) throw invalid(section, [id], unknownConnector(id, Object.keys(registry)))
    // Everything below the key may be commented out.
    if (entries === null) continue
    if (!Array.isArray(entries)) {
      throw invalid(section, [id], `${id} must be a list of connections, as in ${id}: [{name: me}]`)
    }
    const connector = await load()
    for (const [index, entry] of entries.entries()) {
      const config = checkedConfig(connector, entry, { section, path: [id, index] })
      if (connections.some((other) => other.connector === connector && other.config.name === config.name)) {
        throw invalid(section, [id, index, 'name'], `${id} has two connections with the name ${config.name}`)
      }
      connections.push({ connector, config })
    }
  }
  return connections
}

/** The connection, named `me`, of a connector that needs neither a token nor settings; `undefined` when it needs some. */
export function standaloneConnection(connector: Connector): Connection | undefined {
  if (connector.manifest.auth !== 'none') return undefined
  const parsed = connector.manifest.config.safeParse({ name: 'me' })
  return parsed.success ? { connector, config: parsed.data } : undefined
}

/** Sentence for a name that no connector has. */
export function unknownConnector(id: string, known: readonly string[]): string {
  const meant = closestName(id, known)
  return `there is no connector ${id}${meant === undefined ? '.' : `; did you mean ${meant}?`} There are: ${known.join(', ')}`
}

interface Place {
  readonly section: FileSection
  readonly path: readonly [string, number]
}

function checkedConfig({ manifest }: Connector, entry: unknown, { section, path }: Place): ConnectionConfig {
  const settings = MAPPING.safeParse(entry)
  const [id, index] = path
  if (!settings.success) {
    throw invalid(section, path, `connection ${index + 1} of ${id} must be a mapping, as in {name: me}`)
  }
  // An empty value sets nothing, as everywhere in config.yaml.
  const given = Object.fromEntries(Object.entries(settings.data).filter(([, value]) => value !== null))
  if (given.name === undefined) {
    throw invalid(section, path, `connection ${index + 1} of ${id} has no name; give it one, as in {name: me}`)
  }
  const which = typeof given.name === 'string' ? `${id}/${given.name}` : `connection ${index + 1} of ${id}`
  const parsed = manifest.config.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    if (issue === undefined) throw parsed.error
    const at = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
    throw invalid(section, [...path, ...at], `${which}: ${issueSentence(issue, manifest.config, given)}`)
  }
  const config = parsed.data
  const problem = config.schedule === undefined ? undefined : scheduleProblem(config.schedule)
  if (problem === undefined) return config
  const sentence = `${which}: schedule must be a cron expression such as "*/15 * * * *", but is "${config.schedule}": ${problem}`
  throw invalid(section, [...path, 'schedule'], sentence)
}

function invalid(section: FileSection, path: readonly PropertyKey[], sentence: string): AppError {
  return new AppError('invalid', `${section.where(path)}: ${sentence}`)
}
