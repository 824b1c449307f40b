import { z } from 'zod'
import { CONNECTORS } from '../../connectors/index.ts'
import type { FileSection } from '../config/file-section.ts'
import { issueSentence } from '../config/issue-sentence.ts'
import type { ConnectionConfig, Connector } from '../connector/connector.ts'
import { AppError } from '../domain/errors.ts'
import { closestName } from '../lib/closest-name.ts'
import type { Connection } from '../sync/connection.ts'
import { scheduleProblem } from '../sync/schedule-times.ts'

/** Connectors by id, each loaded when it is used. */
export type ConnectorRegistry = Readonly<Record<string, () => Promise<Connector>>>

const MAPPING = z.record(z.string(), z.unknown())

/** What stands below `connectors` in config.yaml. */
export interface ConfiguredConnections {
  /** Those that can run. */
  readonly connections: readonly Connection[]
  /** Those that cannot before they are corrected; they keep no other from running. */
  readonly wrong: readonly WrongConnection[]
}

export interface WrongConnection {
  readonly connector: string
  /** As configured; `#2` when the second has none; `*` when all connections of the connector are meant. */
  readonly name: string
  /** Names file, line, connection and setting, and what is allowed there; never a value. */
  readonly problem: AppError
}

/**
 * The connections of config.yaml, in its order. Only connectors that are configured are loaded.
 *
 * @throws AppError `invalid` when the section as a whole is not what it should be
 */
export async function configuredConnections(
  section: FileSection | undefined,
  registry: ConnectorRegistry = CONNECTORS,
): Promise<ConfiguredConnections> {
  const connections: Connection[] = []
  const wrong: WrongConnection[] = []
  if (section === undefined) return { connections, wrong }
  const content = MAPPING.safeParse(section.readWithErrors())
  if (!content.success) {
    throw invalid(section, [], 'connectors must be a mapping, as in connectors: {claude_code: [{name: me}]}')
  }
  for (const [id, entries] of Object.entries(content.data)) {
    // Everything below the key may be commented out.
    if (entries === null && Object.hasOwn(registry, id)) continue
    try {
      const [connector, list] = await connectorOf({ section, id, entries }, registry)
      for (const [index, entry] of list.entries()) {
        try {
          connections.push({ connector, config: checkedConfig({ connector, entry, connections, section, index }) })
        } catch (error) {
          wrong.push({ connector: id, name: nameIn(entry) ?? `#${index + 1}`, problem: ofPerson(error) })
        }
      }
    } catch (error) {
      wrong.push({ connector: id, name: '*', problem: ofPerson(error) })
    }
  }
  return { connections, wrong }
}

interface ConnectorEntries {
  readonly section: FileSection
  readonly id: string
  readonly entries: unknown
}

/** @throws AppError `invalid` for what is no connector, and for what is no list of its connections */
async function connectorOf(
  { section, id, entries }: ConnectorEntries,
  registry: ConnectorRegistry,
): Promise<[Connector, readonly unknown[]]> {
  const load = Object.hasOwn(registry, id) ? registry[id] : undefined
  if (load === undefined) throw invalid(section, [id], unknownConnector(id, Object.keys(registry)))
  if (entries instanceof AppError) throw entries
  if (!Array.isArray(entries)) {
    throw invalid(section, [id], `${id} must be a list of connections, as in ${id}: [{name: me}]`)
  }
  return [await load(), entries]
}

/** What is no mistake of the person is a defect. */
function ofPerson(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
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

interface Entry {
  readonly connector: Connector
  readonly entry: unknown
  /** Those before it. */
  readonly connections: readonly Connection[]
  readonly section: FileSection
  readonly index: number
}

/** @throws AppError `invalid` */
function checkedConfig({ connector, entry, connections, section, index }: Entry): ConnectionConfig {
  const { manifest } = connector
  const { id } = manifest
  const path = [id, index]
  const unreadable = errorIn(entry)
  if (unreadable !== undefined) throw unreadable
  const settings = MAPPING.safeParse(entry)
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
  if (connections.some((other) => other.connector === connector && other.config.name === config.name)) {
    throw invalid(section, [...path, 'name'], `${id} has two connections with the name ${config.name}`)
  }
  const problem = config.schedule === undefined ? undefined : scheduleProblem(config.schedule)
  if (problem === undefined) return config
  const sentence = `${which}: schedule must be a cron expression such as "*/15 * * * *", but is "${config.schedule}": ${problem}`
  throw invalid(section, [...path, 'schedule'], sentence)
}

function nameIn(entry: unknown): string | undefined {
  const { data } = MAPPING.safeParse(entry)
  return typeof data?.name === 'string' && data.name !== '' ? data.name : undefined
}

/** The first part of a value that could not be read. */
function errorIn(value: unknown): AppError | undefined {
  if (value instanceof AppError) return value
  if (typeof value !== 'object' || value === null) return undefined
  for (const part of Object.values(value)) {
    const found = errorIn(part)
    if (found !== undefined) return found
  }
  return undefined
}

function invalid(section: FileSection, path: readonly PropertyKey[], sentence: string): AppError {
  return new AppError('invalid', `${section.where(path)}: ${sentence}`)
}
