import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { DEFAULT_AROUND, formatHandle, MAX_AROUND, type Place, parseHandle } from '../domain/handle.ts'
import type { Memory } from '../domain/memory.ts'
import { RECALLED_NOTICE, randomFenceId } from '../domain/recalled-fence.ts'
import type { OpenResult } from '../domain/results.ts'
import { estimateTokens } from '../lib/estimate-tokens.ts'
import { cutAtBoundary } from './clean-text.ts'
import { ownerNotes, spokenText } from './found-passages.ts'
import type { McpContext } from './mcp-context.ts'
import { itemsText, MOST_NOTES, type ShownPassage } from './passage-text.ts'
import { bareHandle, handleArgument, hostArguments, maxTokens } from './tool-arguments.ts'
import { textAnswer, withMemory } from './tool-result.ts'

const DESCRIPTION = `Read around a passage that recall or ask returned: what was said or written before and after it in the same conversation, mail or document, in order. Use it when a passage leaves open who or what is meant, what it answers, or what came of it. To find something else, use recall.`

const inputSchema = hostArguments({
  handle: handleArgument('Handle above the passage: r12.7 or r12.7-9. Or source/item_id for the start of an item.'),
  around: z.int().min(0).max(MAX_AROUND).default(DEFAULT_AROUND).describe('Passages before and after it.'),
  max_tokens: maxTokens,
})

type Arguments = z.output<typeof inputSchema>

export function addOpenTool(server: McpServer, context: McpContext): void {
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  server.registerTool(
    'open',
    { title: 'Read around a passage', description: DESCRIPTION, inputSchema, annotations },
    (given, { mcpReq }) =>
      withMemory(context, async (memory) => textAnswer(await opened(given, memory, mcpReq.signal))),
  )
}

async function opened({ handle: given, around, max_tokens: most }: Arguments, memory: Memory, signal: AbortSignal) {
  const handle = bareHandle(given)
  const result = await memory.open({ handle, around }, { signal })
  const { fence = randomFenceId() } = result
  const all = locatedOf(result)
  const text = (passages: readonly Located[]) => {
    const shown = { source: result.source, itemId: result.item_id, provenance: {}, passages }
    return [itemsText(passages.length === 0 ? [] : [shown], 'normal', fence), ...notes(result, all, passages)].join(
      '\n',
    )
  }
  return text(fitting(all, parseHandle(handle), (passages) => estimateTokens(text(passages)) <= most))
}

interface Located extends ShownPassage {
  readonly place: Place
  readonly isCut: boolean
}

function locatedOf({ source, passages }: OpenResult): Located[] {
  const own = passages.map(({ notes: on }) => ownerNotes(on, source).slice(-MOST_NOTES))
  return passages.flatMap((passage, at) => {
    const { handle, text, title, when, url: link, agent, connector, participants: people = [] } = passage
    const place = parseHandle(handle)
    if (place === undefined) return []
    const provenance = { title, when, people, link, agent, connector }
    const shown = { handle, place, provenance, text: spokenText(text, people), notes: own[at] ?? [] }
    return [{ ...shown, isMemory: false, items: [], isCut: false }]
  })
}

/** The requested passages and as many neighbors as fit, nearest first. If none fits, the start of one. */
function fitting(
  passages: readonly Located[],
  asked: Place | undefined,
  fits: (passages: readonly Located[]) => boolean,
): readonly Located[] {
  const [first, last] = [asked?.first ?? 0, asked?.last ?? 0]
  const distance = ({ place }: Located) => Math.max(first - place.first, place.first - last, 0)
  const nearest = passages.toSorted((a, b) => distance(a) - distance(b) || inOrder(a, b))
  let chosen: readonly Located[] = []
  for (const passage of nearest) {
    // Notes give way before a text does.
    const bare = { ...passage, notes: [] }
    const more = [passage, bare].map((one) => [...chosen, one].sort(inOrder)).find(fits)
    if (more === undefined) return chosen.length > 0 ? chosen : beginning(bare, fits)
    chosen = more
  }
  return chosen
}

function beginning(passage: Located, fits: (passages: readonly Located[]) => boolean): readonly Located[] {
  let [least, most] = [0, passage.text.length]
  const cut = (length: number) => ({ ...passage, text: cutAtBoundary(passage.text, length), isCut: true })
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2)
    if (fits([cut(middle)])) least = middle
    else most = middle
  }
  return least === 0 ? [] : [cut(least)]
}

function inOrder(a: Located, b: Located): number {
  return a.place.first - b.place.first
}

/** Notes about earlier and later passages, with the handles to open them. */
function notes(result: OpenResult, all: readonly Located[], passages: readonly Located[]): string[] {
  const [first, last] = [passages[0]?.place, passages.at(-1)?.place]
  if (first === undefined || last === undefined) return ['Nothing fits: raise max_tokens.']
  const before = result.before + all.filter(({ place }) => place.first < first.first).length
  const after = result.after + all.filter(({ place }) => place.last > last.last).length
  const { itemKey } = first
  const previous = { itemKey, first: Math.max(0, first.first - passages.length), last: first.first - 1 }
  const next = { itemKey, first: last.last + 1, last: last.last + Math.min(after, passages.length) }
  return [
    RECALLED_NOTICE,
    before > 0 && first.first > 0
      ? `${before} before: open ${formatHandle(previous)} with around 0.`
      : 'This is the beginning.',
    after > 0 ? `${after} after: open ${formatHandle(next)} with around 0.` : 'This is the end.',
    passages.some(({ isCut }) => isCut) ? 'It ends with …: raise max_tokens for the rest.' : '',
  ].filter((note) => note !== '')
}
