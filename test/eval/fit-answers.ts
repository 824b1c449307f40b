import { packagePath } from '../../src/lib/files.ts'
import { loadStaticEmbedder } from '../../src/models/static/static-embedder.ts'
import type { AnswerEvidence, WeighedEvidence } from '../../src/retrieval/answer/answer-confidence.ts'
import type { SentenceFeatures } from '../../src/retrieval/answer/sentences/answer-sentence.ts'
import {
  ANSWER_THRESHOLD,
  ANSWER_WEIGHTS,
  ENCODER_ANSWER_THRESHOLD,
  type LogisticWeights,
  SENTENCE_WEIGHTS,
} from '../../src/retrieval/recall/weights.ts'
import { openInstalledModels } from './encoder.ts'
import { readSets } from './evaluation-set.ts'
import { type AnswerExample, homeExamples, lifeExamples, setExamples } from './fit/answer-examples.ts'
import { fitChoice } from './fit/choice.ts'
import { fitLogistic, probability, type Sample } from './fit/logistic.ts'
import { LIVES } from './lives/lives.ts'

// node test/eval/fit-answers.ts [--models FOLDER]
// Fits SENTENCE_WEIGHTS and ANSWER_WEIGHTS of src/retrieval/recall/weights.ts: prints each set left out for the choice of a sentence,
// for abstention each life and halves of the other sets, the weights of all together, and abstention with the present weights. With --models, for the models
// installed in that folder: ENCODER_ANSWER_THRESHOLD is chosen by it.

const FEATURES = Object.keys(SENTENCE_WEIGHTS) as (keyof SentenceFeatures)[]
const EVIDENCE = Object.keys(ANSWER_WEIGHTS.other).filter((name) => name !== 'constant') as (keyof AnswerEvidence)[]
/** Answers need no labels of their own there: a question and its answer are one passage. */
const PASSAGES_ONLY = 'faq-dev'
const SETS = ['locomo-dev', 'realtalk-dev', 'lifebench-dev', PASSAGES_ONLY]
/** Sentences among which a right one counts as found. */
const FOUND_AMONG = 4
/** How much the questions of a group count. */
const GROUP_WEIGHTS = { found: 1.3, notFound: 0.3, unanswerable: 1.5, moved: 0.3 }
/** Questions about speakers are nearly all of the first two; the others have few or no questions without an answer. */
const SET_WEIGHTS: Readonly<Record<string, number>> = {
  'locomo-dev': 4,
  'realtalk-dev': 4,
  'lifebench-dev': 0.3,
  'faq-dev': 0.3,
}
/** A group smaller than this counts less than others. */
const FEW = 15
/** L2 penalty of a weight, relative to the mean loss of a question. */
const PENALTY = 0.01
/** The share of unanswerable questions at which sets are compared. */
const ABSTAINED = 0.8
/** Held back: it takes no part in any fit. */
const HELD_BACK = 'carpenter'

const embedder = await loadStaticEmbedder(packagePath('models/static-en-40k'))
const sets = readSets(packagePath('../shared/eval')).filter(({ name }) => SETS.includes(name))
const folder = process.argv.includes('--models') ? process.argv[process.argv.indexOf('--models') + 1] : undefined
await using models = folder === undefined ? undefined : await openInstalledModels(folder)
const examples = await homeExamples(embedder, models)
for (const life of LIVES.filter(({ name }) => name !== HELD_BACK))
  examples.push(...(await lifeExamples(life, embedder, models)))
for (const set of sets) examples.push(...(await setExamples(set, embedder, models)))
const names = [...new Set(examples.map(({ set }) => set))]

const lives = new Set(LIVES.map(({ name }) => name))
// The sentences are chosen as before the lives were written.
const choices = examples
  .filter(({ role, set }) => role === 'answerable' && !lives.has(set))
  .map((one) => ({ ...one, inputs: inputsOf(one) }))
const chosen = names.filter((name) => !lives.has(name))
for (const name of chosen) {
  const weights = fitChoice(choices.filter(({ set }) => set !== name))
  console.log(`${name}, left out: ${bestSentences(name, weights)}`)
}
const sentenceWeights = fitChoice(choices)
for (const name of chosen) console.log(`${name}: ${bestSentences(name, sentenceWeights)}`)
console.log(Object.fromEntries(FEATURES.map((name, i) => [name, Number(sentenceWeights[i]!.toFixed(2))])))

const judged = examples.flatMap((one, i) => (one.evidence === undefined ? [] : [{ ...one, half: i % 2 }]))
for (const name of names) {
  // Half of a large set stays in the fit; without any of a kind of text, the weights say little about it.
  const isLarge = sets.some((set) => set.name === name)
  const halves = isLarge ? [0, 1] : [undefined]
  const leftOut = halves.map((left) =>
    fitAbstention(judged.filter(({ set, half }) => set !== name || (left !== undefined && half !== left))),
  )
  const weightsOf = ({ half }: Judged) => leftOut[isLarge ? half : 0]!
  console.log(`${name}, left out: ${mostRight(name, weightsOf)}`)
  console.log(`${name}, present weights: ${mostRight(name, () => ANSWER_WEIGHTS)}`)
  for (const threshold of [0.3, 0.4, 0.5, 0.6, 0.7])
    console.log(`${name}, left out, from ${threshold}: ${abstentions(name, threshold, weightsOf)}`)
  for (const threshold of [ANSWER_THRESHOLD, ENCODER_ANSWER_THRESHOLD])
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

type Weights = Record<keyof typeof ANSWER_WEIGHTS, LogisticWeights<keyof AnswerEvidence>>

/**
 * Questions whose answer is among the best sentences, against all others. Those that name a speaker have weights of
 * their own, which the penalty keeps near those of the others.
 */
function fitAbstention(some: readonly AnswerExample[]): Weights {
  const sizes = Map.groupBy(some, groupOf)
  const samples = some.map((one): Sample<string> => {
    const weight = GROUP_WEIGHTS[kindOf(one)] * (SET_WEIGHTS[one.set] ?? 1)
    return {
      inputs: ofBoth(one.evidence!),
      label: kindOf(one) === 'found' ? 1 : 0,
      weight: weight / Math.max(FEW, sizes.get(groupOf(one))!.length),
    }
  })
  const fitted = fitLogistic(samples, Object.keys(samples[0]!.inputs), {}, PENALTY)
  const other = Object.fromEntries(['constant', ...EVIDENCE].map((name) => [name, fitted[name]!]))
  const speaker = Object.entries(other).map(([name, weight]) => [
    name,
    Number((weight + fitted[`${name} of speaker`]!).toFixed(2)),
  ])
  return { speaker: Object.fromEntries(speaker), other } as Weights
}

function kindOf(one: AnswerExample): keyof typeof GROUP_WEIGHTS {
  if (one.role !== 'answerable') return one.role
  return isFound(one) ? 'found' : 'notFound'
}

function groupOf(one: AnswerExample): string {
  return `${one.set} ${kindOf(one)}`
}

/** The inputs, and once more for what a speaker's weights differ by. */
function ofBoth(evidence: WeighedEvidence): Record<string, number> {
  const inputs = EVIDENCE.map((name): [string, number] => [name, evidence[name]])
  const isSpeaker = Number(evidence.isAboutSpeaker)
  const further = [['constant', 1] as const, ...inputs].map(([name, value]) => [
    `${name} of speaker`,
    value * isSpeaker,
  ])
  return Object.fromEntries([...inputs, ...further])
}

type Judged = (typeof judged)[number]

function probabilityBy(weights: Weights, { evidence }: Judged): number {
  return probability(evidence!, evidence!.isAboutSpeaker ? weights.speaker : weights.other)
}

/** Answered of those found, at the lowest threshold that abstains from so many of the unanswerable. */
function mostRight(name: string, weightsFor: (one: Judged) => Weights): string {
  const own = judged.filter(({ set }) => set === name)
  const scored = (some: typeof own) => some.map((one) => probabilityBy(weightsFor(one), one)).toSorted((a, b) => a - b)
  const none = scored(own.filter(({ role }) => role === 'unanswerable'))
  const found = scored(own.filter((one) => one.role === 'answerable' && isFound(one)))
  if (none.length === 0) return 'no unanswerable questions'
  const threshold = none[Math.ceil(ABSTAINED * none.length) - 1]!
  const answered = found.filter((one) => one > threshold).length
  return `${percent(answered, found.length)} of the found answered at ${100 * ABSTAINED} % abstentions, from ${threshold.toFixed(2)}`
}

function abstentions(name: string, threshold: number, weightsFor: (one: Judged) => Weights): string {
  const own = judged.filter(({ set }) => set === name)
  const share = (some: typeof own) => {
    const abstained = some.filter((one) => probabilityBy(weightsFor(one), one) < threshold)
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
