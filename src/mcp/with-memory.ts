import { setTimeout as delay } from 'node:timers/promises'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { AppError } from '../domain/errors.ts'
import type { Memory } from '../domain/memory.ts'
import type { McpContext } from './mcp-context.ts'
import { failure } from './tool-result.ts'

/** Agents call several tools at once, and most give up on the first error. */
const MOST_RETRIES = 3
/** What an overloaded service asks for; longer waits are left to the agent, whose host ends slow calls. */
const LONGEST_WAIT_SECONDS = 2

/**
 * Does the work of a tool with the memory; what goes wrong becomes words that the model can act on. When the service is
 * overloaded and says when to come back, the work is tried again.
 */
export async function withMemory(
  context: McpContext,
  work: (memory: Memory) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  for (let retries = 0; ; retries++) {
    try {
      return await work(await context.memory())
    } catch (error) {
      const seconds = retryAfter(error)
      if (seconds === undefined || retries === MOST_RETRIES) return failure(error, context)
      // Spread out, so that refused calls do not all come back at the same moment.
      await delay(seconds * 1_000 * (1 + Math.random()))
    }
  }
}

/** Seconds, where the service refused before it did anything and waiting helps. */
function retryAfter(error: unknown): number | undefined {
  if (!(error instanceof AppError) || error.code !== 'unavailable') return undefined
  const { retryAfterSeconds: seconds } = error
  return seconds !== undefined && seconds <= LONGEST_WAIT_SECONDS ? seconds : undefined
}
