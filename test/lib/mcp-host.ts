import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioClientTransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as StreamableHTTPClientTransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

/**
 * The hosts there are: the SDK's client in the current and in the older protocol, the same finding out which of both,
 * and the client of the SDK before.
 */
export const MCP_HOSTS = ['2026-07-28', 'legacy', 'auto', 'v1'] as const
export type McpHostKind = (typeof MCP_HOSTS)[number]

const RESULT = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  structuredContent: z.looseObject({}).optional(),
  isError: z.boolean().optional(),
})
export type McpToolResult = z.output<typeof RESULT>

/** A host of agents, as far as the tests use one. */
export interface McpHost {
  readonly client: Client | ClientV1
  call(tool: string, args?: Record<string, unknown>): Promise<McpToolResult>
  /** The text of a call that must succeed, with nothing beside it. */
  text(tool: string, args?: Record<string, unknown>): Promise<string>
  /** What a failed call says; it must be a failure. */
  failure(tool: string, args?: Record<string, unknown>): Promise<string>
  close(): Promise<void>
}

const INFO = { name: 'test-host', version: '1.0.0' }

/** Connected to `/mcp`, and closed when the test ends. */
export async function httpHost(
  kind: McpHostKind,
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
): Promise<McpHost> {
  const url = new URL(`${baseUrl}/mcp`)
  const requestInit = { headers: { ...headers } }
  return kind === 'v1'
    ? connectedV1(new StreamableHTTPClientTransportV1(url, { requestInit }))
    : connected(kind, new StreamableHTTPClientTransport(url, { requestInit }))
}

export interface Command {
  readonly command: string
  readonly args: string[]
  readonly env: Record<string, string>
}

/** Starts a server as a desktop host does, and ends it when the test ends. */
export async function stdioHost(kind: McpHostKind, { command, args, env }: Command): Promise<McpHost> {
  const started = { command, args, env, stderr: 'ignore' as const }
  return kind === 'v1'
    ? connectedV1(new StdioClientTransportV1(started))
    : connected(kind, new StdioClientTransport(started))
}

async function connected(kind: Exclude<McpHostKind, 'v1'>, transport: Transport): Promise<McpHost> {
  const mode = kind === '2026-07-28' ? { pin: kind } : kind
  const client = new Client(INFO, { versionNegotiation: { mode } })
  await client.connect(transport)
  return host(client, (name, args) => client.callTool({ name, arguments: args }))
}

async function connectedV1(transport: Parameters<ClientV1['connect']>[0]): Promise<McpHost> {
  const client = new ClientV1(INFO)
  await client.connect(transport)
  return host(client, (name, args) => client.callTool({ name, arguments: args }))
}

function host(
  client: Client | ClientV1,
  callTool: (name: string, args: Record<string, unknown>) => Promise<unknown>,
): McpHost {
  const close = () => client.close()
  onTestFinished(close)
  const call = async (tool: string, args = {}) => RESULT.parse(await callTool(tool, args))
  return {
    client,
    call,
    async text(tool, args) {
      const { content, structuredContent, isError } = await call(tool, args)
      const [{ text } = { text: undefined }, ...others] = content
      if (isError === true || text === undefined || structuredContent !== undefined || others.length > 0)
        throw new Error(`${tool} answered otherwise: ${JSON.stringify(content)}`)
      return text
    },
    async failure(tool, args) {
      const { isError, content } = await call(tool, args)
      if (isError !== true) throw new Error(`${tool} did not fail: ${JSON.stringify(content)}`)
      return content.map(({ text }) => text ?? '').join('\n')
    },
    close,
  }
}
