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
  context: McpContext,
  { stdin, stdout }: StdioStreams,
  stop: AbortSignal,
  report: (error: Error) => void,
): Promise<void> {
  const transport = new StdioServerTransport(stdin, stdout)
  const handle = serve(() => createMcpServer(context), { transport, onerror: report })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  for (const event of ['end', 'close']) stdin.once(event, () => resolve())
  for (const event of ['error', 'close']) stdout.once(event, () => resolve())
  if (stop.aborted) resolve()
  stop.addEventListener('abort', () => resolve(), { once: true })
  await ended
  await handle.close()
}
