import { analyze, hashTerm } from '../../lib/analyze.ts'
import type { TokenMatcher } from '../../models/model.ts'
import type { ChunkRow, SearchFilter, SearchIndex } from '../../store/search/search.ts'
import { isUsualWord } from './known-names.ts'

/** One distinct term of a question. */
export interface QueryTerm {
  readonly term: string
  readonly hash: number
  /** Number of chunks with the term. */
  readonly frequency: number
  /** Inverse document frequency, times the confidence in the term: 1, less for a guessed spelling. */
  readonly weight: number
  /** The misspelled term of the question that it replaces. */
  readonly typed?: string
  /** How it has to be written to be a name of a kind of thing (`KnownName`). */
  readonly written?: string
  /** Stored words for kinds of it, where one of a category is asked for: they count as the term. */
  readonly kinds?: readonly QueryTerm[]
  /** Stored other forms and synonyms of the term, each with what it counts as a share of the term. */
  readonly related?: readonly RelatedTerm[]
}

interface RelatedTerm extends QueryTerm {
  readonly share: number
}

/** The query of soft matching. */
export interface QueryTokens {
  readonly ids: Uint16Array
  /** Parallel to `ids`: the weight of the token's word, divided among its pieces. */
  readonly weights: Float32Array
}

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu

export function createQueryTerm(term: string, chunks: number, frequency: number, trust = 1): QueryTerm {
  return { term, hash: hashTerm(term), frequency, weight: trust * inverseFrequency(chunks, frequency) }
}

/** The total weight of the terms. */
export function totalWeight(terms: readonly QueryTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0)
}

/** Chunks with most of these words, in any order; words that nothing has are left out. */
export async function chunksWithWords(
  words: string,
  { limit, ...filter }: SearchFilter & { readonly limit: number },
  index: SearchIndex,
): Promise<ChunkRow[]> {
  const names = [...new Set(analyze(words))]
  const { chunks, frequencies } = await index.termStatistics(names)
  const terms = names.map((name) => createQueryTerm(name, chunks, frequencies.get(name) ?? 0))
  const known = terms.filter(({ frequency }) => frequency > 0)
  if (known.length === 0) return []
  const found = await index.lexicalCandidates({ terms: known, limit, ...filter })
  const ids = found.map(({ chunkId }) => chunkId)
  return index.chunks(ids, 0)
}

/**
 * A category with the words for its kinds that are stored: together they are as rare as one word that often, without names
 * that are usual words, too.
 */
export function createCategoryTerm(own: QueryTerm, kinds: readonly QueryTerm[], chunks: number): QueryTerm {
  const frequency = own.frequency + totalFrequency(kinds)
  return { ...own, frequency, weight: inverseFrequency(chunks, Math.min(frequency, chunks)), kinds }
}

/** Weight factor of `streaming` in `Which streaming service`: a name of one doesn't have the word. */
const FURTHER_TRUST = 0.3

/** A further word for a category, which has no other spelling either. */
export function createFurtherTerm(own: QueryTerm): QueryTerm {
  return { ...own, weight: FURTHER_TRUST * own.weight, related: [] }
}

function totalFrequency(words: readonly QueryTerm[]): number {
  return words.reduce((sum, word) => sum + (isUsualWord(word) ? 0 : word.frequency), 0)
}

/** Weight factor of a word that is stored only in other forms or as synonyms, as of the closest similar spelling. */
const RELATED_TRUST = 0.7

/** A term with other stored words for it; one that is stored only as these is as rare as they are together. */
export function withRelated(own: QueryTerm, related: readonly RelatedTerm[], chunks: number): QueryTerm {
  if (related.length === 0) return own
  const frequency = Math.min(totalFrequency(related), chunks)
  if (own.frequency > 0 || frequency === 0) return { ...own, related }
  return { ...own, frequency, weight: RELATED_TRUST * inverseFrequency(chunks, frequency), related }
}

/** `ln(1 + (N - n + .5) / (n + .5))` (Robertson and Spärck Jones, with Lucene's 1 that keeps it positive). */
export function inverseFrequency(chunks: number, frequency: number): number {
  return Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5))
}

/**
 * Token ids weighted like the terms of their word. Stop words are omitted, so that soft matching and lexical search use
 * the same words. Each of a word's n pieces gets 1/sqrt(n) of its weight, because pieces are more frequent.
 */
export function weighTokens(text: string, matcher: TokenMatcher, terms: readonly QueryTerm[]): QueryTokens {
  const weightOf = new Map(terms.map(({ term, weight }) => [term, weight]))
  const weights = new Map<number, number>()
  for (const [word] of text.matchAll(WORD)) {
    const weight = Math.max(0, ...analyze(word).map((term) => weightOf.get(term) ?? 0))
    if (weight === 0) continue
    const ids = matcher.encode(word)
    for (const id of ids) weights.set(id, Math.max(weights.get(id) ?? 0, weight / Math.sqrt(ids.length)))
  }
  return { ids: Uint16Array.from(weights.keys()), weights: Float32Array.from(weights.values()) }
}

/** Occurrences of the query's terms in rows: of term q in row i at `i * terms + q`. */
export interface TermCounts {
  readonly width: number
  readonly body: Uint16Array
  readonly meta: Uint16Array
  /** For each row, the weights of adjacent query terms that are adjacent in the body too. */
  readonly pairs: Float32Array
}

/** Maximum distance of the terms of a pair in a body. */
const PAIR_DISTANCE = 2

export function countTerms(terms: readonly QueryTerm[], rows: readonly ChunkRow[]): TermCounts {
  const width = terms.length
  const body = new Uint16Array(rows.length * width)
  const meta = new Uint16Array(rows.length * width)
  const pairs = new Float32Array(rows.length)
  const { find, present } = createLookup(terms)
  for (let i = 0; i < rows.length; i++) {
    const { bodyHashes, metaHashes } = rows[i]!
    let last = -1
    let lastAt = 0
    for (let j = 0; j < bodyHashes.length; j++) {
      if (present[bodyHashes[j]! & PRESENT_MASK] === 0) continue
      const q = find(bodyHashes[j]!)
      if (q < 0) continue
      body[i * width + q]!++
      if (last >= 0 && q === last + 1 && j - lastAt <= PAIR_DISTANCE) {
        pairs[i]! += Math.min(terms[q]!.weight, terms[last]!.weight)
      }
      last = q
      lastAt = j
    }
    for (let j = 0; j < metaHashes.length; j++) {
      if (present[metaHashes[j]! & PRESENT_MASK] === 0) continue
      const q = find(metaHashes[j]!)
      if (q >= 0) meta[i * width + q]!++
    }
  }
  return { width, body, meta, pairs }
}

/** Low bits of a hash by which nearly all others are told apart without a call of `find`. */
const PRESENT_MASK = 1_023

interface Lookup {
  /** Position of a hash among the terms, or -1. */
  readonly find: (hash: number) => number
  /** 1 at the low bits of each hash. */
  readonly present: Uint8Array
}

/** An open-addressing table, five times as fast as a `Map` here. */
function createLookup(terms: readonly QueryTerm[]): Lookup {
  const entries = [
    ...terms.map(({ hash }, q) => [hash, q] as const),
    ...terms.flatMap(({ kinds = [], related = [] }, q) =>
      [...kinds, ...related].filter((one) => !isUsualWord(one)).map(({ hash }) => [hash, q] as const),
    ),
  ]
  let size = 64
  while (size < entries.length * 4) size *= 2
  const mask = size - 1
  const positions = new Int16Array(size).fill(-1)
  const hashes = new Uint32Array(size)
  const present = new Uint8Array(PRESENT_MASK + 1)
  for (const [hash, q] of entries) {
    present[hash & PRESENT_MASK] = 1
    let slot = hash & mask
    while (positions[slot]! >= 0 && hashes[slot] !== hash) slot = (slot + 1) & mask
    // A word of the question stands for itself.
    if (positions[slot]! >= 0) continue
    positions[slot] = q
    hashes[slot] = hash
  }
  const find = (hash: number) => {
    for (let slot = hash & mask; positions[slot]! >= 0; slot = (slot + 1) & mask) {
      if (hashes[slot] === hash) return positions[slot]!
    }
    return -1
  }
  return { find, present }
}
