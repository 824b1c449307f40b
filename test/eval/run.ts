import { writeFileSync } from 'node:fs'
import { packagePath } from '../../src/kit/package-root.ts'
import { loadStaticEmbedder } from '../../src/models/static/static-embedder.ts'
import { type EvaluationSet, readSets } from './evaluation-set.ts'
import { measureBudget } from './measure-budget.ts'
import { measureTurns } from './measure-turns.ts'
import { measure, type Outcome } from './measures.ts'

// npm run eval -- [folder] [--only locomo-dev,faq-dev]
// Measures every set of the folder and writes RESULTS.md beside this file; with --only it prints and writes nothing.

const HEAD = ['set', 'system', 'questions', 'recall@5', 'recall@10', 'hit@1', 'hit@10', 'MRR', 'p50 ms']
const BUDGET_HEAD = ['set', 'questions', 'in memories', 'in chunks', 'answered with nothing']
const INTRODUCTION = `# What retrieval is worth

Written by \`npm run eval\`. All figures but questions and milliseconds are percent. \`bm25\`: k1 1.2, b .75, Porter, stop words, over
the bare texts. \`vectors\`: cosine of the pooled vectors of the built-in model. \`product\`: \`recallMemories\` on an SQLite
store in a temporary folder, one account for each collection. Each turn (or text) is an item to find; milliseconds are
those of a shared machine.

The weights of the product were fitted on these same sets, so its figures here flatter it; FIT.md says what weights fitted
on the other sets are worth on each.`
const BUDGET_INTRODUCTION = `## Inside 1,500 tokens

Every conversation goes through the whole pipeline as one file; what recall returns is packed, best first, up to 1,500
tokens (characters / 4). Percent of the evidence turns whose text is in it.`

function tableRow(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`
}

function tableHead(cells: readonly string[]): string[] {
  return [tableRow(cells), tableRow(cells.map(() => '---'))]
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
    return tableRow([name, system, m.questions, ...shares, m.p50Ms.toFixed(1)])
  })
}

const onlyAt = process.argv.indexOf('--only')
const only = onlyAt < 0 ? undefined : process.argv[onlyAt + 1]?.split(',')
const folder = process.argv[2]?.startsWith('--') === false ? process.argv[2] : packagePath('../shared/eval')
const sets = readSets(folder).filter(({ name }) => only === undefined || only.includes(name))
if (sets.length === 0) console.log(`There are no evaluation sets in ${folder}: nothing was measured.`)

const embedder = await loadStaticEmbedder(packagePath('models/static-en-40k'))
const turns = tableHead(HEAD)
const budgets = tableHead(BUDGET_HEAD)
for (const set of sets) {
  for (const [system, outcomes] of await measureTurns(set, embedder)) {
    const rows = turnRows(set, system, outcomes)
    console.log(rows.join('\n'))
    turns.push(...rows)
  }
  if (set.collections.every(({ kind }) => kind === 'docs')) continue
  const { questions, memories, chunks, emptyAnswers } = await measureBudget(set, embedder)
  budgets.push(tableRow([set.name, questions, memories.toFixed(1), chunks.toFixed(1), emptyAnswers]))
  console.log(budgets.at(-1))
}
if (sets.length > 0 && only === undefined) {
  const text = [INTRODUCTION, '', ...turns, '', BUDGET_INTRODUCTION, '', ...budgets, ''].join('\n')
  writeFileSync(packagePath('test/eval/RESULTS.md'), text)
}
