import { randomBytes } from 'node:crypto'
import type { ChunkResult, MemoryResult, QaResult, RecallResult } from '../domain/memory.ts'
import type { RecalledContent } from '../domain/memory-content.ts'
import { fenced } from '../domain/recalled-fence.ts'
import { cleanLine, cleanText } from './clean-text.ts'
import { cutAtBoundary } from './cut-at-boundary.ts'
import { itemUri } from './item-uri.ts'

/** One quotation with where it comes from. Unknown is `null`, so that every result has the same fields. */
export interface Passage {
  /** `<item_id>_memory_<index>` of a memory, else the item's. */
  readonly id: string
  readonly title: string | null
  /** Between fences: data, whatever it says. */
  readonly text: string
  readonly source: string
  readonly item_id: string
  readonly when: string | null
  readonly where: string | null
  readonly people: readonly string[]
  /** The original, where it came from. */
  readonly link: string | null
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
  /** Found, but left out for want of room. */
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

const MOST_TITLE = 160
const MOST_NAME = 80
const MOST_PEOPLE = 12
const MOST_LINK = 1_000
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
  const found = [...result.memories.map((memory) => withParts(ofMemory(memory), parts)), ...parts]
  // A memory and a chunk of the same relevance say the same: the memory says more around it.
  found.sort((a, b) => b.score - a.score || Number(b.isMemory) - Number(a.isMemory))
  const fence = newFenceId()
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

/** Nobody who wrote a passage can know it, so none can close the fence it stands in. 80 bits. */
export function newFenceId(): string {
  return randomBytes(10).toString('hex')
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
  const {
    id,
    title,
    source,
    item_id,
    when,
    where,
    people,
    link,
    score,
    isMemory: _,
    text: __,
    places: ___,
    ...related
  } = found
  const uri = itemUri(source, item_id)
  const rounded = Math.round(score * 100) / 100
  return {
    id,
    title,
    text: fenced(text, fence),
    source,
    item_id,
    when,
    where,
    people,
    link,
    uri,
    score: rounded,
    ...related,
  }
}

function ofMemory({ custom_id, item_id, score, source, content }: MemoryResult): Found {
  return {
    id: custom_id,
    title: lineOf(content.headline),
    text: content.body ?? content.narrative ?? content.headline ?? '',
    source,
    item_id,
    when: lineOf(content.when),
    where: lineOf(content.where),
    people: peopleOf(content.participants),
    link: linkOf(content.url),
    score,
    ...relatedOf(content),
    isMemory: true,
    places: placesOf({ item_id, source }, content),
  }
}

function ofChunk(chunk: ChunkResult): Found {
  const { item_id, source, score, text, title, when, participants, url } = chunk
  return {
    id: item_id,
    title: lineOf(title),
    text,
    source,
    item_id,
    when: lineOf(when),
    where: null,
    people: peopleOf(participants),
    link: linkOf(url),
    score,
    ...relatedOf(chunk),
    isMemory: false,
    places: placesOf(chunk, chunk),
  }
}

function ofQa({ item_id, source, score, question, answer }: QaResult): Found {
  const places = placesOf({ item_id, source }, {})
  const frame = { source, item_id, when: null, where: null, people: [], link: null, places }
  return { id: item_id, title: lineOf(question), text: answer, ...frame, score, isMemory: false }
}

function placesOf(item: Pick<ChunkResult, 'item_id' | 'source'>, { also_in = [] }: Pick<ChunkResult, 'also_in'>) {
  return [item, ...also_in].map(({ source, item_id }) => `${source} ${item_id}`)
}

type Related = Pick<RecalledContent, 'superseded_by' | 'supersedes'> & Pick<ChunkResult, 'also_in'>

function relatedOf({ also_in = [], superseded_by, supersedes = [] }: Related) {
  const line = (parts: readonly (string | undefined)[]) =>
    cleanLine(parts.filter((part) => part !== undefined).join(', '), MOST_TITLE)
  return {
    ...(also_in.length > 0 && {
      also_in: also_in.slice(0, MOST_RELATED).map(({ source, when, item_id }) => line([source, when, item_id])),
    }),
    ...(supersedes.length > 0 && {
      replaces: supersedes.slice(0, MOST_RELATED).map(({ custom_id, when }) => line([custom_id, when])),
    }),
    ...(superseded_by !== undefined && { replaced_by: line([superseded_by]) }),
  }
}

/** A title or a name is data as well: one short line of it. */
export function lineOf(text: string | null | undefined): string | null {
  const line = text === null || text === undefined ? '' : cleanLine(text, MOST_TITLE)
  return line === '' ? null : line
}

function peopleOf(names: readonly string[] | undefined): string[] {
  return (names ?? []).slice(0, MOST_PEOPLE).map((name) => cleanLine(name, MOST_NAME))
}

/** Addresses that a browser opens, and no others. */
export function linkOf(url: string | undefined): string | null {
  if (url === undefined || url.length > MOST_LINK || !URL.canParse(url)) return null
  const { protocol, username, password, href } = new URL(url)
  // `https://bank.example@evil.example` looks like an address of the bank.
  if (username !== '' || password !== '' || href.length > MOST_LINK) return null
  return protocol === 'https:' || protocol === 'http:' ? href : null
}
