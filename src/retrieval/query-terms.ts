import { analyze, hashTerm } from '../lib/analyze.ts'
import type { TokenMatcher } from '../models/model.ts'

/** One distinct term of a question. */
export interface QueryTerm {
  readonly term: string
  readonly hash: number
  /** Chunks that hold the term. */
  readonly frequency: number
  /** Inverse frequency, times the trust in the term: 1, less for a guessed spelling. */
  readonly weight: number
  /** The term of the question that it is spelt like, and that occurs nowhere. */
  readonly typed?: string
}

/** What soft matching looks for. */
export interface QueryTokens {
  readonly ids: Uint16Array
  /** Parallel to `ids`: the weight of the word that the token belongs to, divided among its pieces. */
  readonly weights: Float32Array
}

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu

export function createQueryTerm(term: string, chunks: number, frequency: number, trust = 1): QueryTerm {
  return { term, hash: hashTerm(term), frequency, weight: trust * inverseFrequency(chunks, frequency) }
}

/** `ln(1 + (N - n + .5) / (n + .5))` (Robertson and Spärck Jones, with Lucene's 1 that keeps it positive). */
function inverseFrequency(chunks: number, frequency: number): number {
  return Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5))
}

/**
 * Token ids weighed like the terms of their word. Stop words are no terms and are left out, so that soft matching looks
 * for what lexical search looks for. A word in n pieces gives each 1/sqrt(n) of its weight: pieces are seen more often.
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
