import type { Embedder } from '../../src/models/model.ts'
import type { RecallSources } from '../../src/retrieval/recall/rank-chunks.ts'
import { recallMemories } from '../../src/retrieval/recall/recall.ts'
import type { FittedWeights } from '../../src/retrieval/recall/weights.ts'
import type { SearchIndex } from '../../src/store/search/search.ts'
import { createBm25, createVectorSearch, type Search } from './baseline-searches.ts'
import { collectionOwner } from './conversation-uploads.ts'
import { askWith, type InstalledModels, withTokens } from './encoder.ts'
import { answerable, askedAt, type EvaluationCollection, type EvaluationSet } from './evaluation-set.ts'
import { type EvaluationStore, openEvaluationStore } from './evaluation-store.ts'
import { indexTurns } from './index-turns.ts'
import type { Outcome } from './measures.ts'

const DEPTH = 20

/** The names of the product with a sentence encoder in the tables, and with the reranker too. */
const WITH_ENCODER = 'product, minilm'
const WITH_RERANKER = 'product, minilm, reranked'

/**
 * Every turn an item of its own to the measure; the product searches them in its store, once with its weights and once
 * with those that the other sets gave.
 *
 * @param models to be measured beside the built-in one: the encoder, and the reranker too
 */
export async function measureTurns(
  set: EvaluationSet,
  embedder: Embedder,
  leftOut: FittedWeights | undefined,
  models?: InstalledModels,
): Promise<Map<string, Outcome[]>> {
  const outcomes = new Map<string, Outcome[]>(
    ['bm25', 'vectors', 'product', 'product, left out', WITH_ENCODER, WITH_RERANKER].map((name) => [name, []]),
  )
  const store = await openEvaluationStore()
  try {
    for (const collection of set.collections) {
      const accountId = await store.createAccount()
      const items = new Map(collection.sessions.map((item) => [item.id, item]))
      const texts = [...items.keys()].map((itemId) => ({ itemId, text: '-' }))
      await store.add(accountId, texts, (file) => indexTurns(items.get(file.itemId)!, collection.kind, embedder))
      const turns = collection.sessions.flatMap((session) => session.turns)
      const systems: [string, Search][] = [
        ['bm25', createBm25(turns)],
        ['vectors', await createVectorSearch(turns, embedder)],
        ['product', createProductSearch(collection, askedAt(set), { index: store.index(accountId), embedder })],
      ]
      if (leftOut !== undefined) {
        const sources = { index: store.index(accountId), embedder, weights: leftOut }
        systems.push(['product, left out', createProductSearch(collection, askedAt(set), sources)])
      }
      if (models !== undefined) {
        const index = await encodedIndex(collection, store, embedder, models.encoder)
        const { embedQuestion, rerank } = await askWith(models, embedder)
        const sources = { index, embedder, embedQuestion }
        systems.push([WITH_ENCODER, createProductSearch(collection, askedAt(set), sources)])
        systems.push([WITH_RERANKER, createProductSearch(collection, askedAt(set), { ...sources, rerank })])
      }
      const sessionOf = new Map(collection.sessions.flatMap(({ id, turns: own }) => own.map((turn) => [turn.id, id])))
      for (const question of answerable(set).filter((one) => one.collection === collection.id)) {
        const evidence = new Set(question.evidence)
        for (const [name, search] of systems) {
          const startedAt = performance.now()
          const ranking = await search(question.text)
          const ms = performance.now() - startedAt
          const sessions = new Set(ranking.slice(0, 10).map((id) => sessionOf.get(id))).size
          outcomes
            .get(name)!
            .push({ category: question.category, collection: collection.id, evidence, ranking, sessions, ms })
        }
      }
    }
  } finally {
    await store.close()
  }
  return new Map([...outcomes].filter(([, some]) => some.length > 0))
}

/** A collection in an account of its own, with the vectors of a plugged-in model. */
async function encodedIndex(
  collection: EvaluationCollection,
  store: EvaluationStore,
  embedder: Embedder,
  encoder: Embedder,
): Promise<SearchIndex> {
  const accountId = await store.createAccount()
  const items = new Map(collection.sessions.map((item) => [item.id, item]))
  const texts = [...items.keys()].map((itemId) => ({ itemId, text: '-' }))
  await store.add(accountId, texts, (file) =>
    indexTurns(items.get(file.itemId)!, collection.kind, withTokens(encoder, embedder)),
  )
  return store.index(accountId)
}

function createProductSearch(collection: EvaluationCollection, now: Date, sources: RecallSources): Search {
  const items = new Map(collection.sessions.map((item) => [item.id, item]))
  return async (text) => {
    const input = { text, limit: DEPTH, timeZone: 'UTC', now, userName: collectionOwner(collection) }
    const { chunks } = await recallMemories(input, sources)
    const rows = await sources.index.chunks(
      chunks.map(({ chunkId }) => chunkId),
      0,
    )
    const byId = new Map(rows.map((row) => [row.chunkId, row]))
    return chunks.map(({ chunkId, itemId }) => items.get(itemId)!.turns[byId.get(chunkId)!.ordinal]!.id)
  }
}
