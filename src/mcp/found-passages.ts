import { type Place, parseHandle } from '../domain/handle.ts'
import type { ChunkResult, MemoryResult, QaResult, RecalledContent, RecallResult } from '../domain/results.ts'
import { cleanText } from './clean-text.ts'
import { isIdentifier, isMemoryId, type Provenance } from './quotation.ts'

/** A result of recall before it is chosen. All texts are as they were stored, but for `text`, which is clean. */
export interface Found {
  /** For `open`: short where the server gives one, else `slack/ITEM`. */
  readonly handle: string
  /** Absent with servers that don't name places. */
  readonly place: Place | undefined
  readonly source: string
  readonly itemId: string
  readonly provenance: Provenance
  readonly text: string
  /** 0 to 1. */
  readonly score: number
  readonly isMemory: boolean
  /** The items it stands in, as `source/item`: its own first, then those of copies. */
  readonly items: readonly string[]
  /** `custom_id` of a memory. */
  readonly memoryId?: string
  /** `custom_id` of the memory that holds now instead. */
  readonly replacedBy?: string
}

/** What of a result can be shown and opened, most relevant first. */
export function findPassages(result: RecallResult): Found[] {
  const parts = [...result.qa.map(ofQa), ...result.chunks.map(ofChunk)]
  const memories = result.memories.map((memory) => withParts(ofMemory(memory), parts))
  // What no tool could be asked for, another server made up.
  const found = [...memories, ...parts].filter(
    ({ itemId, memoryId, text }) => isIdentifier(itemId) && isMemoryId(memoryId ?? itemId) && text !== '',
  )
  // A memory and a chunk of the same relevance say the same: the memory says more around it.
  return found.sort((a, b) => b.score - a.score || Number(b.isMemory) - Number(a.isMemory))
}

export function itemName({ source, itemId }: Pick<Found, 'source' | 'itemId'>): string {
  return `${source}/${itemId}`
}

export function isSameItem(a: Pick<Found, 'items'>, b: Pick<Found, 'items'>): boolean {
  return a.items.some((item) => b.items.includes(item))
}

/** A memory is as relevant as the best that it holds, so that this is not shown before it as well. */
function withParts(memory: Found, parts: readonly Found[]): Found {
  const held = parts.filter((part) => isSameItem(memory, part) && memory.text.includes(part.text))
  return { ...memory, score: Math.max(memory.score, ...held.map(({ score }) => score)) }
}

function ofMemory({ custom_id, score, content, ...item }: MemoryResult): Found {
  const { headline: title, when, where, participants: people, url: link, superseded_by } = content
  return {
    ...located(item),
    provenance: { title, when, where, people, link },
    text: cleanText(content.body ?? content.narrative ?? content.headline ?? ''),
    score,
    isMemory: true,
    items: itemsOf(item, content),
    memoryId: custom_id,
    ...(superseded_by !== undefined && { replacedBy: superseded_by }),
  }
}

function ofChunk(chunk: ChunkResult): Found {
  const { score, title, when, participants: people = [], url: link, superseded_by } = chunk
  return {
    ...located(chunk),
    provenance: { title, when, people, link },
    text: spokenText(chunk.text, people),
    score,
    isMemory: false,
    items: itemsOf(chunk, chunk),
    ...(superseded_by !== undefined && { replacedBy: superseded_by }),
  }
}

/** Clean, and after the name of who says it, where that is one and the text doesn't name them. */
export function spokenText(text: string, people: readonly string[]): string {
  const [speaker] = people
  const isSpoken = speaker !== undefined && people.length === 1 && !text.startsWith(speaker)
  return cleanText(isSpoken ? `${speaker}: ${text}` : text)
}

function ofQa({ question, answer, score, ...item }: QaResult): Found {
  const provenance = { title: question }
  return { ...located(item), provenance, text: cleanText(answer), score, isMemory: false, items: itemsOf(item, {}) }
}

type ItemOfResult = Pick<ChunkResult, 'item_id' | 'source' | 'handle'>

function located({ item_id: itemId, source, handle }: ItemOfResult) {
  const place = handle === undefined ? undefined : parseHandle(handle)
  const name = itemName({ source, itemId })
  return { handle: place === undefined || handle === undefined ? name : handle, place, source, itemId }
}

function itemsOf(item: ItemOfResult, { also_in = [] }: Pick<RecalledContent | ChunkResult, 'also_in'>): string[] {
  return [item, ...also_in].map(({ source, item_id: itemId }) => itemName({ source, itemId }))
}
