import type { Embedder } from '../../../src/models/model.ts'
import { answerKind, holdsKind } from '../../../src/retrieval/question/answer-kind.ts'
import { type MixedRanking, rankChunks } from '../../../src/retrieval/recall/rank-chunks.ts'
import type { FittedWeights } from '../../../src/retrieval/recall/weights.ts'
import type { SearchIndex } from '../../../src/store/search/search.ts'
import { collectionOwner } from '../conversation-uploads.ts'
import { answerable, askedAt, type EvaluationCollection, type EvaluationSet } from '../evaluation-set.ts'
import { openEvaluationStore } from '../evaluation-store.ts'
import { indexTurns } from '../index-turns.ts'

/** What may tell a better order of the best chunks. */
export const ORDER_INPUTS = ['window', 'rarest', 'own', 'holdsKind'] as const
export type OrderInput = (typeof ORDER_INPUTS)[number]

/** The best chunks of a question, in the present order. */
export interface OrderExample {
  readonly set: string
  readonly candidates: readonly (Readonly<Record<OrderInput, number>> & { readonly share: number })[]
  /** Parallel to `candidates`. */
  readonly isRight: readonly boolean[]
  readonly evidence: number
}

const DEPTH = 60
/** Positions that a window of words has. */
const WINDOW = 10

/** The questions of a set that have an answer, ranked with these weights. */
export async function orderExamples(
  set: EvaluationSet,
  embedder: Embedder,
  weights: FittedWeights | undefined,
): Promise<OrderExample[]> {
  const store = await openEvaluationStore()
  const examples: OrderExample[] = []
  try {
    for (const collection of set.collections) {
      const accountId = await store.createAccount()
      const items = new Map(collection.sessions.map((item) => [item.id, item]))
      const texts = [...items.keys()].map((itemId) => ({ itemId, text: '-' }))
      await store.add(accountId, texts, (file) => indexTurns(items.get(file.itemId)!, collection.kind, embedder))
      const context = { ...contextOf(set, collection, store.index(accountId)), embedder, ...(weights && { weights }) }
      for (const question of answerable(set).filter((one) => one.collection === collection.id)) {
        const ranking = await rankChunks(question.text, {}, context)
        const best = ranking.ranked.slice(0, DEPTH)
        const turns = best.map(({ row }) => items.get(row.itemId)!.turns[row.ordinal]!)
        examples.push({
          set: set.name,
          candidates: best.map(({ position, share }, i) => {
            return { share, ...measureInputs(question.text, turns[i]!.text, ranking, position) }
          }),
          isRight: turns.map(({ id }) => question.evidence.includes(id)),
          evidence: new Set(question.evidence).size,
        })
      }
    }
  } finally {
    await store.close()
  }
  return examples
}

function contextOf(set: EvaluationSet, collection: EvaluationCollection, index: SearchIndex) {
  return { index, now: askedAt(set), timeZone: 'UTC', userName: collectionOwner(collection) }
}

function measureInputs(
  question: string,
  text: string,
  { query: { terms }, rows, features }: MixedRanking,
  position: number,
): Record<OrderInput, number> {
  const { bodyHashes } = rows[position]!
  const weightOf = new Map(terms.map(({ hash, weight }) => [hash, weight]))
  const rarest = terms.toSorted((a, b) => b.weight - a.weight)[0]
  const total = terms.reduce((sum, { weight }) => sum + weight, 0)
  return {
    window: total === 0 ? 0 : heaviestWindow(bodyHashes, weightOf) / total,
    rarest: rarest !== undefined && bodyHashes.includes(rarest.hash) ? 1 : 0,
    own: features.coverage[position]!,
    holdsKind: holdsKind(answerKind(question), text, 0) ? 1 : 0,
  }
}

/** The largest weight of distinct words of the question within a window of the text. */
function heaviestWindow(hashes: Uint32Array, weightOf: ReadonlyMap<number, number>): number {
  let most = 0
  for (let start = 0; start < hashes.length; start++) {
    if (!weightOf.has(hashes[start]!)) continue
    const held = new Set(hashes.subarray(start, start + WINDOW))
    let weight = 0
    for (const hash of held) weight += weightOf.get(hash) ?? 0
    most = Math.max(most, weight)
  }
  return most
}
