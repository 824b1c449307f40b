import { writeFileSync } from 'node:fs'
import { packagePath } from '../../src/kit/package-root.ts'
import { loadStaticEmbedder } from '../../src/models/static/static-embedder.ts'
import { readSets } from './evaluation-set.ts'
import { measureTurns } from './measure-turns.ts'
import { measure, type Outcome } from './measures.ts'

// node test/eval/run.ts [folder] [--only locomo-dev,faq-dev]
const onlyAt = process.argv.indexOf('--only')
const only = onlyAt < 0 ? undefined : process.argv[onlyAt + 1]?.split(',')
const folder = process.argv[2]?.startsWith('--') === false ? process.argv[2] : packagePath('../shared/eval')
const sets = readSets(folder!).filter(({ name }) => only === undefined || only.includes(name))
if (sets.length === 0) console.log(`No evaluation sets in ${folder}: nothing is measured.`)

const embedder = await loadStaticEmbedder(packagePath('models/static-en-40k'))
const lines = ['| set | system | questions | recall@5 | recall@10 | hit@1 | hit@10 | MRR | p50 ms |', '| --- | --- | --- | --- | --- | --- | --- | --- | --- |']
for (const set of sets) {
  for (const [system, outcomes] of await measureTurns(set, embedder)) {
    const row = (name: string, some: readonly Outcome[]): string => {
      const m = measure(some)
      return `| ${name} | ${system} | ${m.questions} | ${[m.recall5, m.recall10, m.hit1, m.hit10, m.mrr].map((x) => x.toFixed(1)).join(' | ')} | ${m.p50Ms.toFixed(1)} |`
    }
    const made = [row(set.name, outcomes)]
    const categories = [...new Set(outcomes.map(({ category }) => category))]
    if (categories.length > 1) for (const category of categories) made.push(row(`${set.name}: ${category}`, outcomes.filter((one) => one.category === category)))
    console.log(made.join('\n'))
    lines.push(...made)
  }
}
writeFileSync('/tmp/RESULTS.md', lines.join('\n'))
