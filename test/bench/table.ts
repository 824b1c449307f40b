import { readFile, writeFile } from 'node:fs/promises'
import { packagePath } from '../../src/kit/package-root.ts'

export interface Row {
  readonly what: string
  /** Most for times and sizes, least for rates (unit `items/s`). */
  readonly budget: number | undefined
  readonly unit: 'ms' | 'MiB' | 'items/s'
  readonly measured: number
  readonly baseline?: number
  readonly against?: string
}

/** Prints the table; with `write` also between the two bench markers of the README. */
export async function writeTable(rows: readonly Row[], options: { title: string; write: boolean }): Promise<void> {
  const lines = [
    '| what | measured | budget | | ratio to a baseline of the same run |',
    '|---|--:|--:|---|---|',
    ...rows.map(line),
  ]
  const table = `${lines.join('\n')}\n\nMeasured on ${options.title}.\n`
  process.stdout.write(`\n${table}`)
  if (!options.write) return
  const file = packagePath('README.md')
  const readme = await readFile(file, 'utf8')
  const marked = /(<!-- bench -->\n)[\s\S]*?(<!-- \/bench -->)/
  if (!marked.test(readme)) throw new Error('README.md has no <!-- bench --> markers')
  await writeFile(file, readme.replace(marked, `$1${table}$2`))
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
