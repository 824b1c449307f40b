import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { CONNECTORS } from '../../connectors/index.ts'
import { issueSentence } from '../config/field-schema.ts'
import type { FileSection } from '../config/file-section.ts'
import { homeFiles } from '../config/home-folder.ts'
import { type Config, connectorSection } from '../config.ts'
import type { ConnectionConfig, Connector } from '../connector/connector.ts'
import { AppError } from '../domain/errors.ts'
import { MOST_RETENTION_DAYS } from '../domain/retention.ts'
import { closestName } from '../lib/closest-name.ts'
import type { Connection } from '../sync/connection.ts'
import type { ConnectionRetention } from '../sync/forget-expired.ts'
import { scheduleProblem } from '../sync/schedule.ts'

/** Connectors by id, loaded on first use. */
export type ConnectorRegistry = Readonly<Record<string, () => Promise<Connector>>>

const MAPPING = z.record(z.string(), z.unknown())

/** The section `connectors` of config.yaml. */
export interface ConfiguredConnections {
  /** Valid connections. */
  readonly connections: readonly Connection[]
  /** Invalid connections, which do not affect the others. */
  readonly wrong: readonly WrongConnection[]
}

export interface WrongConnection {
  readonly connector: string
  /** The configured name; `#2` for the second entry without one; `*` for all connections of the connector. */
  readonly name: string
  /** Names file, line, connection and setting, and what is accepted there; never a value. */
  readonly problem: AppError
}

/**
 * The connections of config.yaml, in its order. Only configured connectors are loaded.
 * @throws AppError `invalid` when the section as a whole is invalid
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
    throw invalid(section, [], 'connectors must be a mapping, such as connectors: {claude_code: [{name: me}]}')
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

/** @throws AppError `invalid` for an unknown connector, or if its value is not a list of connections */
async function connectorOf(
  { section, id, entries }: ConnectorEntries,
  registry: ConnectorRegistry,
): Promise<[Connector, readonly unknown[]]> {
  const load = Object.hasOwn(registry, id) ? registry[id] : undefined
  if (load === undefined) throw invalid(section, [id], unknownConnector(id, Object.keys(registry)))
  if (entries instanceof AppError) throw entries
  if (!Array.isArray(entries)) {
    throw invalid(section, [id], `${id} must be a list of connections, such as ${id}: [{name: me}]`)
  }
  return [await load(), entries]
}

/** Errors other than the person's are defects. */
function ofPerson(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}

/** The default connection, named `me`, of a connector without required settings; `undefined` for others. */
export function standaloneConnection(connector: Connector): Connection | undefined {
  if (connector.manifest.auth !== 'none') return undefined
  const parsed = connector.manifest.config.safeParse({ name: 'me' })
  return parsed.success ? { connector, config: parsed.data } : undefined
}

/** The message for an unknown connector. */
function unknownConnector(id: string, known: readonly string[]): string {
  const meant = closestName(id, known)
  return `unknown connector ${id}. ${meant === undefined ? `Choose one of: ${known.join(', ')}` : `Did you mean ${meant}?`}`
}

interface Entry {
  readonly connector: Connector
  readonly entry: unknown
  /** The previous entries. */
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
    throw invalid(section, path, `connection ${index + 1} of ${id} must be a mapping, such as {name: me}`)
  }
  // An empty value sets nothing, as everywhere in config.yaml.
  const given = Object.fromEntries(Object.entries(settings.data).filter(([, value]) => value !== null))
  if (given.name === undefined) {
    throw invalid(section, path, `connection ${index + 1} of ${id} has no name. Add one, such as {name: me}`)
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
    throw invalid(section, [...path, 'name'], `${id} has two connections named ${config.name}. Rename one.`)
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

/** The location of the first invalid part of a value. */
function errorIn(value: unknown): AppError | undefined {
  if (value instanceof AppError) return value
  if (typeof value !== 'object' || value === null) return undefined
  for (const part of Object.values(value)) {
    const found = errorIn(part)
    if (found !== undefined) return found
  }
  return undefined
}

/** The name of a setting follows connector and index in the path. */
function settingOf([, , setting]: readonly PropertyKey[]): { readonly field?: string } {
  return typeof setting === 'string' ? { field: setting } : {}
}

function invalid(section: FileSection, path: readonly PropertyKey[], sentence: string): AppError {
  return new AppError('invalid', sentence, { ...settingOf(path), location: section.where(path) })
}

/**
 * The requested connections: a connector (all of its connections, including paused ones) or `connector/name`.
 * @throws AppError `invalid` for other names, listing the available ones
 */
export async function namedConnections(
  names: readonly string[],
  configured: ConfiguredConnections,
  registry: ConnectorRegistry = CONNECTORS,
): Promise<ConfiguredConnections> {
  const found = new Map<string, Connection>()
  const wrong = new Set<WrongConnection>()
  for (const name of names) {
    const named = await connectionsNamed(name, configured, registry)
    for (const connection of named.connections) found.set(keyOf(connection), connection)
    for (const one of named.wrong) wrong.add(one)
  }
  return { connections: [...found.values()], wrong: [...wrong] }
}

async function connectionsNamed(
  typed: string,
  configured: ConfiguredConnections,
  registry: ConnectorRegistry,
): Promise<ConfiguredConnections> {
  const slash = typed.indexOf('/')
  const id = slash < 0 ? typed : typed.slice(0, slash)
  const name = slash < 0 ? undefined : typed.slice(slash + 1)
  const load = Object.hasOwn(registry, id) ? registry[id] : undefined
  if (load === undefined) throw new AppError('invalid', capital(unknownConnector(id, Object.keys(registry))))
  const ofConnector = configured.connections.filter(({ connector }) => connector.manifest.id === id)
  const wrong = configured.wrong.filter(({ connector }) => connector === id)
  const isMeant = (each: string) => name === undefined || each === name || each === '*'
  const connections = ofConnector.filter(({ config }) => isMeant(config.name))
  const wrongOnes = wrong.filter((one) => isMeant(one.name))
  if (connections.length + wrongOnes.length > 0) return { connections, wrong: wrongOnes }
  if (ofConnector.length + wrong.length === 0) {
    const standalone = standaloneConnection(await load())
    if (standalone !== undefined && isMeant(standalone.config.name)) return { connections: [standalone], wrong: [] }
  }
  const there = [...ofConnector.map(({ config }) => config.name), ...wrong.map((one) => one.name)]
  throw new AppError(
    'invalid',
    notFound(id, name, there),
    there.length === 0 ? { advice: { action: 'connect', source: id, oauth: false } } : {},
  )
}

function notFound(id: string, name: string | undefined, there: readonly string[]): string {
  if (there.length === 0) return `${id} is not configured. Connect it, or add it to connectors in config.yaml.`
  const meant = closestName(name ?? '', there)
  const choice = `Choose one of: ${there.map((one) => `${id}/${one}`).join(', ')}`
  return `Unknown connection ${id}/${name}. ${meant === undefined ? choice : `Did you mean ${id}/${meant}?`}`
}

function keyOf({ connector, config }: Connection): string {
  return `${connector.manifest.id}/${config.name}`
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

const SECTION = z.record(z.string(), z.array(z.unknown()).nullable().catch(null))
const ENTRY = z.looseObject({ name: z.string(), retention_days: z.unknown() })
const DAYS = z.int().min(1).max(MOST_RETENTION_DAYS)

/** Read at each call, because the app may have changed the file. */
export function connectionsOfHome(
  { home }: Pick<Config, 'home'>,
  env: Readonly<Record<string, string | undefined>>,
  registry: ConnectorRegistry = CONNECTORS,
): () => Promise<readonly ConnectionRetention[]> {
  const file = homeFiles(home).config
  return async () =>
    connectionRetention(existsSync(file) ? connectorSection(readFileSync(file, 'utf8'), env) : undefined, registry)
}

/**
 * Connections with their own retention. Other settings are not validated: an error that prevents a run, such as a
 * variable only the scheduler has, does not change the retention.
 * @throws AppError `invalid` for invalid days, so that no mistake shortens the retention
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
  return new AppError('invalid', sentence, {
    field: 'retention_days',
    ...(section && { location: section.where(path) }),
  })
}
