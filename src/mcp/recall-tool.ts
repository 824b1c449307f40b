import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Memory, RecallQuery } from '../domain/memory.ts'
import type { RecallResult } from '../domain/results.ts'
import type { SourceType } from '../domain/source-type.ts'
import { cleanLine } from './clean-text.ts'
import type { McpContext } from './mcp-context.ts'
import {
  DEFAULT_CHARACTERS,
  DEFAULT_PASSAGES,
  LEAST_CHARACTERS,
  MOST_CHARACTERS,
  MOST_PASSAGES,
  MOST_QUERY,
} from './mcp-context.ts'
import { choosePassages } from './passages.ts'
import { hostArguments, sourcesArgument, sourcesOf, timeArgument } from './tool-arguments.ts'
import { answer, NOTICE, withMemory } from './tool-result.ts'

const DESCRIPTION = `Search the user's own memory: what they wrote, read, said and were told in Slack, mail, meetings, GitHub, documents, browser and earlier sessions with agents. Use it before answering anything that may depend on the user's people, projects, decisions, plans or past work, and whenever they say "as we discussed", "last time" or "remember". Not for general knowledge, nor for files of the open workspace.
Ask in natural language with names and dates ("what did Ada decide about the billing migration in March"). Returns passages, best first, each with its source and time, and with title, people and link above its words; replaced_by marks what no longer holds. A low confidence means that the results may not answer the question: say so rather than guess.`

const inputSchema = hostArguments({
  query: z.string().min(1).max(MOST_QUERY).describe('What to recall, in natural language.'),
  limit: z.int().min(1).max(MOST_PASSAGES).default(DEFAULT_PASSAGES).describe('Most passages to return.'),
  max_chars: z
    .int()
    .min(LEAST_CHARACTERS)
    .max(MOST_CHARACTERS)
    .default(DEFAULT_CHARACTERS)
    .describe('Most characters to return; more when a result says that it is truncated.'),
  sources: sourcesArgument,
  since: timeArgument('Only what happened from then on: 2026-03-04, 2026-03, "yesterday", "last week".'),
  until: timeArgument('Only what happened before then, or up to the end of a month or of words such as "last week".'),
  as_of: timeArgument('As things stood then: nothing later is found.'),
  person: z.string().max(200).optional().describe('Only what this person says or takes part in.'),
})

// Loose: a field that is added later must not break a host that keeps the schema.
const outputSchema = z.looseObject({
  query: z.string(),
  searched: z.looseObject({ sources: z.string(), since: z.string().nullable(), until: z.string().nullable() }),
  results: z.array(
    z.looseObject({
      id: z.string(),
      text: z.string(),
      source: z.string(),
      item_id: z.string(),
      when: z.string().nullable(),
      uri: z.string(),
      score: z.number(),
      also_in: z.array(z.string()).optional(),
      replaces: z.array(z.string()).optional(),
      replaced_by: z.string().optional(),
    }),
  ),
  confidence: z.number().nullable(),
  total: z.number(),
  truncated: z.boolean(),
  hint: z.string().nullable(),
  notice: z.string(),
})

type Arguments = z.output<typeof inputSchema>

export function addRecallTool(server: McpServer, context: McpContext): void {
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  server.registerTool(
    'recall',
    { title: 'Recall from memory', description: DESCRIPTION, inputSchema, outputSchema, annotations },
    (given, { mcpReq }) => withMemory(context, async (memory) => answer(await recalled(given, memory, mcpReq.signal))),
  )
}

async function recalled(given: Arguments, memory: Memory, signal: AbortSignal): Promise<object> {
  const sources = sourcesOf(given.sources)
  const [since, until, asOf] = [given.since, given.until, given.as_of].map((bound) => bound?.trim() || undefined)
  const person = given.person?.trim() || undefined
  const query = {
    text: given.query,
    limit: given.limit,
    ...(since && { since }),
    ...(until && { until }),
    ...(asOf && { asOf }),
    ...(person && { person }),
  }
  const result = await recallFrom(memory, sources, query, signal)
  // In the least room there is, what was asked must leave some for what was found.
  const frame = {
    query: cleanLine(given.query, MOST_ECHO),
    searched: {
      sources: sources.length === 0 ? 'all that this key may see' : cleanLine(sources.join(', '), MOST_ECHO),
      since: since === undefined ? null : cleanLine(since, MOST_ECHO),
      until: until === undefined ? null : cleanLine(until, MOST_ECHO),
    },
  }
  const said = cleanLine(result.notice ?? '', MOST_SAID)
  const ends = { confidence: 0.99, total: 999_999, truncated: false, hint: `${HINT_ROOM} ${said}`, notice: NOTICE }
  const overhead = JSON.stringify({ ...frame, results: [], ...ends }).length
  const { passages, leftOut, isCut } = choosePassages(result, {
    limit: given.limit,
    characters: given.max_chars - overhead,
  })
  const total = passages.length + leftOut
  return {
    ...frame,
    results: passages,
    confidence: result.confidence === undefined ? null : Math.round(result.confidence * 100) / 100,
    total,
    truncated: leftOut > 0 || isCut,
    hint: [hint(total, leftOut, isCut) ?? '', said].join(' ').trim() || null,
    notice: NOTICE,
  }
}

/** The interface knows one source a question; scores are comparable between questions, so that answers can be merged. */
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

const MOST_ECHO = 100
/** Of what the service has to say about its answer. */
const MOST_SAID = 200
/** As long as the longest hint. */
const HINT_ROOM = 'x'.repeat(100)

function hint(total: number, leftOut: number, isCut: boolean): string | null {
  if (total === 0) return 'No match for these words. Try other words or a wider time, or tell the user so.'
  if (leftOut > 0) return `${leftOut} more were found. Narrow the query by source or time, or raise limit or max_chars.`
  return isCut ? 'Long passages were cut. Raise max_chars, or read the whole item by its uri.' : null
}
