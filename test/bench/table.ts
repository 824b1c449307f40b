import { readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import { packagePath } from '../../src/lib/files.ts'

export interface Row {
  readonly what: string
  /** Most for times and sizes, least for rates (unit `items/s`). */
  readonly budget: number | undefined
  readonly unit: 'ms' | 'KiB' | 'MiB' | 'items/s' | 'requests' | 'frames'
  readonly measured: number
  readonly baseline?: number
  readonly against?: string
}

/** Prints the table; `write` also puts it between the markers of this name in docs/benchmarks.md. */
export async function writeTable(
  rows: readonly Row[],
  options: { title: string; write: boolean; marker: string },
): Promise<void> {
  const lines = [
    '| what | measured | budget | | ratio to a baseline of the same run |',
    '|---|--:|--:|---|---|',
    ...rows.map(line),
  ]
  const table = `${lines.join('\n')}\n\nMeasured on ${options.title}.\n`
  process.stdout.write(`\n${table}`)
  if (options.write) await writeBetweenMarkers(options.marker, table)
}

/** Replaces what stands between the markers of this name in docs/benchmarks.md. */
export async function writeBetweenMarkers(marker: string, text: string): Promise<void> {
  const file = packagePath('docs/benchmarks.md')
  const page = await readFile(file, 'utf8')
  const marked = new RegExp(`(<!-- ${marker} -->\\n)[\\s\\S]*?(<!-- /${marker} -->)`)
  if (!marked.test(page)) throw new Error(`docs/benchmarks.md has no <!-- ${marker} --> markers`)
  await writeFile(file, page.replace(marked, `$1${text}$2`))
}

function line(row: Row): string {
  const within = row.budget === undefined ? '' : met(row, row.budget) ? 'met' : '**missed**'
  const ratio =
    row.baseline === undefined
      ? ''
      : `${format(row.measured / row.baseline)} x ${row.against} (${format(row.baseline)} ${row.unit})`
  const budget = row.budget === undefined ? '' : `${format(row.budget)} ${row.unit}`
  return `| ${row.what} | ${format(row.measured)} ${row.unit} | ${budget} | ${within} | ${ratio} |`
}

function met(row: Row, budget: number): boolean {
  return row.unit === 'items/s' ? row.measured >= budget : row.measured <= budget
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1)
}

/** What the figures were measured on. */
export function machine(): string {
  return `${os.cpus().length} cores of ${os.cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${os.type()} ${os.release()}, load generator on the same machine`
}
