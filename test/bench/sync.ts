import { parseArgs } from 'node:util'
import { BARE_SOURCES, measureSyncBare } from './sync-bare-bench.ts'
import { measureSync, SYNC_SOURCES } from './sync-bench.ts'
import { measureSyncAtLatency } from './sync-latency-bench.ts'
import { measureSyncMemory } from './sync-memory-bench.ts'
import { measureSyncStart } from './sync-start.ts'
import { measureSyncTrial } from './sync-trial-bench.ts'
import { machine, type Row, writeTable } from './table.ts'

/**
 * Measures synchronization with sources on this machine; `--quick` only shows that it works, `--only email` measures one
 * source (or `latency`, `memory`, `start` or `trial`), `--share 2` takes twice as many items, `--whole` takes all of the person
 * of the trial (an hour or more), `--write` puts the table into docs/benchmarks.md; those of `latency` and `trial` have their own.
 */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    share: { type: 'string', default: '1' },
    whole: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const share = options.quick ? 0.05 : Number(options.share)
const measurements: Readonly<Record<string, () => Promise<Row[]>>> = {
  ...Object.fromEntries(Object.entries(SYNC_SOURCES).map(([name, open]) => [name, () => measureSync(open, share)])),
  ...Object.fromEntries(Object.entries(BARE_SOURCES).map(([name, open]) => [name, () => measureSyncBare(open, share)])),
  latency: () => measureSyncAtLatency(share),
  memory: () => measureSyncMemory(share),
  trial: () => measureSyncTrial(options.whole ? 'whole' : share),
  start: () => measureSyncStart(options.quick ? 1 : 9),
}
/** They have tables of their own, and take minutes. */
const APART = ['latency', 'trial']
const {
  only = Object.keys(measurements)
    .filter((name) => !APART.includes(name))
    .join(),
} = options
const rows: Row[] = []
for (const name of only.split(',')) {
  const measure = measurements[name]
  if (measure === undefined) throw new Error(`There is no ${name}; there are ${Object.keys(measurements).join(', ')}`)
  rows.push(...(await measure()))
}
const marker = APART.includes(only) ? `bench sync ${only}` : 'bench sync'
await writeTable(rows, { title: machine(), write: options.write, marker })
