import { analyze } from '../lib/analyze.ts'
import type { ChunkRow, SearchIndex } from '../store/search/search.ts'
import { createQueryTerm, type QueryTerm } from './query-terms.ts'

/** Chunks whose people are read at once. */
const READ_AT_ONCE = 150
/** With so many of a person, the rest is not looked at: three for each of 30 results. */
const ENOUGH = 90
const MARKS = /\p{M}+/gu
const BETWEEN_NAMES = /[^\p{L}\p{N}]+/gu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/**
 * Whether one of these names is meant by what was typed: the whole name, one of its parts, or the beginning of a part
 * (`ann` is Ann Lee and Anna, but not Hannah). Case and accents do not count.
 */
export function isNamed(person: string, names: readonly string[]): boolean {
  const wanted = comparableName(person)
  if (wanted === '') return false
  const start = UNSPACED.test(wanted) ? wanted : ` ${wanted}`
  return names.some((name) => ` ${comparableName(name)}`.includes(start))
}

function comparableName(name: string): string {
  return name.normalize('NFKD').replace(MARKS, '').toLowerCase().replace(BETWEEN_NAMES, ' ').trim()
}

/**
 * The terms of a question with those of a name, so weighed that chunks with the name come first, and among them those with
 * the most of the question. Empty when the name occurs nowhere as it is typed.
 */
export async function withNames(
  terms: readonly QueryTerm[],
  person: string,
  index: SearchIndex,
): Promise<readonly QueryTerm[]> {
  const names = [...new Set(analyze(person))]
  const { chunks, frequencies } = await index.termStatistics(names)
  const known = names.filter((name) => (frequencies.get(name) ?? 0) > 0)
  if (known.length === 0) return []
  const ahead = terms.reduce((sum, { weight }) => sum + weight, 0)
  const others = terms.filter(({ term }) => !known.includes(term))
  const wanted = known.map((name) => createQueryTerm(name, chunks, frequencies.get(name) ?? 0))
  return [...wanted.map((term) => ({ ...term, weight: term.weight + ahead })), ...others]
}

/**
 * Of these places, those that the person says or takes part in, in their order; as many as recall needs.
 *
 * @param places best first
 */
export async function placesOfPerson(
  places: readonly number[],
  rows: readonly ChunkRow[],
  person: string,
  index: SearchIndex,
): Promise<number[]> {
  const kept: number[] = []
  for (let from = 0; from < places.length && kept.length < ENOUGH; from += READ_AT_ONCE) {
    const next = places.slice(from, from + READ_AT_ONCE)
    const ids = next.map((place) => rows[place]!.chunkId)
    const [memories, passages] = await Promise.all([index.memoriesOf(ids), index.passages(ids)])
    const theirs = new Set<number>()
    for (const { content, firstChunkId, lastChunkId } of memories) {
      if (!isNamed(person, content.participants ?? [])) continue
      for (let id = firstChunkId; id <= lastChunkId; id++) theirs.add(id)
    }
    for (const place of next) {
      const { chunkId } = rows[place]!
      const speaker = passages.get(chunkId)?.speaker
      if (theirs.has(chunkId) || (speaker !== undefined && isNamed(person, [speaker]))) kept.push(place)
    }
  }
  return kept
}
