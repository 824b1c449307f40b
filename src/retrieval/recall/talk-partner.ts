import { analyze, hashTerm } from '../../lib/analyze.ts'
import type { ChunkRow } from '../../store/search/search.ts'
import { TALK } from '../question/asked-talk.ts'

/** A question about what people said to each other. */
const OF_TALK = new RegExp(`\\b(?:${TALK}|mention(?:ed|s)?|told|tell(?:ing)?|shared|heard|learn(?:ed|t))\\b`, 'i')
/** `with his friend Mara Lind`, `from Ravi`: who the others are. */
const PARTNER =
  /\b(?:with|from|to)\s+(?:[\p{Ll}'’-]+,?\s+){0,5}(\p{Lu}[\p{L}\p{M}'’-]+(?:\s+\p{Lu}[\p{L}\p{M}'’-]+){0,2})/gu

/** Score factor for turns of a conversation with somebody whom a question about a talk names as its partner. */
const WITH_PARTNER = 1.3

/** The factors of rows in conversations with the person whom `text` names; `undefined` where it names none who speaks. */
export function partnerFactors(
  text: string,
  rows: readonly ChunkRow[],
  userName = '',
): ((row: ChunkRow) => number) | undefined {
  if (!OF_TALK.test(text)) return undefined
  const own = new Set(analyze(userName))
  const names = [...text.matchAll(PARTNER)]
    .map(([, name = '']) => analyze(name).filter((term) => !own.has(term)))
    .filter(({ length }) => length > 0)
    .map((terms) => terms.map(hashTerm))
  if (names.length === 0) return undefined
  const items = new Set<number>()
  for (const { kind, itemKey, metaHashes } of rows) {
    if (kind === 'turn' && names.some((name) => name.every((term) => metaHashes.includes(term)))) items.add(itemKey)
  }
  if (items.size === 0) return undefined
  return ({ kind, itemKey }) => (kind === 'turn' && items.has(itemKey) ? WITH_PARTNER : 1)
}
