import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Memory } from '../domain/memory.ts'
import type { McpContext } from './mcp-context.ts'
import { failure } from './tool-result.ts'

/** Does the work of a tool with the memory; what goes wrong becomes words that the model can act on. */
export async function withMemory(
  context: McpContext,
  work: (memory: Memory) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  try {
    return await work(await context.memory())
  } catch (error) {
    return failure(error, context)
  }
}
