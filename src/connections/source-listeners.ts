import type { PushedRef } from '../connector/connector.ts'
import { type Connection, connectionName, type SyncEnvironment } from '../sync/connection.ts'
import { listenToSource } from '../sync/listen.ts'
import type { RunReport } from '../sync/run-report.ts'

interface SourceListeners extends AsyncDisposable {
  /** Listens to those of these connections that want it, and to no other. */
  listenFor(connections: readonly Connection[]): Promise<void>
}

interface ListenersParts {
  readonly environment: SyncEnvironment
  /** One run that reads these items. */
  readonly read: (
    connection: Connection,
    pushed: readonly PushedRef[],
    signal: AbortSignal,
  ) => Promise<RunReport | undefined>
}

/** Reads what sources push, for connections whose settings ask for it; all end when disposed. */
export function createSourceListeners({ environment, read }: ListenersParts): SourceListeners {
  const open = new Map<string, { readonly abort: AbortController; readonly ended: Promise<void> }>()
  const closeAllBut = async (wanted: ReadonlyMap<string, Connection>) => {
    const ending = [...open].filter(([key]) => !wanted.has(key))
    for (const [key, { abort }] of ending) {
      open.delete(key)
      abort.abort()
    }
    await Promise.all(ending.map(([, { ended }]) => ended))
  }
  return {
    async listenFor(connections) {
      const wanted = new Map(
        connections.filter(isListening).map((connection) => [keyOf(connection), connection] as const),
      )
      await closeAllBut(wanted)
      for (const [key, connection] of wanted) {
        if (open.has(key)) continue
        const abort = new AbortController()
        const { signal } = abort
        const ended = listenToSource(connection, environment, {
          signal,
          read: (pushed) => read(connection, pushed, signal),
        })
        open.set(key, { abort, ended })
        environment.log.info(connectionName(connection), 'listening to changes')
      }
    },
    [Symbol.asyncDispose]: () => closeAllBut(new Map()),
  }
}

function isListening({ connector, config }: Connection): boolean {
  return connector.listen !== undefined && (connector.manifest.listening?.isOn(config) ?? false)
}

/** Changes with the settings, so that a new token or selection opens a new connection. */
function keyOf(connection: Connection): string {
  const { connector, name } = connectionName(connection)
  return JSON.stringify([connector, name, connection.config])
}
