import { createMcpHandler } from '@modelcontextprotocol/server'
import { MOST_MESSAGE_BYTES } from './limits.ts'
import type { McpContext } from './mcp-context.ts'
import { createMcpServer } from './mcp-server.ts'

/**
 * Answers one request of streamable HTTP without a session. Who asks, and whether they may, was found out before: the
 * memory of the context is bound to their key.
 *
 * @param request its signal ends the call when the host goes away
 * @param message the body of the request, read; absent when it is no JSON
 */
export async function handleMcp(request: Request, message: unknown, context: McpContext): Promise<Response> {
  const handler = createMcpHandler(() => createMcpServer(context), {
    onerror: context.report,
    maxRequestBodySize: MOST_MESSAGE_BYTES,
  })
  return handler.fetch(request, { parsedBody: message })
}
