import '../lib/loopback-only.ts'
import { parseArgs } from 'node:util'
import { attack, reportText } from './attack.ts'
import { GENERATORS } from './generators.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', multiple: true, default: [] },
    attempts: { type: 'string' },
  },
})

const seed = Number(values.seed)
const chosen = GENERATORS.filter(({ name }) => values.only.length === 0 || values.only.includes(name))
if (chosen.length === 0) throw new Error(`There are ${GENERATORS.map(({ name }) => name).join(', ')}.`)
console.log(`seed ${seed}`)
let failed = 0
for (const generator of chosen) {
  const seconds = (Number(values.minutes) * 60) / chosen.length
  const attempts = values.attempts === undefined ? undefined : Number(values.attempts)
  const report = await attack(generator, { seed, seconds, ...(attempts !== undefined && { attempts }) })
  failed += report.failures.length
  console.log(reportText(report))
}
process.exitCode = failed > 0 ? 1 : 0
