import { CONNECTORS } from '../../connectors/index.ts'
import { AppError } from '../domain/errors.ts'
import { closestName } from '../lib/closest-name.ts'
import type { Connection } from '../sync/connection.ts'
import {
  type ConfiguredConnections,
  type ConnectorRegistry,
  standaloneConnection,
  unknownConnector,
  type WrongConnection,
} from './configured-connections.ts'

/**
 * The connections that a person names: a connector (all of its connections, paused or not) or `connector/name`.
 *
 * @throws AppError `invalid` for a name that is neither, with what there is
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
  throw new AppError(
    'invalid',
    notFound(id, name, [...ofConnector.map(({ config }) => config.name), ...wrong.map((one) => one.name)]),
  )
}

function notFound(id: string, name: string | undefined, there: readonly string[]): string {
  if (there.length === 0) {
    return `${id} is not configured: "recalld connect ${id}" adds it, or add it below connectors in config.yaml.`
  }
  const meant = closestName(name ?? '', there)
  const hint = meant === undefined ? '.' : `; did you mean ${id}/${meant}?`
  return `There is no connection ${id}/${name}${hint} There are: ${there.map((one) => `${id}/${one}`).join(', ')}`
}

function keyOf({ connector, config }: Connection): string {
  return `${connector.manifest.id}/${config.name}`
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
