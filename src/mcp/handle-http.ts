import { createMcpHandler } from '@modelcontextprotocol/server'
import type { McpContext } from './mcp-context.ts'
import { createMcpServer } from './mcp-server.ts'

/** Longest message of a host, in bytes. */
export const MOST_MESSAGE_BYTES = 4 * 1024 * 1024

/**
 * Answers one request of streamable HTTP without a session. Who asks, and whether they may, was found out before: the
 * memory of the context is bound to their key.
 *
 * @param request its signal ends the call when the host goes away
 */
export async function handleMcp(
  request: Request,
  context: Omit<McpContext, 'report'>,
  report: (error: Error) => void,
): Promise<Response> {
  const handler = createMcpHandler(() => createMcpServer({ ...context, report }), {
    onerror: report,
    maxRequestBodySize: MOST_MESSAGE_BYTES,
  })
  return handler.fetch(request)
}
