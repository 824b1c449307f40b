import { parseArgs } from 'node:util'
import { machine, type Row, writeTable } from './table.ts'
import { measureWeb } from './web-bench.ts'

/** Measures what people wait for in the web app; `--quick` only shows that it works, `--write` puts the table into the README. */
const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
})
const rows: Row[] = []
await measureWeb(
  rows,
  options.quick
    ? { visits: 2, items: 300, turns: 20, searches: 3 }
    : { visits: 5, items: 100_000, turns: 300, searches: 20 },
)
await writeTable(rows, { title: machine(), write: options.write, marker: 'bench web' })
