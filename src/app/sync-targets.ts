import { CONNECTORS } from '../../connectors/index.ts'
import { AppError } from '../domain/errors.ts'
import { closestName } from '../kit/closest-name.ts'
import type { Connection } from '../sync/connection.ts'
import { type ConnectorRegistry, standaloneConnection, unknownConnector } from './connections.ts'

/**
 * The connections that a person names: a connector (all of its connections, paused or not) or `connector/name`.
 *
 * @throws AppError `invalid` for a name that is neither, with what there is
 */
export async function namedConnections(
  names: readonly string[],
  configured: readonly Connection[],
  registry: ConnectorRegistry = CONNECTORS,
): Promise<Connection[]> {
  const found = new Map<string, Connection>()
  for (const name of names) {
    for (const connection of await connectionsNamed(name, configured, registry))
      found.set(keyOf(connection), connection)
  }
  return [...found.values()]
}

async function connectionsNamed(
  typed: string,
  configured: readonly Connection[],
  registry: ConnectorRegistry,
): Promise<Connection[]> {
  const slash = typed.indexOf('/')
  const id = slash < 0 ? typed : typed.slice(0, slash)
  const name = slash < 0 ? undefined : typed.slice(slash + 1)
  const load = Object.hasOwn(registry, id) ? registry[id] : undefined
  if (load === undefined) throw new AppError('invalid', capital(unknownConnector(id, Object.keys(registry))))
  const ofConnector = configured.filter(({ connector }) => connector.manifest.id === id)
  const chosen = name === undefined ? ofConnector : ofConnector.filter(({ config }) => config.name === name)
  if (chosen.length > 0) return chosen
  if (ofConnector.length === 0) {
    const standalone = standaloneConnection(await load())
    if (standalone !== undefined && (name ?? standalone.config.name) === standalone.config.name) return [standalone]
  }
  throw new AppError('invalid', notFound(id, name, ofConnector))
}

function notFound(id: string, name: string | undefined, ofConnector: readonly Connection[]): string {
  const there = ofConnector.map(({ config }) => config.name)
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
