import { parseArgs } from 'node:util'
import { measureSync } from './sync-bench.ts'
import { machine, type Row, writeTable } from './table.ts'

/** Measures synchronization with sources on this machine; `--write` puts the table into the README. */
const { values: options } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
const rows: Row[] = []
await measureSync(rows)
await writeTable(rows, { title: machine(), write: options.write, marker: 'bench sync' })
