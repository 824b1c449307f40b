import { formatHandle, type Place } from '../domain/handle.ts'
import { estimateTokens } from '../lib/estimate-tokens.ts'
import { cutAtBoundary } from './clean-text.ts'
import { type Found, findPassages, isSameItem, itemName, type PassageResult } from './found-passages.ts'
import { type Detail, itemText, MOST_NOTES, type ShownItem, type ShownPassage } from './passage-text.ts'

export interface ChosenPassages {
  /** Most relevant first. */
  readonly items: readonly ShownItem[]
  /** Passages that did not fit. */
  readonly leftOut: number
  /** Some text was cut to fit. */
  readonly isCut: boolean
}

export interface Room {
  /** Maximum number of passages. */
  readonly limit: number
  /** Estimated tokens of all items together. */
  readonly tokens: number
  readonly detail: Detail
}

/** Maximum share of one item, so that it does not crowd out the others. */
const LARGEST_SHARE = 0.6
/** Tokens that one item can always use, if the limit allows. */
const LEAST_SHARE = 250
/** Shorter excerpts are not worth the tokens of their header. */
const LEAST_TEXT = 25
/** Minimum relevance of a passage, relative to the best one. */
const LEAST_RELEVANT: Readonly<Record<Detail, number>> = { brief: 0.5, normal: 0.3, full: 0 }
/** Maximum tokens of a passage. */
const MOST_TOKENS: Readonly<Record<Detail, number>> = { brief: 60, normal: 200, full: Number.POSITIVE_INFINITY }

/** The best passages that fit: other items before more of the same item, neighbors joined, nothing twice. */
export function choosePassages(result: PassageResult, room: Room): ChosenPassages {
  const found = findPassages(result)
  const choice = new Choice(room, found)
  const least = (found[0]?.score ?? 0) * LEAST_RELEVANT[room.detail]
  for (const one of found) if (one.score >= least) choice.take(one)
  return choice.result()
}

class Choice {
  readonly #room: Room
  readonly #items = new Map<string, ShownItem>()
  readonly #handleOf: ReadonlyMap<string | undefined, string>
  #left: number
  #passages = 0
  #leftOut = 0
  #isCut = false

  constructor(room: Room, found: readonly Found[]) {
    this.#room = room
    this.#left = room.tokens
    this.#handleOf = new Map(found.map(({ memoryId, handle }) => [memoryId, handle]))
  }

  take(found: Found): void {
    if (this.#isShown(found)) return
    const passage = this.#passageOf(found)
    const item = this.#items.get(itemName(found)) ?? { ...found, passages: [] }
    const joined = withPassage(item, passage)
    const isMore = joined.passages.length > item.passages.length
    const share = Math.max(this.#room.tokens * LARGEST_SHARE, LEAST_SHARE)
    const room = Math.min(this.#left, share - this.#cost(item))
    const fitted = isMore && this.#passages >= this.#room.limit ? undefined : this.#fit(item, passage, room)
    if (fitted === undefined) {
      this.#leftOut++
      return
    }
    const shown = withPassage(item, fitted)
    this.#left -= this.#cost(shown) - this.#cost(item)
    this.#isCut ||= fitted.text !== passage.text || fitted.notes !== passage.notes
    this.#passages += shown.passages.length - item.passages.length
    this.#items.set(itemName(found), shown)
  }

  result(): ChosenPassages {
    return { items: [...this.#items.values()], leftOut: this.#leftOut, isCut: this.#isCut }
  }

  #isShown(found: Found): boolean {
    return [...this.#items.values()].some(({ passages }) =>
      passages.some(
        (passage) =>
          (isSameItem(passage, found) && (holds(passage.place, found.place) || passage.text.includes(found.text))) ||
          isNoteOf(passage, found),
      ),
    )
  }

  #passageOf({ handle, place, provenance, text, isMemory, items, replacedBy, notes }: Found): ShownPassage {
    const newer = replacedBy === undefined ? undefined : (this.#handleOf.get(replacedBy) ?? '')
    // A note can be a result itself.
    const further = notes.filter(({ item }) => !this.#items.has(item)).slice(-MOST_NOTES)
    return {
      ...{ handle, place, provenance, text, isMemory, items },
      ...(newer !== undefined && { replacedBy: newer }),
      ...(further.length > 0 && { notes: further }),
    }
  }

  /** The passage, without its notes or shortened if necessary; `undefined` if too little fits. */
  #fit(item: ShownItem, passage: ShownPassage, room: number): ShownPassage | undefined {
    const before = this.#cost(item)
    const costWith = (one: ShownPassage) => this.#cost(withPassage(item, one)) - before
    const over = (one: ShownPassage) =>
      Math.max(costWith(one) - room, estimateTokens(one.text) - MOST_TOKENS[this.#room.detail])
    let fitted = passage
    for (let excess = over(fitted); excess > 0; excess = over(fitted)) {
      const tokens = estimateTokens(fitted.text)
      if (tokens - excess < LEAST_TEXT) return this.#fitWithoutNotes(item, passage, room)
      const characters = Math.floor((fitted.text.length * (tokens - excess)) / tokens) - 2
      fitted = { ...passage, text: cutAtBoundary(fitted.text.replace(/ …$/, ''), characters) }
    }
    return fitted
  }

  #fitWithoutNotes(item: ShownItem, { notes, ...passage }: ShownPassage, room: number): ShownPassage | undefined {
    return notes === undefined ? undefined : this.#fit(item, passage, room)
  }

  #cost(item: ShownItem): number {
    return item.passages.length === 0 ? 0 : estimateTokens(itemText(item, this.#room.detail)) + 1
  }
}

/** Adds the passage in text order: joins neighbors, and replaces passages that it contains. */
function withPassage(item: ShownItem, passage: ShownPassage): ShownItem {
  const others = item.passages.filter((one) => !(holds(passage.place, one.place) || passage.text.includes(one.text)))
  const before = others.find((one) => isNext(one.place, passage.place))
  const after = others.find((one) => isNext(passage.place, one.place))
  const parts = [before, passage, after].filter((one) => one !== undefined)
  const rest = others.filter((one) => one !== before && one !== after)
  const notes = new Set(
    [...item.passages.filter((one) => !rest.includes(one)), passage].flatMap((one) => one.notes ?? []),
  )
  const main = notes.size === 0 ? passage : { ...passage, notes: [...notes] }
  return { ...item, passages: [...rest, joined(parts, main)].sort(inOrder) }
}

function isNoteOf({ notes = [] }: ShownPassage, found: Found): boolean {
  return notes.some(({ item, text }) => item === itemName(found) && text.includes(found.text))
}

function joined(parts: readonly ShownPassage[], main: ShownPassage): ShownPassage {
  const [first, last] = [parts[0], parts.at(-1)]
  if (parts.length === 1 || first?.place === undefined || last?.place === undefined) return main
  const place = { itemKey: first.place.itemKey, first: first.place.first, last: last.place.last }
  return {
    ...main,
    ...(first.replacedBy !== undefined && { replacedBy: first.replacedBy }),
    handle: formatHandle(place),
    place,
    provenance: first.provenance,
    text: parts.map(({ text }) => text).join('\n'),
  }
}

function holds(outer: Place | undefined, inner: Place | undefined): boolean {
  if (outer === undefined || inner === undefined || outer.itemKey !== inner.itemKey) return false
  return outer.first <= inner.first && inner.last <= outer.last
}

function isNext(one: Place | undefined, next: Place | undefined): boolean {
  return one !== undefined && next !== undefined && one.itemKey === next.itemKey && one.last + 1 === next.first
}

function inOrder(a: ShownPassage, b: ShownPassage): number {
  return (a.place?.first ?? 0) - (b.place?.first ?? 0)
}
