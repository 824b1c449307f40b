import { parseArgs } from 'node:util'
import { measureProfile } from './profile-bench.ts'
import { machine, type Row, writeTable } from './table.ts'

/** Measures the profile and pages on a large account; `--quick` only shows that it works, `--write` puts the table into the docs. */
const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
})
const rows: Row[] = []
await measureProfile(rows, options.quick ? { memories: 500, rounds: 2 } : { memories: 50_000, rounds: 9 })
await writeTable(rows, { title: machine(), write: options.write, marker: 'bench profile' })
