import type { SyncTarget } from '../../connections/sync-service.ts'
import { printable } from '../../lib/terminal-text.ts'
import type { PartitionPreview, PreviewReport } from '../../sync/run-report.ts'
import { failureSentence } from '../terminal/failure.ts'
import { cut, indented, type Page, table } from '../terminal/layout.ts'
import { messages } from './messages.ts'

const HEAD = ['new', 'changed', 'unchanged', 'gone', 'failed', 'size']
/** Width of a partition's name on a narrow terminal. */
const SHORTEST_NAME = 12

/** What a run would read, as a table of partitions with totals. */
export function previewText(preview: PreviewReport, page: Page): string {
  const { partitions } = preview
  const account = preview.account === '' ? '' : `, ${printable(preview.account)}`
  const parts = [`${page.style('bold', `${preview.connector}/${preview.name}`)}${account}\n`]
  if (partitions.length > 0) {
    const rows = partitions.map((partition) => previewNumbers(partition))
    const numbers = alignRight([HEAD, ...rows, previewNumbers(totalOf(partitions))])
    const taken = numbers[0]?.join('  ').length ?? 0
    const room = Math.max(SHORTEST_NAME, page.width - taken - 4)
    const names = ['partition', ...partitions.map(({ partition }) => cut(printable(partition), room)), messages.total]
    const whole = table(names.map((name, row) => [name, ...(numbers[row] ?? [])]))
    parts.push(whole.replace(/^.+$/gm, (line) => `  ${line}`))
  }
  const secrets = secretsText(totalOf(partitions).secrets)
  if (secrets !== '') parts.push(indented(messages.secrets(secrets), page))
  for (const { partition, problem } of partitions) {
    if (problem !== undefined) parts.push(indented(`${partition}: ${problem}`, page, 'yellow'))
  }
  if (preview.problem !== undefined) parts.push(indented(preview.problem, page, 'red'))
  return parts.join('')
}

/** 2 when the connection needs attention, 1 when something could not be read, otherwise 0. */
export function previewExitCode({ problem, partitions }: PreviewReport): 0 | 1 | 2 {
  if (problem !== undefined) return 2
  return partitions.some((partition) => partition.problem !== undefined || partition.failed > 0) ? 1 : 0
}

export function previewOfError({ connector, name }: SyncTarget, error: unknown): PreviewReport {
  const nothing = { account: '', partitions: [], requests: 0, waited_ms: 0, duration_ms: 0 }
  return { connector, name, ...nothing, problem: failureSentence(error) }
}

function previewNumbers(partition: Omit<PartitionPreview, 'partition' | 'examples'>): string[] {
  const { new: fresh, changed, unchanged, gone, failed, bytes } = partition
  return [...[fresh, changed, unchanged, gone, failed].map(String), sizeText(bytes)]
}

function totalOf(partitions: readonly PartitionPreview[]) {
  const total = { new: 0, changed: 0, unchanged: 0, gone: 0, failed: 0, bytes: 0 }
  const secrets: Record<string, number> = {}
  for (const partition of partitions) {
    for (const key of ['new', 'changed', 'unchanged', 'gone', 'failed', 'bytes'] as const) total[key] += partition[key]
    for (const [kind, count] of Object.entries(partition.secrets)) secrets[kind] = (secrets[kind] ?? 0) + count
  }
  return { ...total, secrets }
}

function secretsText(secrets: Readonly<Record<string, number>>): string {
  return Object.entries(secrets)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ')
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Numbers are right-aligned. */
function alignRight(rows: readonly (readonly string[])[]): string[][] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)))
}
