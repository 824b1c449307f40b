import { CONNECTORS } from '../../connectors/index.ts'
import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import type { ConnectorRegistry, WrongConnection } from './configured-connections.ts'
import type { LoadedPackage } from './connector-packages.ts'

/** The connectors that a home can use: the built-in ones, and those of the packages in `connector_packages`. */
export interface HomeConnectors {
  readonly registry: ConnectorRegistry
  readonly packages: readonly LoadedPackage[]
  /** Packages that could not be loaded; the others are not affected. */
  readonly wrong: readonly WrongConnection[]
}

/** Imports the packages, whose code runs with the rights of this process. */
export async function homeConnectors({
  home,
  connectorPackages,
}: Pick<Config, 'home' | 'connectorPackages'>): Promise<HomeConnectors> {
  const registry: Record<string, ConnectorRegistry[string]> = { ...CONNECTORS }
  const packages: LoadedPackage[] = []
  const wrong: WrongConnection[] = []
  for (const name of new Set(connectorPackages)) {
    try {
      const { loadConnectorPackage } = await import('./connector-packages.ts')
      const loaded = await loadConnectorPackage(name, home)
      checkIds(loaded, packages)
      for (const connector of loaded.connectors) registry[connector.manifest.id] = async () => connector
      packages.push(loaded)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      wrong.push({ connector: name, name: '*', problem: error })
    }
  }
  return { registry, packages, wrong }
}

/** @throws AppError `invalid` when an id is taken, because settings and items are stored under it */
function checkIds({ name, connectors }: LoadedPackage, earlier: readonly LoadedPackage[]): void {
  const own = new Set<string>()
  for (const { id } of connectors.map(({ manifest }) => manifest)) {
    const other = earlier.find((one) => one.connectors.some(({ manifest }) => manifest.id === id))
    const owner = Object.hasOwn(CONNECTORS, id) ? 'recalld itself' : own.has(id) ? name : other?.name
    if (owner !== undefined) {
      const problem = `connector_packages: ${name} has a connector ${id}, and so has ${owner}. Remove ${name} from connector_packages.`
      throw new AppError('invalid', problem, { field: 'connector_packages' })
    }
    own.add(id)
  }
}
