import { packagePath } from '../../src/lib/files.ts'
import type { Embedder } from '../../src/models/model.ts'
import { loadStaticEmbedder } from '../../src/models/static/static-embedder.ts'
import { createPipeline } from '../../src/pipeline/pipeline.ts'
import { askedQuestion } from '../../src/retrieval/answer-lead.ts'
import { rankSentences, type SentenceFeatures } from '../../src/retrieval/answer-sentence.ts'
import { formatDay } from '../../src/retrieval/provenance.ts'
import { statedDate } from '../../src/retrieval/quote-text.ts'
import { rankChunks } from '../../src/retrieval/rank-chunks.ts'
import { readChunks } from '../../src/retrieval/read-chunks.ts'
import { SENTENCE_WEIGHTS } from '../../src/retrieval/weights.ts'
import type { SearchIndex } from '../../src/store/search/search.ts'
import { isRightAnswer } from './answer-words.ts'
import { type EvaluationQuestion, type EvaluationSet, readSets } from './evaluation-set.ts'
import { openEvaluationStore } from './evaluation-store.ts'
import { fitChoice } from './fit/choice.ts'
import { fileText } from './measure-budget.ts'

// node test/eval/fit-answers.ts [locomo-dev,realtalk-dev]
// Fits SENTENCE_WEIGHTS of src/retrieval/weights.ts on questions with a gold answer: prints each set left out, and the weights
// of all together.

const READ = 10
const ASKED_AT = new Date('2026-11-20T00:00:00Z')
const NAMES = Object.keys(SENTENCE_WEIGHTS) as (keyof SentenceFeatures)[]

/** The sentences of one question: their features, and which of them hold its answer. */
interface Example {
  readonly set: string
  readonly inputs: readonly (readonly number[])[]
  readonly isRight: readonly boolean[]
}

async function examplesOf(set: EvaluationSet, embedder: Embedder): Promise<Example[]> {
  const store = await openEvaluationStore()
  const pipeline = createPipeline({ embedder })
  try {
    const examples: Example[] = []
    for (const collection of set.collections) {
      const accountId = await store.createAccount()
      const files = collection.sessions.map((session, i) => {
        return { itemId: `session-${i}`, text: fileText(session), sourceType: 'slack' } as const
      })
      await store.add(accountId, files, (file) => pipeline.run(file))
      const asked = set.questions.filter((one) => one.collection === collection.id && one.category !== 'unanswerable')
      for (const question of asked) {
        if (question.answer) examples.push(await exampleOf(set.name, question, store.index(accountId), embedder))
      }
    }
    return examples
  } finally {
    await store.close()
  }
}

async function exampleOf(
  set: string,
  { text, answer = '' }: EvaluationQuestion,
  index: SearchIndex,
  embedder: Embedder,
): Promise<Example> {
  const ranking = await rankChunks(text, {}, { index, embedder, now: ASKED_AT, timeZone: 'UTC' })
  const size = { size: 2 * READ, least: 0, timeZone: 'UTC' }
  const { folded } = await readChunks(ranking.ranked.slice(0, 2 * READ), size, index)
  const passages = folded.slice(0, READ).map(({ one: { row, passage, share } }) => ({ ...passage, share, at: row.at }))
  const sentences = await rankSentences(askedQuestion(text, ranking, passages), passages, embedder)
  return {
    set,
    inputs: sentences.map(({ features }) => NAMES.map((name) => features[name])),
    isRight: sentences.map((sentence) => {
      const { at } = passages[sentence.passage]!
      if (at === undefined) return isRightAnswer(answer, sentence.text)
      const day = statedDate(sentence.text, new Date(at), 'UTC')?.date ?? formatDay(new Date(at), 'UTC')
      return isRightAnswer(answer, `${sentence.text} ${day}`)
    }),
  }
}

/** Percent of the questions whose best sentence holds the answer, and of those that any sentence answers. */
function report(examples: readonly Example[], weights: readonly number[]): string {
  const best = examples.filter(({ inputs, isRight }) => {
    const scores = inputs.map((input) => input.reduce((sum, value, i) => sum + value * weights[i]!, 0))
    return isRight[scores.indexOf(Math.max(...scores))]
  })
  const any = examples.filter(({ isRight }) => isRight.includes(true))
  const percent = (count: number) => ((100 * count) / examples.length).toFixed(1)
  return `${percent(best.length)} of at most ${percent(any.length)}, ${examples.length} questions`
}

const only = process.argv[2]?.split(',') ?? ['locomo-dev', 'realtalk-dev', 'lifebench-dev']
const sets = readSets(packagePath('../shared/eval')).filter(({ name }) => only.includes(name))
const embedder = await loadStaticEmbedder(packagePath('models/static-en-40k'))
const all: Example[] = []
for (const set of sets) all.push(...(await examplesOf(set, embedder)))
for (const { name } of sets) {
  const others = all.filter(({ set }) => set !== name)
  const own = all.filter(({ set }) => set === name)
  if (others.length > 0) console.log(`${name}, left out: ${report(own, fitChoice(others))}`)
}
const weights = fitChoice(all)
for (const { name } of sets)
  console.log(
    `${name}: ${report(
      all.filter(({ set }) => set === name),
      weights,
    )}`,
  )
console.log(Object.fromEntries(NAMES.map((name, i) => [name, Number(weights[i]!.toFixed(2))])))
