import { parseArgs } from 'node:util'
import type { Embedder } from '../../../src/models/model.ts'
import { loadStaticEmbedder } from '../../../src/models/static/static-embedder.ts'
import { createVectorSearch } from '../../../test/eval/baseline-searches.ts'
import { answerable, type EvaluationSet, readSets } from '../../../test/eval/evaluation-set.ts'
import { measure, type Outcome } from '../../../test/eval/measures.ts'
import { tableHead, tableRow } from '../../../test/eval/table.ts'

// node evaluate.ts EVALUATION TABLE ...
// Prints recall@10 / hit@1 of the vectors of each table alone, for each evaluation set, and their means.

async function outcomesOf(set: EvaluationSet, embedder: Embedder): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const { id, sessions } of set.collections) {
    const search = await createVectorSearch(
      sessions.flatMap((session) => session.turns),
      embedder,
    )
    for (const { text, category, evidence } of answerable(set).filter((one) => one.collection === id)) {
      outcomes.push({
        category,
        collection: id,
        evidence: new Set(evidence),
        ranking: await search(text),
        sessions: 0,
        ms: 0,
      })
    }
  }
  return outcomes
}

const { positionals } = parseArgs({ allowPositionals: true })
const [evaluation, ...folders] = positionals
if (evaluation === undefined || folders.length === 0) throw new Error('Usage: see the first lines of this script.')
const embedders = await Promise.all(folders.map(loadStaticEmbedder))
const figures: { readonly recall10: number; readonly hit1: number }[][] = folders.map(() => [])
const cell = ({ recall10, hit1 }: { readonly recall10: number; readonly hit1: number }) =>
  `${recall10.toFixed(1)} / ${hit1.toFixed(1)}`
process.stdout.write(`${tableHead(['set', ...folders]).join('\n')}\n`)
for (const set of readSets(evaluation)) {
  for (const [i, embedder] of embedders.entries()) figures[i]!.push(measure(await outcomesOf(set, embedder)))
  process.stdout.write(`${tableRow([set.name, ...figures.map((own) => cell(own.at(-1)!))])}\n`)
}
const mean = (numbers: readonly number[]) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length
const means = figures.map((own) => ({
  recall10: mean(own.map(({ recall10 }) => recall10)),
  hit1: mean(own.map(({ hit1 }) => hit1)),
}))
process.stdout.write(`${tableRow(['mean', ...means.map(cell)])}\n`)
