import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Memory } from '../domain/memory.ts'
import { fenced, randomFenceId } from '../domain/recalled-fence.ts'
import type { Citation } from '../domain/results.ts'
import { cleanLine, cleanText } from './clean-text.ts'
import type { McpContext } from './mcp-context.ts'
import { MOST_QUERY } from './mcp-context.ts'
import { headerOf, isIdentifier, momentOf, quotation } from './quotation.ts'
import { itemUri } from './resources.ts'
import { hostArguments } from './tool-arguments.ts'
import { answer, NOTICE, withMemory } from './tool-result.ts'

const DESCRIPTION = `Answer one factual question from the user's own memory, with numbered citations ("When does the billing migration start?"). Use it for a single fact; use recall for background, for several things at once, or when you want to read the passages yourself. Says that it found no answer when the evidence is weak: do not fill the gap by guessing.`

const inputSchema = hostArguments({
  question: z.string().min(1).max(MOST_QUERY).describe('One question, in natural language.'),
})

const outputSchema = z.looseObject({
  question: z.string(),
  answer: z.string(),
  abstained: z.boolean(),
  citations: z.array(
    z.looseObject({
      n: z.number(),
      quote: z.string(),
      source: z.string(),
      item_id: z.string(),
      when: z.string().nullable(),
      uri: z.string(),
    }),
  ),
  notice: z.string(),
})

/** Of what the service has to say about its answer. */
const MOST_SAID = 200

/** Hosts end a call that shows no life: Codex after 60 s. */
const PROGRESS_EVERY_MS = 5_000

export function addAskTool(server: McpServer, context: McpContext): void {
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  server.registerTool(
    'ask',
    { title: 'Ask the memory', description: DESCRIPTION, inputSchema, outputSchema, annotations },
    ({ question }, call) =>
      withMemory(context, (memory) =>
        withProgress(call, async () => answer(await answered(question, memory, call.mcpReq.signal))),
      ),
  )
}

async function answered(question: string, memory: Memory, signal: AbortSignal): Promise<object> {
  const result = await memory.ask({ text: question }, { signal })
  const { response, abstained = false, citations = [], notice, fence = randomFenceId() } = result
  return {
    question: cleanLine(question, MOST_QUERY),
    answer: fenced(cleanText(response), fence),
    abstained,
    citations: citations.filter(({ item_id }) => isIdentifier(item_id)).map((citation) => cited(citation, fence)),
    ...(notice !== undefined && { hint: cleanLine(notice, MOST_SAID) }),
    notice: NOTICE,
  }
}

function cited({ n, item_id, source, quote, title, when, url: link }: Citation, fence: string): object {
  return {
    n,
    quote: quotation(cleanText(quote), headerOf({ title, when, link }), fence),
    source,
    item_id,
    when: momentOf(when),
    uri: itemUri(source, item_id),
  }
}

/** Tells a host that asked for it that the work goes on. */
async function withProgress<T>({ mcpReq }: ServerContext, work: () => Promise<T>): Promise<T> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return work()
  let progress = 0
  const tell = async (message: string) => {
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: progress++, message } })
  }
  await tell('Searching the memory')
  const timer = setInterval(
    () => void tell('Still working on the answer').catch(() => clearInterval(timer)),
    PROGRESS_EVERY_MS,
  )
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
