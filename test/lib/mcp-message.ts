import { z } from 'zod'

const VERSION = '2026-07-28'
const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'test-host', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

interface McpMessage {
  readonly jsonrpc: '2.0'
  readonly id: number
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** A request of the current protocol; `meta` is added to what it says of the host. */
export function mcpRequest(method: string, params: Record<string, unknown> = {}, meta = {}, id = 1): McpMessage {
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...MODERN_META, ...meta } } }
}

/** What goes with it over HTTP. */
export function mcpHeaders({ method, params }: McpMessage, more: Readonly<Record<string, string>> = {}): Headers {
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...more,
  })
  const name = params.name ?? params.uri
  if (typeof name === 'string') headers.set('mcp-name', name)
  return headers
}

const ANSWER = z.looseObject({ jsonrpc: z.literal('2.0'), method: z.string().optional() })

/** The messages in an answer, whether it is one of them or a stream. */
export function mcpMessages(body: string): z.output<typeof ANSWER>[] {
  const trimmed = body.trim()
  const messages = trimmed.startsWith('{')
    ? [trimmed]
    : trimmed.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []))
  return messages.map((message) => ANSWER.parse(JSON.parse(message)))
}
