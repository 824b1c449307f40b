import { parseArgs } from 'node:util'
import { machine, writeBetweenMarkers } from './table.ts'
import { measureTasks, type TaskEffort } from './web-tasks.ts'

/** Counts what ten everyday tasks in the web app take; `--quick` does each once, `--write` puts the table into docs/benchmarks.md. */
const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
})

const efforts = await measureTasks(options.quick ? 1 : 3)
const lines = [
  '| task, from the home page | clicks | keys | characters typed | seconds |',
  '|---|--:|--:|--:|--:|',
  ...efforts.map(line),
]
const table = `${lines.join('\n')}\n\nMeasured on ${machine()}.\n`
process.stdout.write(`\n${table}`)
if (options.write) await writeBetweenMarkers('bench tasks', table)

function line({ what, clicks, keys, typed, seconds }: TaskEffort): string {
  return `| ${what} | ${clicks} | ${keys} | ${typed} | ${seconds.toFixed(1)} |`
}
