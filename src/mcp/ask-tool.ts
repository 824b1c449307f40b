import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { HANDLE } from '../domain/handle.ts'
import type { Memory } from '../domain/memory.ts'
import { fenced, RECALLED_NOTICE, randomFenceId } from '../domain/recalled-fence.ts'
import type { Citation } from '../domain/results.ts'
import { cleanLine, cleanText, cutAtBoundary } from './clean-text.ts'
import { itemName, ownerNotes } from './found-passages.ts'
import type { McpContext } from './mcp-context.ts'
import { MOST_QUERY } from './mcp-context.ts'
import { belowMark, MOST_NOTES, noteTexts } from './passage-text.ts'
import { factsOf, isIdentifier, momentOf, namedSource } from './quotation.ts'
import { filterArguments, filtersOf, hostArguments, searchedNote, timeArgument } from './tool-arguments.ts'
import { textAnswer, withMemory } from './tool-result.ts'

const DESCRIPTION = `Answer one factual question from the user's own memory, with numbered citations ("When does the billing migration start?"). Use it for a single fact; use recall for background, for several facts at once, or to read the passages yourself. If the evidence is weak, it reports that it found no answer: do not guess then.`

const inputSchema = hostArguments({
  question: z.string().min(1).max(MOST_QUERY).describe('One question, in natural language.'),
  ...filterArguments,
  as_of: timeArgument('Only what was known at this time.'),
})

type Arguments = z.output<typeof inputSchema>

/** Maximum characters of the service's notice. */
const MOST_SAID = 200

/** Hosts cancel calls without progress: Codex after 60 s. */
const PROGRESS_EVERY_MS = 5_000

export function addAskTool(server: McpServer, context: McpContext): void {
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  server.registerTool(
    'ask',
    { title: 'Ask the memory', description: DESCRIPTION, inputSchema, annotations },
    (given, call) =>
      withMemory(context, (memory) =>
        withProgress(call, async () => textAnswer(await answered(given, memory, call.mcpReq.signal))),
      ),
  )
}

async function answered(given: Arguments, memory: Memory, signal: AbortSignal): Promise<string> {
  const asOf = given.as_of?.trim()
  const filters = { ...filtersOf(given), ...(asOf && { asOf }) }
  const result = await memory.ask({ text: given.question, ...filters }, { signal })
  const { response, abstained = false, citations = [], notice, fence = randomFenceId() } = result
  const known = citations.filter(({ item_id }) => isIdentifier(item_id))
  const said = belowMark(cleanText(citations.length === 0 ? response : response.replace(SOURCES, '')))
  const items = new Set(known.map(({ source, item_id: itemId }) => itemName({ source, itemId })))
  const cited = known.map((citation) => citedText(citation, said, items))
  return [
    fenced([said, ...cited].join('\n'), fence),
    abstained ? 'No answer found: say so and do not guess.' : '',
    RECALLED_NOTICE,
    searchedNote([], filters),
    cleanLine(notice ?? '', MOST_SAID),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

/** The citation lines at the end of an answer. They are replaced by lines with handles. */
const SOURCES = /\n\n(?:\[\d{1,3}\] [^\n]*(?:\n|$))+$/
/** Maximum characters of a cited text that the answer doesn't quote. */
const MOST_QUOTED = 300

/**
 * `[1] [r12.7] slack, 4 March 2026, 10:12 | Title`, with the cited text if the answer doesn't quote it, and the notes on
 * its memory.
 */
function citedText(
  { n, item_id: itemId, source, quote, title, when, participants, handle, connector, notes }: Citation,
  said: string,
  cited: ReadonlySet<string>,
) {
  const words = cleanText(quote)
  const facts = factsOf({ title, when, people: participants }, { whole: said, isFull: false })
  const moment = momentOf(when)
  const named = namedSource(source, connector)
  const origin = [moment === null ? named : `${named}, ${moment}`, ...facts].join(' | ')
  const name = handle !== undefined && HANDLE.test(handle) ? handle : itemName({ source, itemId })
  const isQuoted = comparable(said).includes(comparable(words))
  const quoted = isQuoted ? '' : `\n${belowMark(cutAtBoundary(words, MOST_QUOTED))}`
  // A note can be cited itself.
  const further = ownerNotes(notes, source).filter(({ item }) => !cited.has(item))
  const below = noteTexts({ handle: name, notes: further.slice(-MOST_NOTES) }, 'normal')
  return [`[${n}] [${name}] ${origin}${quoted}`, ...below].join('\n')
}

/** Removes what a quotation may change: spaces and quotation marks. */
function comparable(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Sends progress notifications to hosts that requested them. */
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
