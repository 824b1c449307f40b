import { cpSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { OwnPostgres } from '../lib/own-postgres.ts'
import { faultRun } from './fault-run.ts'
import { NamespaceNetwork } from './namespace-network.ts'
import { Namespaces } from './namespaces.ts'
import { PLACES, runInNamespaces } from './run-in-namespaces.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', multiple: true, default: [] },
    logs: { type: 'string' },
    namespaces: { type: 'boolean', default: false },
    citus: { type: 'boolean', default: false },
    // The process that made the namespaces, in one of which this one runs.
    inside: { type: 'string' },
  },
})
if (OwnPostgres.lack !== undefined) throw new Error(OwnPostgres.lack)

async function here(): Promise<number> {
  const seed = Number(values.seed)
  console.error(`seed ${seed}`)
  const network = values.inside && new NamespaceNetwork(new Namespaces(Number(values.inside), PLACES))
  const report = await faultRun({
    seed,
    seconds: Number(values.minutes) * 60,
    ...(network && { network }),
    onCitus: values.citus,
    kinds: values.only,
    tell: (sentence) => console.error(new Date().toISOString(), sentence),
    keep: (folder) =>
      values.logs && cpSync(folder, values.logs, { recursive: true, filter: (file) => !file.includes('/sources') }),
  })
  console.log(JSON.stringify(report, undefined, 2))
  return report.violations.length + report.findings.length > 0 ? 1 : 0
}

if (values.namespaces && Namespaces.lack !== undefined) {
  console.error(`Skipped, nothing was tested: ${Namespaces.lack}`)
} else {
  process.exitCode = values.namespaces ? await runInNamespaces(process.argv.slice(1)) : await here()
}
