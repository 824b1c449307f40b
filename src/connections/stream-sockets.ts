import { z } from 'zod'
import { streamSpoolFolder } from '../connector/stream-spool.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Connection } from '../sync/connection.ts'
import { createStreamListener } from '../sync/stream-listener.ts'

/** Of the connector `stream`; its own schema has checked it. */
const withSocket = z.object({ socket: z.union([z.string(), z.number()]) })

/** The sockets of the connector `stream`; disposed, none is open. */
export interface StreamSockets extends AsyncDisposable {
  /**
   * Listens for lines wherever one of these connections sets a `socket`, and nowhere else. What was acknowledged lies in
   * the spool, and is memorized by the next run of the connection.
   *
   * @throws SourceError `reconfigure` when a socket cannot be opened; those before it are open then
   */
  listenFor(connections: readonly Connection[]): Promise<void>
}

export function createStreamSockets(parts: {
  readonly spoolFolder: string
  readonly userHome: string
  readonly clock: Clock
  readonly log: Log
}): StreamSockets {
  const { spoolFolder, userHome, clock, log } = parts
  const open = new Map<string, { readonly socket: string | number; close(): Promise<void> }>()
  const closeAllBut = async (wanted: ReadonlyMap<string, string | number>) => {
    for (const [name, { socket, close }] of open) {
      if (wanted.get(name) === socket) continue
      open.delete(name)
      await close()
    }
  }
  return {
    async listenFor(connections) {
      const wanted = new Map(connections.flatMap((connection) => socketOf(connection, userHome)))
      await closeAllBut(wanted)
      for (const [name, socket] of wanted) {
        if (open.has(name)) continue
        const folder = streamSpoolFolder(spoolFolder, name)
        const listener = await createStreamListener({ socket, spoolFolder: folder, clock, log })
        open.set(name, { socket, close: () => listener.close() })
        log.info({ connector: 'stream', name }, 'the stream is listening')
      }
    },
    [Symbol.asyncDispose]: () => closeAllBut(new Map()),
  }
}

function socketOf({ connector, config }: Connection, userHome: string): [name: string, socket: string | number][] {
  const data = connector.manifest.id === 'stream' ? withSocket.safeParse(config).data : undefined
  if (data === undefined) return []
  const { socket } = data
  return [[config.name, typeof socket === 'string' ? socket.replace(/^~(?=\/)/, () => userHome) : socket]]
}
