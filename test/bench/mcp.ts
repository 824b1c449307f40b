import { parseArgs } from 'node:util'
import { measureMcp } from './mcp-bench.ts'
import { machine, type Row, writeTable } from './table.ts'

/** Measures what agents wait for on this machine; `--quick` only shows that it works, `--write` puts the table into the README. */
const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
})
const rows: Row[] = []
await measureMcp(
  rows,
  options.quick ? { starts: 2, texts: 20, queries: 5 } : { starts: 20, texts: 3_000, queries: 300 },
)
await writeTable(rows, { title: machine(), write: options.write, marker: 'bench mcp' })
