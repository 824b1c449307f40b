import { readFileSync } from 'node:fs'
import { packagePath } from '../../src/lib/files.ts'
import type { Embedder } from '../../src/models/model.ts'
import { loadStaticEmbedder } from '../../src/models/static/static-embedder.ts'
import type { FittedWeights } from '../../src/retrieval/recall/weights.ts'
import { ANSWERED_SETS, answersReport } from './answers-report.ts'
import { type InstalledModels, openInstalledModels } from './encoder.ts'
import { type EvaluationSet, readSets } from './evaluation-set.ts'
import { runExtraction } from './extraction/run-extraction.ts'
import { type AbstentionMeasures, measureAbstention } from './measure-abstention.ts'
import { measureBudget } from './measure-budget.ts'
import { measureTurns } from './measure-turns.ts'
import { measure, type Outcome } from './measures.ts'
import { type ResultsSection, writeResults } from './results-file.ts'
import { tableRow } from './table.ts'
import { readChanges } from './updates/changes.ts'
import { measureChanges } from './updates/measure-changes.ts'
import { measureUpdates } from './updates/measure-updates.ts'
import { DEVELOPMENT_PAIRS, FINAL_PAIRS } from './updates/pairs.ts'

// npm run eval -- [folder] [--only locomo-dev,faq-dev] [--write] [--models FOLDER]
// Measures every set of the folder, with --models also with the models that `recalld models add minilm` installed there
// (`models` in a home), and writes RESULTS.md beside this file; with --only it prints, and with --write too it replaces the rows of
// these sets. With RECALLD_TEST_DATABASE_URL, which measures on PostgreSQL, it only prints.
//
// npm run eval -- --answers [home,nurse,lifebench-dev] [--write] [--failures 10] [--losses 2] [--final] [--forms] [--models FOLDER]
// Measures the answers of `ask` alone, with --models once more with those, and writes their section of RESULTS.md; of named sets it
// prints, and with --write replaces their rows. With --final (the held-back questions of the home and of the lives in other languages)
// it only prints.
// With --losses it counts where wrong answers were lost, with so many examples of each.
//
// npm run eval -- --extraction [--sheet 30] [--seed 7] [--failures 10] [--final] [--model]
// Measures extraction alone and writes EXTRACTION.md; with any of the others it only prints.
//
// npm run eval -- --updates [--failures 10] [--final]
// Counts which of two statements is recalled and answered first, and how many values that changed are answered right, those
// that hold now and those of before; prints it.

/** Written by `fit.ts`, by name of the set. */
const LEFT_OUT = packagePath('test/eval/fit/left-out-weights.json')
const HEAD = [
  'set',
  'system',
  'questions',
  'recall@5',
  'recall@10',
  'hit@1',
  'hit@10',
  'MRR',
  'sessions',
  'hit@1 by collection',
  'p50 ms',
]
const BUDGET_HEAD = ['set', 'questions', 'in memories', 'in chunks', 'answered with nothing']
const INTRODUCTION = `# Retrieval quality

Written by \`npm run eval\`. All figures are percent, except questions and milliseconds. \`bm25\`: k1 1.2, b .75, Porter, stop words, over
the bare texts. \`vectors\`: cosine of the pooled vectors of the built-in model. \`product\`: \`recallMemories\` on an SQLite
store in a temporary folder, one account for each collection. \`sessions\`: different sessions among the first ten; by collection: the
worst and the best one of at least 20 questions. Each turn (or text) is an item to find. Times are from a
shared machine, and left out where it was too busy. Sets are measured one by one: rows without \`sessions\` are older.

\`product, left out\` uses weights fitted on the other sets only: the unbiased figure. The weights of the product were fitted on
all sets. The features, and the rules for questions about a stretch of talk, were chosen while looking at these sets.`
const BUDGET_INTRODUCTION = `## Within 1,500 tokens

Every conversation goes through the whole pipeline as one file. The results of recall are packed, best first, up to 1,500
tokens (characters / 4); one that no longer fits is left out. Percent of the evidence turns whose text is included.`

const ABSTENTION_HEAD = ['set', 'answered', 'of these right', 'abstained: unanswerable', 'abstained: moved']
const ABSTENTION_INTRODUCTION = `## When \`ask\` answers

Percent. Answered: of the questions that have an answer; right: the evidence is among the three best turns. Unanswerable:
LoCoMo questions about what somebody else did. Moved: every second question, asked of another collection, where nothing
answers it. The model was fitted on locomo-dev, realtalk-dev and faq-dev; FIT.md has figures on questions left out of the fit.`

function abstentionRow(name: string, measures: AbstentionMeasures): string {
  const { answered, right, unanswerable, moved } = measures
  return tableRow([name, ...[answered, right, unanswerable, moved].map((value) => value?.toFixed(1) ?? '-')])
}

function turnRows(set: EvaluationSet, system: string, outcomes: readonly Outcome[]): string[] {
  const categories = [...new Set(outcomes.map(({ category }) => category))]
  const groups: [string, readonly Outcome[]][] = [[set.name, outcomes]]
  if (categories.length > 1) {
    for (const name of categories) {
      groups.push([`${set.name}: ${name}`, outcomes.filter(({ category }) => category === name)])
    }
  }
  return groups.map(([name, some]) => {
    const m = measure(some)
    const shares = [m.recall5, m.recall10, m.hit1, m.hit10, m.mrr].map((value) => value.toFixed(1))
    const collections = m.collections?.map((value) => value.toFixed(1)).join(' to ') ?? '-'
    return tableRow([name, system, m.questions, ...shares, m.sessions.toFixed(1), collections, m.p50Ms.toFixed(1)])
  })
}

function option(name: string): string | undefined {
  const at = process.argv.indexOf(name)
  const value = at < 0 ? undefined : process.argv[at + 1]
  return value?.startsWith('--') ? undefined : value
}

/**
 * The sections of RESULTS.md before the one of answers.
 *
 * @param all the sets of the folder: questions of a set with one collection are also asked of another set
 */
async function measureRetrieval(
  sets: readonly EvaluationSet[],
  all: readonly EvaluationSet[],
  embedder: Embedder,
  models: InstalledModels | undefined,
): Promise<ResultsSection[]> {
  const leftOut: Record<string, FittedWeights> = JSON.parse(readFileSync(LEFT_OUT, 'utf8'))
  const turns: string[] = []
  const budgets: string[] = []
  const abstentions: string[] = []
  for (const set of sets) {
    for (const [system, outcomes] of await measureTurns(set, embedder, leftOut[set.name], models)) {
      const rows = turnRows(set, system, outcomes)
      console.log(rows.join('\n'))
      turns.push(...rows)
    }
    const others = all.filter(({ name }) => name !== set.name)
    abstentions.push(abstentionRow(set.name, await measureAbstention(set, others, embedder)))
    console.log(abstentions.at(-1))
    if (set.collections.every(({ kind }) => kind === 'docs')) continue
    const { questions, memories, chunks, emptyAnswers } = await measureBudget(set, embedder)
    budgets.push(tableRow([set.name, questions, memories.toFixed(1), chunks.toFixed(1), emptyAnswers]))
    console.log(budgets.at(-1))
  }
  return [
    { introduction: INTRODUCTION, head: HEAD, rows: turns },
    { introduction: BUDGET_INTRODUCTION, head: BUDGET_HEAD, rows: budgets },
    { introduction: ABSTENTION_INTRODUCTION, head: ABSTENTION_HEAD, rows: abstentions },
  ]
}

async function measureAll(): Promise<void> {
  const only = option('--only')?.split(',')
  const onlyAnswers = process.argv.includes('--answers')
  const answersOf = option('--answers')?.split(',')
  const half = isFinal ? 'final-2' : process.argv.includes('--forms') ? 'forms' : 'dev'
  // Bad answers of the final half are for nobody to see.
  const failures = half === 'final-2' ? 0 : Number(option('--failures') ?? 0)
  const losses = process.argv.includes('--losses')
    ? half === 'final-2'
      ? 0
      : Number(option('--losses') ?? 0)
    : undefined
  const isWhole = only === undefined && answersOf === undefined
  const isWritten = half === 'dev' && (isWhole || process.argv.includes('--write'))
  const writes = isWritten && process.env.RECALLD_TEST_DATABASE_URL === undefined
  const folder = process.argv[2]?.startsWith('--') === false ? process.argv[2] : packagePath('../shared/eval')
  const all = readSets(folder)
  const sets = all.filter(({ name }) => only === undefined || only.includes(name))
  if (sets.length === 0) console.log(`There are no evaluation sets in ${folder}: only our own is measured.`)

  const embedder = await loadStaticEmbedder(packagePath('models/static-en-40k'))
  const modelsFolder = option('--models')
  await using models = modelsFolder === undefined ? undefined : await openInstalledModels(modelsFolder)
  const results = onlyAnswers ? [] : await measureRetrieval(sets, all, embedder, models)
  if (writes && isWhole && !onlyAnswers)
    await runExtraction({ isFinal: false, isModel: false, failures: 0, seed: SEED })
  const names = answersOf ?? ANSWERED_SETS.filter((name) => only === undefined || only.includes(name))
  const answers = await answersReport(sets, embedder, {
    names,
    half,
    failures,
    models,
    ...(losses !== undefined && { losses }),
  })
  if (sets.length > 0 && writes) writeResults([...results, answers], isWhole && !onlyAnswers)
}

/** Of the memories that are drawn for EXTRACTION.md. */
const SEED = 7
const isFinal = process.argv.includes('--final')
if (process.argv.includes('--extraction')) {
  const sheet = option('--sheet')
  await runExtraction({
    isFinal,
    isModel: process.argv.includes('--model'),
    sheet: sheet === undefined ? undefined : Number(sheet),
    seed: Number(option('--seed') ?? SEED),
    failures: Number(option('--failures') ?? 0),
  })
} else if (process.argv.includes('--updates')) {
  const embedder = await loadStaticEmbedder(packagePath('models/static-en-40k'))
  const { missed, wrong, answeredByOlder, ...counts } = await measureUpdates(
    isFinal ? FINAL_PAIRS : DEVELOPMENT_PAIRS,
    embedder,
  )
  console.log({ ...counts, wrong: wrong.length, answeredByOlder: answeredByOlder.length })
  if (!isFinal) console.log({ missed, wrong, answeredByOlder })
  const { failures, ...values } = await measureChanges(readChanges(isFinal ? 'final' : 'dev'), embedder)
  console.log(values)
  // Answers of the final half are for nobody to see.
  if (!isFinal) console.log(failures.slice(0, Number(option('--failures') ?? 0)).join('\n'))
} else {
  await measureAll()
}
