import { z } from 'zod'
import { streamSpoolFolder } from '../connector/stream-spool.ts'
import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { Connection } from '../sync/connection.ts'
import { createStreamListener } from '../sync/stream-listener.ts'

/** Of the connector `stream`; its own schema has checked it. */
const withSocket = z.object({ socket: z.union([z.string(), z.number()]) })

/**
 * Listens for lines wherever a connection of the connector `stream` sets a `socket`, until `stack` is disposed. What was
 * acknowledged lies in the spool, and is memorized by the next run of the connection.
 *
 * @throws SourceError `reconfigure` when a socket cannot be opened
 */
export async function openStreamSockets(
  connections: readonly Connection[],
  parts: {
    readonly spoolFolder: string
    readonly userHome: string
    readonly clock: Clock
    readonly log: Log
  },
  stack: AsyncDisposableStack,
): Promise<void> {
  const { spoolFolder, userHome, clock, log } = parts
  for (const { connector, config } of connections) {
    if (connector.manifest.id !== 'stream') continue
    const { data } = withSocket.safeParse(config)
    if (data === undefined) continue
    const socket = typeof data.socket === 'string' ? data.socket.replace(/^~(?=\/)/, () => userHome) : data.socket
    const folder = streamSpoolFolder(spoolFolder, config.name)
    const listener = await createStreamListener({ socket, spoolFolder: folder, clock, log })
    stack.defer(() => listener.close())
    log.info({ connector: 'stream', name: config.name }, 'the stream is listening')
  }
}
