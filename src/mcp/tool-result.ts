import { setTimeout as delay } from 'node:timers/promises'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { AppError } from '../domain/errors.ts'
import type { Memory } from '../domain/memory.ts'
import { cleanLine } from './clean-text.ts'
import type { McpContext } from './mcp-context.ts'

/**
 * One text and no structure: where there is both, some hosts show the model the text, some the structure and some both; a
 * text alone is shown by all of them, once and without the escapes of JSON (decision 41).
 */
export function textAnswer(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}

/** The payload as text and as structure: programs read it, and ChatGPT wants both. */
export function answer(payload: object): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(payload) }], structuredContent: { ...payload } }
}

const MOST_SENTENCE = 600

/** What went wrong and what to do, in words: hosts show no structure of an error. */
function failure(error: unknown, context: McpContext): CallToolResult {
  return { content: [{ type: 'text', text: failureText(error, context) }], isError: true }
}

/** The same as one text. A defect is reported, and not shown: its message is not written for people. */
export function failureText(error: unknown, context: McpContext): string {
  const serviceUrl = context.serviceUrl()
  if (!(error instanceof AppError)) {
    // A call that nobody waits for ends with the reason for which it was cancelled.
    if (error instanceof Error && error.name !== 'AbortError') context.report(error)
    return `The memory service at ${serviceUrl} failed unexpectedly. \`recalld doctor\` looks for the cause.`
  }
  const { code, retryAfterSeconds } = error
  // Another server may say anything.
  const said = cleanLine(error.message, MOST_SENTENCE)
  const sentence = `${/[.!?…]$/.test(said) ? said : `${said}.`}${startText(error)}`
  switch (code) {
    case 'unauthenticated':
      return `${sentence} The memory service is at ${serviceUrl}; \`recalld keys create\` on its machine makes a key, which belongs in RECALLD_API_KEY.`
    case 'rate_limited':
      return `${sentence} Try again in ${retryAfterSeconds ?? 60} seconds.`
    case 'payment_required':
      return `${sentence} \`recalld billing show\` on its machine says more.`
    case 'internal':
      return `The memory service at ${serviceUrl} failed: ${sentence} \`recalld doctor\` looks for the cause.`
    default:
      return sentence
  }
}

/** How the person starts the service, where that is what is missing. */
function startText({ advice }: AppError): string {
  if (advice?.action === 'start_service') return ' Start it with `recalld up`.'
  return advice?.action === 'create_key' ? ' The first `recalld up` creates one.' : ''
}

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
