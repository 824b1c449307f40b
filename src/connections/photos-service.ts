import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { unbudgeted } from './check-source.ts'
import { configuredConnections, namedConnections } from './configured-connections.ts'
import type { HomeAccess, SyncOptions } from './open-sync.ts'

/** Photos that a person picks in a browser, as commands use it; the composition root makes it. */
export interface PhotosService extends AsyncDisposable {
  /**
   * Has the person pick photos for a connection of `photos`; its next run takes what was picked.
   *
   * @returns how many
   * @throws AppError `invalid` when no such connection is configured, or several and none is named; those of the source
   */
  pick(options: PhotoPick): Promise<number>
}

interface PhotoPick {
  /** Of the connection; only needed when there are several. */
  readonly name?: string | undefined
  readonly signal: AbortSignal
  /** Called once, with the address that the person opens. */
  readonly onAddress: (url: string) => void
}

const CONNECTOR = 'photos'

/** Picking photos by hand. The home is opened, and made where there is none, when somebody picks. */
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
      // When the person gives up, the session is still ended.
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
