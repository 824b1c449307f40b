import type { McpServer } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { Memory } from '../domain/memory.ts'
import { RECALLED_NOTICE, randomFenceId } from '../domain/recalled-fence.ts'
import type { RecentPassage, RecentResult } from '../domain/results.ts'
import { estimateTokens } from '../lib/estimate-tokens.ts'
import type { PassageResult } from './found-passages.ts'
import type { McpContext } from './mcp-context.ts'
import { itemsText, type ShownItem } from './passage-text.ts'
import { type ChosenPassages, choosePassages } from './passages.ts'
import {
  filterArguments,
  filtersOf,
  hostArguments,
  maxTokens,
  searchedNote,
  sourcesAsInRecall,
  sourcesOf,
} from './tool-arguments.ts'
import { textAnswer, withMemory } from './tool-result.ts'

const DESCRIPTION = `List what happened recently in the user's memory, by source, newest first. Use it to catch up: "what happened since yesterday", "where did I leave off in this project". To find something, use recall.`

/** Items asked for: more than fit into the default, for a larger max_tokens. */
const ITEMS = { least: 20, most: 100 }
/** Of an item in brief, with its mark. */
const TOKENS_OF_ITEM = 60
/** Two passages of an item. */
const PASSAGES_OF_ITEM = 2

const inputSchema = hostArguments({
  sources: sourcesAsInRecall,
  ...filterArguments,
  max_tokens: maxTokens,
})

type Arguments = z.output<typeof inputSchema>

export function addRecentTool(server: McpServer, context: McpContext): void {
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  server.registerTool(
    'recent',
    { title: 'Recent in memory', description: DESCRIPTION, inputSchema, annotations },
    (given, { mcpReq }) =>
      withMemory(context, async (memory) => textAnswer(await listed(given, memory, mcpReq.signal))),
  )
}

async function listed(given: Arguments, memory: Memory, signal: AbortSignal): Promise<string> {
  const { max_tokens: most } = given
  const sources = sourcesOf(given.sources)
  const filters = filtersOf(given)
  const limit = Math.min(ITEMS.most, Math.max(ITEMS.least, Math.ceil(most / TOKENS_OF_ITEM)))
  const asked = sources.length === 0 ? [undefined] : sources
  const results = await Promise.all(
    asked.map((source) => memory.recent({ limit, ...(source && { source }), ...filters }, { signal })),
  )
  const { fence = randomFenceId() } = results[0] ?? {}
  const searched = searchedNote(sources, filters)
  const frame = notes({ items: [], leftOut: limit * PASSAGES_OF_ITEM, isCut: true }, searched)
  const overhead = estimateTokens([`<recalled:${fence}></recalled:${fence}>`, ...frame].join('\n')) + 1
  const room = { limit: limit * PASSAGES_OF_ITEM, tokens: most - overhead, detail: 'brief' } as const
  const chosen = choosePassages(inTurn(results), room)
  return [itemsText(bySource(chosen.items), 'brief', fence), ...notes(chosen, searched)]
    .filter((part) => part !== '')
    .join('\n')
}

/** As results of recall of the same relevance, in their order: of several sources, in turn. */
function inTurn(results: readonly RecentResult[]): PassageResult {
  const longest = Math.max(...results.map(({ passages }) => passages.length))
  const passages = Array.from({ length: longest }, (_, at) =>
    results.flatMap((result) => result.passages.slice(at, at + 1)),
  ).flat()
  return { memories: [], qa: [], chunks: passages.map(asChunk) }
}

function asChunk({ where, participants, ...passage }: RecentPassage) {
  // A passage of several turns names its speakers itself.
  const isOne = participants?.length === 1
  return { ...passage, score: 1, ...(isOne && { participants }), ...(where !== undefined && { where }) }
}

function bySource(items: readonly ShownItem[]): ShownItem[] {
  return [...Map.groupBy(items, ({ source }) => source).values()].flat()
}

function notes({ items, leftOut, isCut }: ChosenPassages, searched: string): string[] {
  const isEmpty = items.length === 0 && leftOut === 0
  return [
    isEmpty ? 'Nothing in that time. Try a wider one, or fewer filters.' : RECALLED_NOTICE,
    leftOut > 0 ? `${leftOut} more: raise max_tokens, or narrow by source, person, project or time.` : '',
    isCut ? 'Read on with open.' : '',
    searched,
  ].filter((note) => note !== '')
}
