import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { unbudgeted } from './check-source.ts'
import { configuredConnections, namedConnections } from './configured-connections.ts'
import type { HomeAccess, SyncOptions } from './open-sync.ts'

/** Picking photos in a browser, for commands; created by the composition root. */
export interface PhotosService extends AsyncDisposable {
  /**
   * Lets the person pick photos for a connection of `photos`; its next run syncs them.
   * @returns how many
   * @throws AppError `invalid` when no such connection is configured, or several and none is named; the errors of the
   * source
   */
  pick(options: PhotoPick): Promise<number>
}

interface PhotoPick {
  /** Name of the connection; required if there are several. */
  readonly name?: string | undefined
  readonly signal: AbortSignal
  /** Called once with the address to open. */
  readonly onAddress: (url: string) => void
}

const CONNECTOR = 'photos'

/** Picking photos manually. The home is opened, and created if needed, on first use. */
export function openPhotos(
  config: Config,
  options: Pick<SyncOptions, 'registry'>,
  homeAccess: Pick<HomeAccess, 'open'>,
): PhotosService {
  const stack = new AsyncDisposableStack()
  return {
    async pick({ name, signal, onAddress }) {
      const configured = await configuredConnections(config.connectors, options.registry)
      const named = name === undefined ? CONNECTOR : `${CONNECTOR}/${name}`
      const { connections, wrong } = await namedConnections([named], configured, options.registry)
      const [connection, another] = connections
      if (another !== undefined) {
        const names = connections.map(({ config: { name } }) => name).join(', ')
        throw new AppError('invalid', `There are several photo connections. Choose one of: ${names}.`)
      }
      if (connection === undefined) throw wrong[0]?.problem ?? new RangeError(`Connection ${named} doesn't exist.`)
      const { connector } = connection
      if (connector.pick === undefined) throw new AppError('invalid', `${CONNECTOR} doesn't support picking.`)
      const { clock, log, machine, grants, userName, timeZone } = (await homeAccess.open(stack)).environment
      // The picker session is ended even if the person cancels.
      const lasting = new AbortController().signal
      const requests = unbudgeted(lasting)
      return connector.pick(
        { onAddress, sleep: (ms) => delay(ms, undefined, { signal }) },
        { config: connection.config, clock, log, signal: lasting, requests, grants, machine, userName, timeZone },
      )
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
