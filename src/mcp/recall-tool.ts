import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Memory, RecallQuery } from '../domain/memory.ts'
import { RECALLED_NOTICE, randomFenceId } from '../domain/recalled-fence.ts'
import type { RecallResult } from '../domain/results.ts'
import type { SourceType } from '../domain/source-type.ts'
import { estimateTokens } from '../lib/estimate-tokens.ts'
import { cleanLine } from './clean-text.ts'
import type { McpContext } from './mcp-context.ts'
import { LEAST_TOKENS, MOST_PASSAGES, MOST_QUERY, MOST_TOKENS } from './mcp-context.ts'
import { DETAILS, type Detail, itemsText } from './passage-text.ts'
import { type ChosenPassages, choosePassages } from './passages.ts'
import {
  filterArguments,
  filtersOf,
  hostArguments,
  searchedNote,
  sourcesArgument,
  sourcesOf,
  timeArgument,
} from './tool-arguments.ts'
import { textAnswer, withMemory } from './tool-result.ts'

const DESCRIPTION = `Search the user's own memory: what they wrote, read, said and were told in Slack, mail, meetings, GitHub, documents, browser and earlier sessions with agents. Use it before answering anything that may depend on the user's people, projects, decisions, plans or past work, and whenever they say "as we discussed", "last time" or "remember". Not for general knowledge, nor for files of the open workspace.
Ask in natural language with names and dates ("what did Ada decide about the billing migration in March"). Returns quotations, best first, each under its handle, source and time ([r12.7] slack, 4 March 2026): open reads on from a handle, and recent lists what happened recently. If nothing answers the question, say so rather than guess.`

const DEFAULT_TOKENS: Readonly<Record<Detail, number>> = { brief: 400, normal: 800, full: 2_400 }
const DEFAULT_PASSAGES: Readonly<Record<Detail, number>> = { brief: 6, normal: 12, full: 25 }

const inputSchema = hostArguments({
  query: z.string().min(1).max(MOST_QUERY).describe('What to recall, in natural language.'),
  detail: z
    .enum(DETAILS)
    .default('normal')
    .describe('brief: a sentence or two per passage. full: whole passages with links and item ids.'),
  limit: z.int().min(1).max(MOST_PASSAGES).optional().describe('Maximum number of passages.'),
  max_tokens: z.int().min(LEAST_TOKENS).max(MOST_TOKENS).optional().describe('Maximum tokens of the result.'),
  sources: sourcesArgument,
  ...filterArguments,
  as_of: timeArgument('Only what was known at this time.'),
})

type Arguments = z.output<typeof inputSchema>

export function addRecallTool(server: McpServer, context: McpContext): void {
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  server.registerTool(
    'recall',
    { title: 'Recall from memory', description: DESCRIPTION, inputSchema, annotations },
    (given, { mcpReq }) =>
      withMemory(context, async (memory) => textAnswer(await recalled(given, memory, mcpReq.signal))),
  )
}

/** Minimum number of results to choose from, because neighbors are joined and duplicates dropped. */
const LOOKED_AT = 30

async function recalled(given: Arguments, memory: Memory, signal: AbortSignal): Promise<string> {
  const { detail, limit = DEFAULT_PASSAGES[detail], max_tokens: most = DEFAULT_TOKENS[detail] } = given
  const sources = sourcesOf(given.sources)
  const asOf = given.as_of?.trim()
  const filters = { ...filtersOf(given), ...(asOf && { asOf }) }
  const query = { text: given.query, limit: Math.max(limit, LOOKED_AT), ...filters }
  const result = await recallFrom(memory, sources, query, signal)
  const { fence = randomFenceId() } = result
  const searched = searchedNote(sources, filters)
  // The largest text around the passages.
  const frame = notes(result, { items: [], leftOut: MOST_FOUND, isCut: true }, searched)
  const overhead = estimateTokens([`<recalled:${fence}></recalled:${fence}>`, ...frame].join('\n')) + 1
  const chosen = choosePassages(result, { limit, tokens: most - overhead, detail })
  const text = itemsText(chosen.items, detail, fence)
  return [text, ...notes(result, chosen, searched)].filter((part) => part !== '').join('\n')
}

/** The API accepts one source per query. Scores are comparable between queries, so the results can be merged. */
async function recallFrom(
  memory: Memory,
  sources: readonly SourceType[],
  query: RecallQuery,
  signal: AbortSignal,
): Promise<RecallResult> {
  if (sources.length <= 1) {
    const [source] = sources
    return memory.recall({ ...query, ...(source && { source }) }, { signal })
  }
  const results = await Promise.all(sources.map((source) => memory.recall({ ...query, source }, { signal })))
  const known = results.flatMap(({ confidence }) => confidence ?? [])
  const noted = results.find(({ notice }) => notice !== undefined)
  return {
    trace_id: results[0]?.trace_id ?? '',
    memories: results.flatMap(({ memories }) => memories),
    qa: results.flatMap(({ qa }) => qa),
    chunks: results.flatMap(({ chunks }) => chunks),
    ...(results[0]?.fence !== undefined && { fence: results[0].fence }),
    ...(noted?.notice !== undefined && { notice: noted.notice }),
    ...(known.length > 0 && { confidence: Math.max(...known) }),
  }
}

/** Maximum characters of the service's notice. */
const MOST_SAID = 200
/** Largest count of omitted results, to reserve room for it. */
const MOST_FOUND = 999
/** Below this probability, results may not answer the question. */
const WEAK = 0.5

/** Notes about the result, outside the fence. */
function notes(
  { confidence = 1, notice }: RecallResult,
  { items, leftOut, isCut }: ChosenPassages,
  searched: string,
): string[] {
  const isEmpty = items.length === 0 && leftOut === 0
  return [
    isEmpty ? 'No match. Try other words or a wider time, or tell the user so.' : RECALLED_NOTICE,
    !isEmpty && confidence < WEAK ? 'Weak match: it may not answer the question.' : '',
    leftOut > 0 ? `${leftOut} more: raise max_tokens or limit, or narrow by source, person or time.` : '',
    leftOut === 0 && isCut ? 'Long passages end with …: detail full shows more.' : '',
    searched,
    cleanLine(notice ?? '', MOST_SAID),
  ].filter((note) => note !== '')
}
