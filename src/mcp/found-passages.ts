import { type Place, parseHandle } from '../domain/handle.ts'
import type {
  ChunkResult,
  MemoryResult,
  QaResult,
  RecalledContent,
  RecallResult,
  ResultNotes,
} from '../domain/results.ts'
import { cleanLine, cleanText } from './clean-text.ts'
import { isIdentifier, isMemoryId, type Provenance } from './quotation.ts'

/** What the user wrote on a memory. */
export interface OwnerNote {
  readonly text: string
  readonly by: string
  /** `2026-03-04` */
  readonly day: string
  /** Its own item, as `source/item`. */
  readonly item: string
}

/** A candidate from the recall result. Only `text` is cleaned; the other texts are as stored. */
export interface Found {
  /** For `open`: the server's short handle, else `slack/ITEM`. */
  readonly handle: string
  /** Absent for servers without handles. */
  readonly place: Place | undefined
  readonly source: string
  readonly itemId: string
  readonly provenance: Provenance
  readonly text: string
  /** 0 to 1. */
  readonly score: number
  readonly isMemory: boolean
  /** The items with this text, as `source/item`: its own first, then those of copies. */
  readonly items: readonly string[]
  readonly notes: readonly OwnerNote[]
  /** `custom_id` of a memory. */
  readonly memoryId?: string
  /** `custom_id` of the memory that replaces it. */
  readonly replacedBy?: string
}

/** What recall returns, or passages of another list with the notes on their memories. */
export interface PassageResult extends Pick<RecallResult, 'memories' | 'qa'> {
  readonly chunks: readonly (ChunkResult & { readonly notes?: ResultNotes | undefined })[]
}

/** The passages of a result that can be shown and opened, most relevant first. */
export function findPassages(result: PassageResult): Found[] {
  const parts = [...result.qa.map(ofQa), ...result.chunks.map(ofChunk)]
  const memories = result.memories.map((memory) => withParts(ofMemory(memory), parts))
  // Only another server can return identifiers that our tools don't accept.
  const found = [...memories, ...parts].filter(
    ({ itemId, memoryId, text }) => isIdentifier(itemId) && isMemoryId(memoryId ?? itemId) && text !== '',
  )
  // Of a memory and a chunk with the same score, the memory has more context.
  return found.sort((a, b) => b.score - a.score || Number(b.isMemory) - Number(a.isMemory))
}

export function itemName({ source, itemId }: Pick<Found, 'source' | 'itemId'>): string {
  return `${source}/${itemId}`
}

export function isSameItem(a: Pick<Found, 'items'>, b: Pick<Found, 'items'>): boolean {
  return a.items.some((item) => b.items.includes(item))
}

/** A memory gets the score of its best chunk, so that the chunk is not shown before it. */
function withParts(memory: Found, parts: readonly Found[]): Found {
  const held = parts.filter((part) => isSameItem(memory, part) && memory.text.includes(part.text))
  return { ...memory, score: Math.max(memory.score, ...held.map(({ score }) => score)) }
}

function ofMemory({ custom_id, score, connector, content, ...item }: MemoryResult): Found {
  const { headline, when, where, participants: people, url: link, agent, superseded_by } = content
  const title = headline && withoutFact(headline, content.body ?? '')
  return {
    ...located(item),
    provenance: { title, when, where, people, link, agent, connector },
    text: cleanText(content.body ?? content.narrative ?? content.headline ?? ''),
    score,
    isMemory: true,
    items: itemsOf(item, content),
    notes: ownerNotes(content.notes, item.source),
    memoryId: custom_id,
    ...(superseded_by !== undefined && { replacedBy: superseded_by }),
  }
}

function ofChunk(chunk: PassageResult['chunks'][number]): Found {
  const { score, title, when, participants: people = [], url: link, agent, connector, superseded_by } = chunk
  return {
    ...located(chunk),
    provenance: { title, when, people, link, agent, connector },
    text: spokenText(chunk.text, people),
    score,
    isMemory: false,
    items: itemsOf(chunk, chunk),
    notes: ownerNotes(chunk.notes, chunk.source),
    ...(superseded_by !== undefined && { replacedBy: superseded_by }),
  }
}

/** The cleaned text, after its speaker's name if there is one speaker that the text doesn't name. */
export function spokenText(text: string, people: readonly string[]): string {
  const [speaker] = people
  const isSpoken = speaker !== undefined && people.length === 1 && !text.startsWith(speaker)
  return cleanText(isSpoken ? `${speaker}: ${text}` : text)
}

function ofQa({ question, answer, score, ...item }: QaResult): Found {
  const provenance = { title: question }
  const items = itemsOf(item, {})
  return { ...located(item), provenance, text: cleanText(answer), score, isMemory: false, items, notes: [] }
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

const MOST_NAME = 80

/** Notes of a result, cleaned. @param source of the memory, and of the notes on it */
export function ownerNotes(notes: ResultNotes = [], source: string): OwnerNote[] {
  return notes.map(({ text, by, at, item_id: itemId }) => ({
    text: cleanText(text),
    by: cleanLine(by, MOST_NAME),
    day: cleanLine(at.slice(0, 10), 10),
    item: itemName({ source, itemId }),
  }))
}

/** `Kestrel plan` of `Kestrel plan: The kestrel release ships on Tuesday`, where the text has that sentence. */
function withoutFact(headline: string, text: string): string {
  const ends = [...headline.matchAll(/: /g)].map(({ index }) => index)
  const end = ends.find((at) => text.includes(headline.slice(at + 2).replace(/…$/, '')))
  return end === undefined ? headline : headline.slice(0, end)
}
