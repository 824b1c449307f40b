import { setTimeout as delay } from 'node:timers/promises'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { AppError } from '../domain/errors.ts'
import type { Memory } from '../domain/memory.ts'
import { cleanLine } from './clean-text.ts'
import type { McpContext } from './mcp-context.ts'

/**
 * Text without structured content: given both, some hosts show the model the text, some the structure, some both. Text
 * alone is shown once and without JSON escapes by all hosts (decision 41).
 */
export function textAnswer(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}

/** Text and structured content, for programs and ChatGPT. */
export function answer(payload: object): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(payload) }], structuredContent: { ...payload } }
}

const MOST_SENTENCE = 600

/** The problem and its remedy as text, because hosts don't show structured content of errors. */
function failure(error: unknown, context: McpContext): CallToolResult {
  return { content: [{ type: 'text', text: failureText(error, context) }], isError: true }
}

/** The error's text. Unexpected errors are reported and not shown. */
export function failureText(error: unknown, context: McpContext): string {
  const serviceUrl = context.serviceUrl()
  if (!(error instanceof AppError)) {
    // A canceled call ends with the reason of its cancellation.
    if (error instanceof Error && error.name !== 'AbortError') context.report(error)
    return `The memory service at ${serviceUrl} failed unexpectedly. \`recalld doctor\` looks for the cause.`
  }
  const { code, retryAfterSeconds } = error
  // Another server may return anything.
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

/** How to start the service, if it isn't running. */
function startText({ advice }: AppError): string {
  if (advice?.action === 'start_service') return ' Start it with `recalld up`.'
  return advice?.action === 'create_key' ? ' The first `recalld up` creates one.' : ''
}

/** Retries, because agents call several tools at once, and most give up after one error. */
const MOST_RETRIES = 3
/** Longer waits are left to the agent, because hosts cancel slow calls. */
const LONGEST_WAIT_SECONDS = 2

/**
 * Runs a tool. Errors become text that the model can act on. Retries when the service is overloaded and states when to
 * retry.
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
      // Random, so that refused calls do not all retry at the same moment.
      await delay(seconds * 1_000 * (1 + Math.random()))
    }
  }
}

/** Seconds to wait if a retry is safe and may succeed. */
function retryAfter(error: unknown): number | undefined {
  if (!(error instanceof AppError) || error.code !== 'unavailable') return undefined
  const { retryAfterSeconds: seconds } = error
  return seconds !== undefined && seconds <= LONGEST_WAIT_SECONDS ? seconds : undefined
}
