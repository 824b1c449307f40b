import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import type { Memory } from '../../src/domain/memory.ts'
import type { McpContext } from '../../src/mcp/mcp-context.ts'
import { createMcpServer } from '../../src/mcp/mcp-server.ts'

const RESULT = z.looseObject({
  content: z.tuple([z.looseObject({ type: z.literal('text'), text: z.string() })]),
  structuredContent: z.looseObject({}).optional(),
  isError: z.boolean().optional(),
})

export interface McpInProcess {
  readonly client: Client
  /** Of defects, in the order in which they were reported. */
  readonly reported: Error[]
  /** The structure of a result, which must be said twice in the same words. */
  call(tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>>
  /** The result of a tool that answers with a text and nothing else. */
  text(tool: string, args: Record<string, unknown>): Promise<string>
  /** The sentences of a call that must fail. */
  failure(tool: string, args: Record<string, unknown>): Promise<string>
}

/** The MCP server with every tool over this memory, and a client beside it in the same process. */
export async function mcpInProcess(memory: Memory): Promise<McpInProcess> {
  const reported: Error[] = []
  const context: McpContext = {
    memory: async () => memory,
    serviceUrl: () => 'http://127.0.0.1:7411',
    version: '1.0.0',
    tools: ['recall', 'ask', 'open', 'recent', 'remember', 'forget', 'search'],
    userName: 'Ada Lovelace',
    report: (error) => void reported.push(error),
  }
  const [near, far] = InMemoryTransport.createLinkedPair()
  const server = createMcpServer(context)
  await server.connect(far)
  const client = new Client({ name: 'test-host', version: '1.0.0' })
  await client.connect(near)
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  const called = async (name: string, args: Record<string, unknown>) =>
    RESULT.parse(await client.callTool({ name, arguments: args }))
  return {
    client,
    reported,
    async call(tool, args) {
      const { content, structuredContent, isError } = await called(tool, args)
      if (isError === true || structuredContent === undefined) throw new Error(content[0].text)
      if (content[0].text !== JSON.stringify(structuredContent)) throw new Error(`${tool} says different things`)
      return structuredContent
    },
    async text(tool, args) {
      const { content, structuredContent, isError } = await called(tool, args)
      if (isError === true || structuredContent !== undefined) throw new Error(content[0].text)
      return content[0].text
    },
    async failure(tool, args) {
      const { content, isError } = await called(tool, args)
      if (isError !== true) throw new Error(`${tool} did not fail: ${content[0].text}`)
      return content[0].text
    },
  }
}
