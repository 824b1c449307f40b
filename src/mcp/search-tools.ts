import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { AppError } from '../domain/errors.ts'
import type { Memory } from '../domain/memory.ts'
import { RECALLED_NOTICE, randomFenceId } from '../domain/recalled-fence.ts'
import { isSourceType } from '../domain/source-type.ts'
import { cleanLine, cleanText, cutAtBoundary } from './clean-text.ts'
import type { McpContext } from './mcp-context.ts'
import { MOST_CHARACTERS, MOST_QUERY, MOST_TOKENS } from './mcp-context.ts'
import { itemsText } from './passage-text.ts'
import { choosePassages } from './passages.ts'
import { headerOf, momentOf, quotation } from './quotation.ts'
import { itemUri, mediaType } from './resources.ts'
import { hostArguments } from './tool-arguments.ts'
import { answer, withMemory } from './tool-result.ts'

const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const MOST_RESULTS = 10

/** The two tools that ChatGPT requires, in exactly its format: `search(query)` and `fetch(id)`. */
export function addSearchTools(server: McpServer, context: McpContext): void {
  const result = z.looseObject({ id: z.string(), title: z.string(), url: z.string() })
  server.registerTool(
    'search',
    {
      title: 'Search the memory',
      description: 'Find items of the user’s own memory by what they are about. Read one with fetch.',
      inputSchema: hostArguments({ query: z.string().min(1).max(MOST_QUERY).describe('What to look for.') }),
      outputSchema: z.looseObject({ results: z.array(result.extend({ text: z.string() })), notice: z.string() }),
      annotations: ANNOTATIONS,
    },
    ({ query }, { mcpReq }) =>
      withMemory(context, async (memory) =>
        answer({ results: await found(query, memory, mcpReq.signal), notice: RECALLED_NOTICE }),
      ),
  )
  server.registerTool(
    'fetch',
    {
      title: 'Read an item of the memory',
      description: 'The text of an item that search found.',
      inputSchema: hostArguments({ id: z.string().min(1).max(1_000).describe('id of a result of search.') }),
      outputSchema: result.extend({ text: z.string(), metadata: z.looseObject({ source: z.string() }) }),
      annotations: ANNOTATIONS,
    },
    ({ id }) => withMemory(context, async (memory) => answer(await fetched(id, memory))),
  )
}

async function found(query: string, memory: Memory, signal: AbortSignal): Promise<object[]> {
  const result = await memory.recall({ text: query, limit: MOST_RESULTS * 2 }, { signal })
  const { fence = randomFenceId() } = result
  const room = { limit: MOST_RESULTS, tokens: MOST_TOKENS, detail: 'full' } as const
  return choosePassages(result, room).items.map((item) => {
    const { source, itemId, provenance } = item
    return {
      id: `${source}/${itemId}`,
      title: titleOf(source, momentOf(provenance.when)),
      text: itemsText([item], 'full', fence),
      // ChatGPT only cites results with an address, and the item's own address belongs inside the fence.
      url: itemUri(source, itemId),
    }
  })
}

/** Our own title, because the item's title belongs inside the fence. */
function titleOf(source: string, when: string | null): string {
  return when === null ? `An item of ${source}` : `${source}, ${when}`
}

async function fetched(id: string, memory: Memory): Promise<object> {
  const slash = id.indexOf('/')
  const source = id.slice(0, slash)
  if (slash < 0 || !isSourceType(source)) throw new AppError('invalid', 'id must be the id of a result of search.')
  const itemId = id.slice(slash + 1)
  const { body, contentType, fileName, fence = randomFenceId() } = await memory.download({ itemId, sourceType: source })
  const { mimeType, isText } = mediaType(contentType)
  // Four bytes is the longest character.
  const most = MOST_CHARACTERS * 4
  const start = new TextDecoder().decode(body.subarray(0, most), { stream: true })
  const whole = isText
    ? cleanText(start)
    : `The item is a file of type ${cleanLine(mimeType, 80)}; search for its passages.`
  const shown = cutAtBoundary(whole, MOST_CHARACTERS)
  const truncated = isText && (shown !== whole || body.length > most)
  const metadata = { source, notice: RECALLED_NOTICE, truncated }
  return {
    id,
    title: titleOf(source, null),
    text: quotation(shown, headerOf({ fileName }), fence),
    url: itemUri(source, itemId),
    metadata,
  }
}
