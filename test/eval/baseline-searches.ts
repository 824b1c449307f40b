import { stemmer } from 'stemmer'
import { STOP_WORDS } from '../../src/lib/analyze.ts'
import type { Embedder } from '../../src/models/model.ts'
import type { EvaluationTurn } from './evaluation-set.ts'

/** Ids of turns, best first. */
export type Search = (question: string) => Promise<string[]>

const DEPTH = 20

function termsOf(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll(/['’]/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return words.filter((word) => !STOP_WORDS.has(word)).map((word) => stemmer(word))
}

/** Textbook BM25 (k1 1.2, b .75, Porter, stop words) over the bare texts: what the product must beat. */
export function createBm25(turns: readonly EvaluationTurn[]): Search {
  const k1 = 1.2
  const b = 0.75
  const postings = new Map<string, Map<number, number>>()
  const lengths = turns.map(({ text }, i) => {
    const terms = termsOf(text)
    for (const term of terms) {
      const list = postings.get(term) ?? new Map<number, number>()
      list.set(i, (list.get(i) ?? 0) + 1)
      postings.set(term, list)
    }
    return terms.length
  })
  const usual = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return async (question) => {
    const scores = new Float64Array(turns.length)
    for (const term of new Set(termsOf(question))) {
      const list = postings.get(term)
      if (!list) continue
      const idf = Math.log(1 + (turns.length - list.size + 0.5) / (list.size + 0.5))
      for (const [i, n] of list) scores[i]! += (idf * n * (k1 + 1)) / (n + k1 * (1 - b + (b * lengths[i]!) / usual))
    }
    return best(turns, scores)
  }
}

/** Cosine of the pooled vectors alone. */
export async function createVectorSearch(turns: readonly EvaluationTurn[], embedder: Embedder): Promise<Search> {
  const vectors = await embedder.embed(turns.map(({ text }) => text))
  return async (question) => {
    const [query] = await embedder.embed([question])
    const scores = Float64Array.from(vectors, (vector) => product(vector, query!))
    return best(turns, scores)
  }
}

/** A plain loop: a question among 28,000 texts takes a fifth of the time that `reduce` takes. */
function product(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

function best(turns: readonly EvaluationTurn[], scores: Float64Array): string[] {
  return [...scores.keys()]
    .filter((i) => scores[i]! > 0)
    .sort((x, y) => scores[y]! - scores[x]! || x - y)
    .slice(0, DEPTH)
    .map((i) => turns[i]!.id)
}
