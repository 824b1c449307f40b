import { randomFenceId } from '../domain/recalled-fence.ts'
import type { ChunkResult, MemoryResult, QaResult, RecalledContent, RecallResult } from '../domain/results.ts'
import { cleanText, cutAtBoundary } from './clean-text.ts'
import { headerOf, isIdentifier, isMemoryId, momentOf, quotation } from './quotation.ts'
import { itemUri } from './resources.ts'

/** One quotation with where it comes from. All that others wrote is in `text`; what stands beside it is ours. */
export interface Passage {
  /** `<item_id>_memory_<index>` of a memory, else the item's. */
  readonly id: string
  /** Between fences: title, place, people and address, then the words. Data, whatever it says. */
  readonly text: string
  readonly source: string
  readonly item_id: string
  /** A time that says nothing else; another stands in the text. */
  readonly when: string | null
  /** The whole item, as a resource of this server. */
  readonly uri: string
  /** 0 to 1. */
  readonly score: number
  /** Where else the same stands: `slack, 4 March 2026, ITEM`. Absent when nowhere. */
  readonly also_in?: readonly string[]
  /** What held before, newest first: `ID, 3 March 2026`. Absent when nothing did. */
  readonly replaces?: readonly string[]
  /** What holds now instead. Absent while this does. */
  readonly replaced_by?: string
}

export interface ChosenPassages {
  readonly passages: readonly Passage[]
  /** Results that did not fit. */
  readonly leftOut: number
  /** Some text was cut to fit. */
  readonly isCut: boolean
}

export interface Room {
  readonly limit: number
  /** Characters of JSON for all passages together. */
  readonly characters: number
}

/** A passage, before its text is fitted. */
interface Found extends Omit<Passage, 'uri'> {
  /** Above the words, within the fence. */
  readonly header: string
  readonly isMemory: boolean
  /** The items it stands in. Equal words of others are something else: another day, another speaker. */
  readonly places: readonly string[]
}

/** A passage that was looked at. */
interface Chosen {
  readonly text: string
  readonly shown: string
  readonly isOf: (found: Found) => boolean
}

/** Copies, and older versions, named of each passage. */
const MOST_RELATED = 5
/** One long passage must not crowd out the others. */
const LARGEST_SHARE = 0.4
/** But one passage has this much room, if there is as much at all. */
const LEAST_SHARE = 1_500
/** A shorter piece of a longer text says too little to be worth its frame. */
const LEAST_TEXT = 120

/**
 * The best of what was recalled that fits: memories with the passage they were made from, then chunks and answers that no
 * chosen passage holds already.
 */
export function choosePassages(result: RecallResult, { limit, characters }: Room): ChosenPassages {
  const parts = [...result.qa.map(ofQa), ...result.chunks.map(ofChunk)]
  const named = [...result.memories.map((memory) => withParts(ofMemory(memory), parts)), ...parts]
  // What no tool could be asked for, another server made up.
  const found = named.filter(({ id, item_id }) => isIdentifier(item_id) && isMemoryId(id))
  // A memory and a chunk of the same relevance say the same: the memory says more around it.
  found.sort((a, b) => b.score - a.score || Number(b.isMemory) - Number(a.isMemory))
  const fence = result.fence ?? randomFenceId()
  const passages: Passage[] = []
  const chosen: Chosen[] = []
  const share = Math.max(Math.floor(characters * LARGEST_SHARE), LEAST_SHARE)
  let left = characters
  let leftOut = 0
  let isCut = false
  for (const candidate of found) {
    const text = cleanText(candidate.text)
    if (text === '' || chosen.some((one) => one.isOf(candidate) && (one.text === text || one.shown.includes(text))))
      continue
    const isOf = (found: Found) => isSamePlace(candidate.places, found.places)
    const room = Math.min(left, share)
    const shown = passages.length < limit ? fittedText({ ...candidate, text }, room, fence) : undefined
    if (shown === undefined) {
      chosen.push({ isOf, text, shown: '' })
      leftOut++
      continue
    }
    const passage = passageOf(candidate, shown, fence)
    isCut ||= shown !== text
    // What was cut off is not shown yet.
    chosen.push({ isOf, text, shown: shown === text ? text : shown.slice(0, -2) })
    passages.push(passage)
    left -= JSON.stringify(passage).length + 1
  }
  return { passages, leftOut, isCut }
}

/** A memory that is shown whole is as relevant as the best that it holds, so that this is not shown before it as well. */
function withParts(memory: Found, parts: readonly Found[]): Found {
  if (memory.text.length > LEAST_SHARE / 2) return memory
  const held = parts.filter(({ text, places }) => isSamePlace(memory.places, places) && memory.text.includes(text))
  return { ...memory, score: Math.max(memory.score, ...held.map(({ score }) => score)) }
}

function isSamePlace(places: readonly string[], others: readonly string[]): boolean {
  return others.some((place) => places.includes(place))
}

/** As much of the text as there is room for; `undefined` when that is too little. */
function fittedText(found: Found, room: number, fence: string): string | undefined {
  // One more for the comma.
  const over = JSON.stringify(passageOf(found, found.text, fence)).length + 1 - room
  if (over <= 0) return found.text
  // Quotation marks and line feeds take two characters of JSON, so that what is cut may be longer than needed.
  const most = found.text.length - over - 2
  return most < LEAST_TEXT ? undefined : cutAtBoundary(found.text, most)
}

function passageOf(found: Found, text: string, fence: string): Passage {
  const { id, header, source, item_id, when, score, isMemory: _, text: __, places: ___, ...related } = found
  return {
    id,
    text: quotation(text, header, fence),
    source,
    item_id,
    when,
    uri: itemUri(source, item_id),
    score: Math.round(score * 100) / 100,
    ...related,
  }
}

function ofMemory({ custom_id, item_id, score, source, content }: MemoryResult): Found {
  const { headline: title, when, where, participants: people, url: link } = content
  return {
    id: custom_id,
    header: headerOf({ title, when, where, people, link }),
    text: content.body ?? content.narrative ?? content.headline ?? '',
    source,
    item_id,
    when: momentOf(when),
    score,
    ...relatedOf(content),
    isMemory: true,
    places: placesOf({ item_id, source }, content),
  }
}

function ofChunk(chunk: ChunkResult): Found {
  const { item_id, source, score, text, title, when, participants: people, url: link } = chunk
  return {
    id: item_id,
    header: headerOf({ title, when, people, link }),
    text,
    source,
    item_id,
    when: momentOf(when),
    score,
    ...relatedOf(chunk),
    isMemory: false,
    places: placesOf(chunk, chunk),
  }
}

function ofQa({ item_id, source, score, question, answer }: QaResult): Found {
  const places = placesOf({ item_id, source }, {})
  const header = headerOf({ title: question })
  return { id: item_id, header, text: answer, source, item_id, when: null, score, isMemory: false, places }
}

function placesOf(item: Pick<ChunkResult, 'item_id' | 'source'>, { also_in = [] }: Pick<ChunkResult, 'also_in'>) {
  return [item, ...also_in].map(({ source, item_id }) => `${source} ${item_id}`)
}

type Related = Pick<RecalledContent, 'superseded_by' | 'supersedes'> & Pick<ChunkResult, 'also_in'>

function relatedOf({ also_in = [], superseded_by, supersedes = [] }: Related) {
  const line = (parts: readonly (string | null | undefined)[]) => parts.filter((part) => part).join(', ')
  const copies = also_in.filter(({ item_id }) => isIdentifier(item_id)).slice(0, MOST_RELATED)
  const older = supersedes.filter(({ custom_id }) => isMemoryId(custom_id)).slice(0, MOST_RELATED)
  return {
    ...(copies.length > 0 && {
      also_in: copies.map(({ source, when, item_id }) => line([source, momentOf(when), item_id])),
    }),
    ...(older.length > 0 && { replaces: older.map(({ custom_id, when }) => line([custom_id, momentOf(when)])) }),
    ...(superseded_by !== undefined && isMemoryId(superseded_by) && { replaced_by: superseded_by }),
  }
}
