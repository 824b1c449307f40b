import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio as serve } from '@modelcontextprotocol/server/stdio'
import type { McpContext } from './mcp-context.ts'
import { createMcpServer } from './mcp-server.ts'

export interface StdioStreams {
  readonly stdin: Readable
  /** Nothing but the protocol may be written to it. */
  readonly stdout: Writable
}

/**
 * Serves one host until it closes its end, and answers both generations of the protocol.
 *
 * @param stop ends it early
 * @param report of messages that could not be read or answered; never shown to the host
 */
export async function serveStdio(
  context: Omit<McpContext, 'report'>,
  { stdin, stdout }: StdioStreams,
  stop: AbortSignal,
  report: (error: Error) => void,
): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let isOver = false
  const end = () => {
    isOver = true
    resolve()
  }
  // Before the transport listens: calls that the host's end cuts off are no faults to report.
  for (const event of ['end', 'close']) stdin.once(event, end)
  for (const event of ['error', 'close']) stdout.once(event, end)
  if (stop.aborted) end()
  stop.addEventListener('abort', end, { once: true })
  const transport = new StdioServerTransport(stdin, stdout)
  const reportFault = (error: Error) => {
    if (!isOver) report(error)
  }
  const handle = serve(() => createMcpServer({ ...context, report: reportFault }), { transport, onerror: reportFault })
  await ended
  await handle.close()
}
