import type { Embedder } from '../../src/models/model.ts'
import { isLikelyAnswer, weighEvidence } from '../../src/retrieval/answer/answer-confidence.ts'
import { readEvidence } from '../../src/retrieval/answer/evidence/read-evidence.ts'
import { readSentences } from '../../src/retrieval/answer/evidence/read-sentences.ts'
import { type Ranking, type RecallSources, rankChunks } from '../../src/retrieval/recall/rank-chunks.ts'
import type { SearchIndex } from '../../src/store/search/search.ts'
import { askedAt, type EvaluationCollection, type EvaluationQuestion, type EvaluationSet } from './evaluation-set.ts'
import { openEvaluationStore } from './evaluation-store.ts'
import { indexTurns } from './index-turns.ts'

/** Percent; `undefined` where the set has no such question. */
export interface AbstentionMeasures {
  /** Of the questions that have an answer, those that `ask` answers; of these, those with evidence among the best three. */
  readonly answered: number | undefined
  readonly right: number | undefined
  /** Abstained: of the questions whose evidence must not be taken for an answer, and of those asked of another collection. */
  readonly unanswerable: number | undefined
  readonly moved: number | undefined
}

const BEST = 3

/** Asks each question of its own collection and every second one of another, of this set or of the next of its kind. */
export async function measureAbstention(
  set: EvaluationSet,
  others: readonly EvaluationSet[],
  embedder: Embedder,
): Promise<AbstentionMeasures> {
  const store = await openEvaluationStore()
  try {
    const load = async (collection: EvaluationCollection): Promise<SearchIndex> => {
      const accountId = await store.createAccount()
      const items = new Map(collection.sessions.map((item) => [item.id, item]))
      const texts = [...items.keys()].map((itemId) => ({ itemId, text: '-' }))
      await store.add(accountId, texts, (file) => indexTurns(items.get(file.itemId)!, collection.kind, embedder))
      return store.index(accountId)
    }
    const elsewhere = others.flatMap(({ collections }) => collections).find(({ kind }) => sameKind(kind, set))
    const collections = [...set.collections, ...(set.collections.length === 1 && elsewhere ? [elsewhere] : [])]
    const indexes: SearchIndex[] = []
    // One after the other: each claims what it put.
    for (const collection of collections) indexes.push(await load(collection))
    const isAnswered = async (
      question: EvaluationQuestion,
      place: number,
    ): Promise<{ given: boolean; right: boolean }> => {
      const context = { index: indexes[place]!, embedder, now: askedAt(set), timeZone: 'UTC' }
      const ranking = await rankChunks(question.text, {}, context)
      const given = ranking.ranked.length > 0 && (await isLikely(question.text, ranking, context))
      const turns = new Map(collections[place]!.sessions.map((session) => [session.id, session.turns]))
      const best = ranking.ranked.slice(0, BEST).map(({ row }) => turns.get(row.itemId)![row.ordinal]!.id)
      return { given, right: best.some((id) => question.evidence.includes(id)) }
    }
    const [answerable, right, unanswerable, moved]: boolean[][] = [[], [], [], []]
    for (const [n, question] of set.questions.entries()) {
      const own = set.collections.findIndex(({ id }) => id === question.collection)
      const answer = await isAnswered(question, own)
      if (question.category === 'unanswerable') unanswerable!.push(!answer.given)
      else if (question.evidence.length > 0) {
        answerable!.push(answer.given)
        if (answer.given) right!.push(answer.right)
      }
      if (n % 2 === 0 && collections.length > 1)
        moved!.push(!(await isAnswered(question, (own + 1) % collections.length)).given)
    }
    return {
      answered: share(answerable!),
      right: share(right!),
      unanswerable: share(unanswerable!),
      moved: share(moved!),
    }
  } finally {
    await store.close()
  }
}

/** As `ask` decides it, but for stored pairs, which single turns have none of. */
async function isLikely(
  text: string,
  ranking: Ranking,
  { index, embedder }: Pick<RecallSources, 'index' | 'embedder'>,
) {
  const evidence = await readEvidence(ranking, index, 'UTC')
  const read = await readSentences(text, evidence, embedder, { timeZone: 'UTC' })
  const weighed = weighEvidence(text, evidence, read)
  return weighed.holdsNames === 1 && isLikelyAnswer(weighed, ranking.query)
}

function sameKind(kind: string, { collections }: EvaluationSet): boolean {
  return collections.some((collection) => (collection.kind === 'docs') === (kind === 'docs'))
}

function share(some: readonly boolean[]): number | undefined {
  return some.length === 0 ? undefined : (100 * some.filter(Boolean).length) / some.length
}
