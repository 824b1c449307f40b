import { readFileSync, writeFileSync } from 'node:fs'
import { packagePath } from '../../src/lib/files.ts'
import { loadStaticEmbedder } from '../../src/models/static/static-embedder.ts'
import type { FittedWeights } from '../../src/retrieval/recall/weights.ts'
import { encoderWeights, WEIGHTS, weightsFor } from '../../src/retrieval/recall/weights.ts'
import { askWith, openInstalledModels, withTokens } from './encoder.ts'
import { readSets } from './evaluation-set.ts'
import { fitMultiples, MULTIPLES_HEAD } from './fit/encoder-multiples.ts'
import { fitConfidence, type Judged, judge } from './fit/fit-probabilities.ts'
import { fitScoring } from './fit/fit-scoring.ts'
import { type Example, gather } from './fit/gather.ts'
import { probability } from './fit/logistic.ts'
import { mergeResults } from './results-file.ts'

// node test/eval/fit.ts [folder] [--keep] [--models FOLDER]
// Prints the weights of src/retrieval/recall/weights.ts and their quality on sets and conversations left out of the fit, and writes both to
// FIT.md next to this file. With `--models`, fits how much the cosine of the sentence encoder installed in that folder counts for each
// kind of text, and writes that section. `--keep` fits only the two probabilities, with the current weights, and writes nothing.

const MOST_QUESTIONS = 250
const INTRODUCTION = `# How the weights were fitted

Written by \`node test/eval/fit.ts\`. "Fitted on the others": the set was left out of the fit. "Fitted on all": the weights of the
product. At most ${MOST_QUESTIONS} questions of a set take part, so the figures differ from those of RESULTS.md. "Moved" questions were asked of
another collection, where nothing answers them. \`node test/eval/fit-answers.ts\` fits when \`ask\` abstains.`

const FILE = packagePath('test/eval/FIT.md')
/** Written without `--models`. */
const LEFT_OUT = packagePath('test/eval/fit/left-out-weights.json')
const ENCODER_INTRODUCTION = `## The sentence encoder

Written by \`node test/eval/fit.ts --models FOLDER\`: how many times the weight of the built-in cosine the encoder's counts, for each kind
of row. Each kind's multiple is chosen by itself, by the mean over sets of hit@1 + recall@10: on the other sets, on all collections but
the one that is measured, or on all. The other weights are those that the other sets gave. hit@1 / recall@10.`

const lines: string[] = []
function report(line: string): void {
  console.log(line)
  lines.push(`    ${line}`)
}

const folder = process.argv[2]?.startsWith('--') === false ? process.argv[2] : packagePath('../shared/eval')
const builtIn = await loadStaticEmbedder(packagePath('models/static-en-40k'))
const models = process.argv.includes('--models') ? process.argv[process.argv.indexOf('--models') + 1] : undefined
await using installed = models === undefined ? undefined : await openInstalledModels(models)
const encoder = installed?.encoder
const embedder = encoder === undefined ? builtIn : withTokens(encoder, builtIn)
const sets = readSets(folder)
const asking = installed && { embedder: builtIn, embedQuestion: (await askWith(installed, builtIn)).embedQuestion }
const examples = await gather(sets, embedder, MOST_QUESTIONS, asking)
report(`${examples.length} examples of ${sets.length} sets`)
if (process.argv.includes('--keep')) fitProbabilities(encoder === undefined ? WEIGHTS : encoderFit(WEIGHTS))
else if (encoder === undefined) fitAll()
else fitEncoder()

function fitAll(): void {
  const { weights, leftOut } = fitScoring(examples, report)
  fitProbabilities(weights)
  writeFileSync(LEFT_OUT, `${JSON.stringify(leftOut, null, 2)}\n`)
  const others = readFileSync(FILE, 'utf8')
    .split(/^(?=## )/m)
    .slice(1)
  writeFileSync(FILE, [`${INTRODUCTION}\n\n${lines.join('\n')}\n`, ...others].join('\n'))
}

function fitEncoder(): void {
  const leftOut: Record<string, FittedWeights> = JSON.parse(readFileSync(LEFT_OUT, 'utf8'))
  const { rows, byKind } = fitMultiples(examples, leftOut, WEIGHTS)
  for (const line of [...byKind, ...rows]) console.log(line)
  const introduction = `${ENCODER_INTRODUCTION}\n\n${byKind.map((line) => `- ${line}`).join('\n')}`
  writeFileSync(FILE, mergeResults(readFileSync(FILE, 'utf8'), [{ introduction, head: MULTIPLES_HEAD, rows }]))
}

function encoderFit(fitted: FittedWeights): FittedWeights {
  const [fact, stretch] = [encoderWeights(weightsFor(fitted, 'fact')), encoderWeights(weightsFor(fitted, 'stretch'))]
  return {
    turn: { fact: fact.turn, stretch: stretch.turn },
    group: { fact: fact.group, stretch: stretch.group },
    prose: fact.prose,
  }
}

function fitProbabilities(scoring: FittedWeights): void {
  const judged = examples.flatMap((example) => judge(example, scoring) ?? [])
  const confidence = fitConfidence(judged)
  report(`confidence: ${JSON.stringify(confidence)}`)
  for (const { name } of sets) {
    const of = (role: Example['role']) =>
      judged.filter(
        ({ example, isRelevant }) => example.set === name && example.role === role && (isRelevant || role === 'moved'),
      )
    for (const threshold of [0.08, 0.12, 0.16, 0.2]) {
      const below = (some: readonly Judged[]): string =>
        percent(some, (one) => probability(one.confidence, confidence) < threshold)
      report(`${name} below ${threshold}: found ${below(of('answerable'))}, moved ${below(of('moved'))}`)
    }
  }
}

function percent<T>(all: readonly T[], is: (one: T) => boolean): string {
  return all.length === 0 ? 'none' : `${((100 * all.filter(is).length) / all.length).toFixed(1)} %`
}
