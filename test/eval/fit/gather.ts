import type { Embedder } from '../../../src/models/model.ts'
import {
  type QueryContext,
  type UnderstoodQuery,
  understandQuery,
} from '../../../src/retrieval/question/understand-query.ts'
import { measureRows, type RawFeatures } from '../../../src/retrieval/recall/features.ts'
import { findCandidates } from '../../../src/retrieval/recall/find-candidates.ts'
import { weightsFor } from '../../../src/retrieval/recall/weights.ts'
import type { ChunkRow, SearchIndex } from '../../../src/store/search/search.ts'
import { askedAt, type EvaluationCollection, type EvaluationQuestion, type EvaluationSet } from '../evaluation-set.ts'
import { openEvaluationStore } from '../evaluation-store.ts'
import { indexTurns } from '../index-turns.ts'
import { START_WEIGHTS } from './start-weights.ts'

/** A question with everything that scoring it needs, so that weights can be tried without the store. */
export interface Example {
  readonly set: string
  readonly question: EvaluationQuestion
  readonly kind: 'turn' | 'prose'
  /** `moved`: asked of another collection, where nothing answers it. */
  readonly role: 'answerable' | 'unanswerable' | 'moved'
  readonly query: UnderstoodQuery
  readonly rows: readonly ChunkRow[]
  readonly raw: RawFeatures
  /** Chunk ids; empty unless answerable. */
  readonly evidence: ReadonlySet<number>
}

interface Loaded {
  readonly collection: EvaluationCollection
  readonly index: SearchIndex
  readonly chunkIds: ReadonlyMap<string, number>
}

/**
 * At most about `mostQuestions` questions of each set, evenly spread; every second one also in another collection.
 * @param asking absent: questions are embedded as passages are
 */
export async function gather(
  sets: readonly EvaluationSet[],
  embedder: Embedder,
  mostQuestions: number,
  asking?: Pick<QueryContext, 'embedder' | 'embedQuestion'>,
): Promise<Example[]> {
  const store = await openEvaluationStore()
  const examples: Example[] = []
  try {
    const loaded: (Loaded & { set: string })[] = []
    for (const set of sets) {
      for (const collection of set.collections) {
        const accountId = await store.createAccount()
        const items = new Map(collection.sessions.map((item) => [item.id, item]))
        const texts = [...items.keys()].map((itemId) => ({ itemId, text: '-' }))
        await store.add(accountId, texts, (file) => indexTurns(items.get(file.itemId)!, collection.kind, embedder))
        const index = store.index(accountId)
        loaded.push({ set: set.name, collection, index, chunkIds: await chunkIdsOf(collection, index) })
      }
    }
    for (const set of sets) {
      const step = Math.max(1, Math.floor(set.questions.length / mostQuestions))
      for (const [n, question] of set.questions.entries()) {
        if (n % step !== 0 || question.evidence.length === 0) continue
        const at = loaded.findIndex((one) => one.set === set.name && one.collection.id === question.collection)
        const own = loaded[at]!
        const example = async (where: Loaded, role: Example['role']): Promise<Example> => {
          const context = { index: where.index, embedder, ...asking, now: askedAt(set), timeZone: 'UTC' }
          const query = await understandQuery(question.text, context)
          const rows = await findCandidates(query, where.index, {})
          const evidence = new Set(role === 'answerable' ? question.evidence.map((id) => where.chunkIds.get(id)!) : [])
          const raw = measureRows(query, rows, embedder.tokens, weightsFor(START_WEIGHTS, query.breadth))
          return { set: set.name, question, kind: kindOf(where.collection), role, query, rows, raw, evidence }
        }
        examples.push(await example(own, question.category === 'unanswerable' ? 'unanswerable' : 'answerable'))
        // The next collection of the same kind of text, of this set where it has several.
        const others = [...loaded.slice(at + 1), ...loaded.slice(0, at)]
        const other = others.find((one) => kindOf(one.collection) === kindOf(own.collection))
        if (other && n % (2 * step) === 0) examples.push(await example(other, 'moved'))
      }
    }
  } finally {
    await store.close()
  }
  return examples
}

function kindOf({ kind }: EvaluationCollection): 'turn' | 'prose' {
  return kind === 'docs' ? 'prose' : 'turn'
}

/** By turn id. Chunk ids are numbered in the order of completion, for all accounts together, so they are walked. */
async function chunkIdsOf(collection: EvaluationCollection, index: SearchIndex): Promise<Map<string, number>> {
  const places = new Map<string, string>()
  for (const item of collection.sessions)
    for (const [i, turn] of item.turns.entries()) places.set(`${item.id}/${i}`, turn.id)
  const ids = new Map<string, number>()
  for (let first = 1, missed = 0; ids.size < places.size && missed < 200; first += 500) {
    const rows = await index.chunks(
      Array.from({ length: 500 }, (_, i) => first + i),
      0,
    )
    missed = rows.length === 0 ? missed + 1 : 0
    for (const { chunkId, itemId, ordinal } of rows) {
      const turn = places.get(`${itemId}/${ordinal}`)
      if (turn !== undefined) ids.set(turn, chunkId)
    }
  }
  return ids
}
