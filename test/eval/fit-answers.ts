import { packagePath } from '../../src/lib/files.ts'
import { loadStaticEmbedder } from '../../src/models/static/static-embedder.ts'
import type { AnswerEvidence } from '../../src/retrieval/answer/answer-confidence.ts'
import type { SentenceFeatures } from '../../src/retrieval/answer/sentences/answer-sentence.ts'
import {
  ANSWER_THRESHOLD,
  ANSWER_WEIGHTS,
  ENCODER_ANSWER_THRESHOLD,
  SENTENCE_WEIGHTS,
} from '../../src/retrieval/recall/weights.ts'
import { openInstalledModels } from './encoder.ts'
import { readSets } from './evaluation-set.ts'
import { type AnswerExample, homeExamples, setExamples } from './fit/answer-examples.ts'
import { fitChoice } from './fit/choice.ts'
import { fitLogistic, probability, type Sample } from './fit/logistic.ts'

// node test/eval/fit-answers.ts [--models FOLDER]
// Fits SENTENCE_WEIGHTS and ANSWER_WEIGHTS of src/retrieval/recall/weights.ts: prints each set left out for the choice of a sentence,
// halves left out for abstention, the weights of all together, and abstention with the present weights. With --models, for the models
// installed in that folder: ENCODER_ANSWER_THRESHOLD is chosen by it.

const FEATURES = Object.keys(SENTENCE_WEIGHTS) as (keyof SentenceFeatures)[]
const EVIDENCE = Object.keys(ANSWER_WEIGHTS).filter((name) => name !== 'constant') as (keyof AnswerEvidence)[]
/** Answers need no labels of their own there: a question and its answer are one passage. */
const PASSAGES_ONLY = 'faq-dev'
const SETS = ['locomo-dev', 'realtalk-dev', 'lifebench-dev', PASSAGES_ONLY]
/** Sentences among which a right one counts as found. */
const FOUND_AMONG = 4
/** How much the questions of a role count: those about somebody else are the hardest, and those of the phone year are twelve. */
const ROLE_WEIGHTS = { answerable: 1.3, unanswerable: 2, moved: 0.5 }
const FEW_UNANSWERABLE = { set: 'lifebench-dev', weight: 0.3 }

const embedder = await loadStaticEmbedder(packagePath('models/static-en-40k'))
const sets = readSets(packagePath('../shared/eval')).filter(({ name }) => SETS.includes(name))
const folder = process.argv.includes('--models') ? process.argv[process.argv.indexOf('--models') + 1] : undefined
await using models = folder === undefined ? undefined : await openInstalledModels(folder)
const examples = await homeExamples(embedder, models)
for (const set of sets) examples.push(...(await setExamples(set, embedder, models)))
const names = [...new Set(examples.map(({ set }) => set))]

const choices = examples.filter(({ role }) => role === 'answerable').map((one) => ({ ...one, inputs: inputsOf(one) }))
for (const name of names) {
  const weights = fitChoice(choices.filter(({ set }) => set !== name))
  console.log(`${name}, left out: ${bestSentences(name, weights)}`)
}
const sentenceWeights = fitChoice(choices)
for (const name of names) console.log(`${name}: ${bestSentences(name, sentenceWeights)}`)
console.log(Object.fromEntries(FEATURES.map((name, i) => [name, Number(sentenceWeights[i]!.toFixed(2))])))

const judged = examples.flatMap((one, i) => (one.evidence === undefined ? [] : [{ ...one, half: i % 2 }]))
const halves = [0, 1].map((half) => fitAbstention(judged.filter((one) => one.half !== half)))
for (const name of names) {
  for (const threshold of [0.3, 0.35, 0.4, 0.5])
    console.log(`${name} from ${threshold}: ${abstentions(name, threshold, ({ half }) => halves[half]!)}`)
  for (const threshold of [ANSWER_THRESHOLD, 0.4, ENCODER_ANSWER_THRESHOLD, 0.5])
    console.log(`${name}, present weights, from ${threshold}: ${abstentions(name, threshold, () => ANSWER_WEIGHTS)}`)
}
console.log(fitAbstention(judged))

function inputsOf({ sentences }: AnswerExample): number[][] {
  return sentences.map((features) => FEATURES.map((name) => features[name]))
}

/** Percent of the questions whose best sentence holds the answer, and of those that any sentence answers. */
function bestSentences(name: string, weights: readonly number[]): string {
  const own = choices.filter(({ set }) => set === name)
  const right = own.filter(({ inputs, isRight }) => {
    const scores = inputs.map((input) => input.reduce((sum, value, i) => sum + value * weights[i]!, 0))
    return isRight[scores.indexOf(Math.max(...scores))]
  })
  const any = own.filter(({ isRight }) => isRight.includes(true))
  return `${percent(right.length, own.length)} of at most ${percent(any.length, own.length)}, ${own.length} questions`
}

function isFound({ isRight }: AnswerExample): boolean {
  return isRight.slice(0, FOUND_AMONG).includes(true)
}

/** Questions whose answer is among the best sentences, against those that nothing answers. */
function fitAbstention(some: readonly AnswerExample[]) {
  const used = some.filter((one) => one.role !== 'answerable' || isFound(one))
  const sizes = Map.groupBy(used, ({ set, role }) => `${set} ${role}`)
  const samples = used.map(({ set, role, evidence }): Sample<keyof AnswerEvidence> => {
    const isFew = set === FEW_UNANSWERABLE.set && role === 'unanswerable'
    const weight = isFew ? FEW_UNANSWERABLE.weight : ROLE_WEIGHTS[role]
    return {
      inputs: evidence!,
      label: role === 'answerable' ? 1 : 0,
      weight: weight / sizes.get(`${set} ${role}`)!.length,
    }
  })
  return fitLogistic(samples, EVIDENCE, { isYesNo: ANSWER_WEIGHTS.isYesNo })
}

type Judged = (typeof judged)[number]

function abstentions(name: string, threshold: number, weightsFor: (one: Judged) => { constant: number }): string {
  const own = judged.filter(({ set }) => set === name)
  const share = (some: typeof own) => {
    const abstained = some.filter((one) => probability(one.evidence!, weightsFor(one)) < threshold)
    return percent(abstained.length, some.length)
  }
  const answerable = own.filter(({ role }) => role === 'answerable')
  return [
    `abstained: found ${share(answerable.filter(isFound))}`,
    `not found ${share(answerable.filter((one) => !isFound(one)))}`,
    `unanswerable ${share(own.filter(({ role }) => role === 'unanswerable'))}`,
    `moved ${share(own.filter(({ role }) => role === 'moved'))}`,
  ].join(', ')
}

function percent(count: number, all: number): string {
  return all === 0 ? '-' : ((100 * count) / all).toFixed(1)
}
