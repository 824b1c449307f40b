import type { SyncTarget } from '../../connections/sync-service.ts'
import { needsThePerson } from '../../domain/errors.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { RunReport } from '../../sync/run-report.ts'
import { adviceSentence, failureSentence, remedySentence } from '../terminal/failure.ts'
import { indented, type Page } from '../terminal/layout.ts'
import { clockTime } from '../terminal/relative-time.ts'
import { messages } from './messages.ts'

const FAILURES_SHOWN = 10

/** The result of a run: a line of numbers, followed by problems and notes. */
export function runSummary(report: RunReport, page: Page): string {
  const connection = `${report.connector}/${report.name}`
  const parts = [`${page.style('bold', connection)}: ${summaryNumbers(report)}\n`, ...failureLines(report)]
  if (report.problem !== undefined) parts.push(indented(report.problem, page, 'red'))
  const { advice, remedy } = report
  if (advice !== undefined) parts.push(indented(adviceSentence(advice), page))
  else if (remedy !== undefined) parts.push(indented(remedySentence(remedy, report), page))
  if (report.next_attempt_at !== undefined) {
    parts.push(indented(messages.continuesAt(clockTime(new Date(report.next_attempt_at), page.now)), page))
  }
  for (const warning of report.warnings) parts.push(indented(messages.note(warning), page, 'yellow'))
  return parts.join('')
}

function summaryNumbers(report: RunReport): string {
  const { items, memorized, unchanged, removed, failed, settling, requests } = report
  const done = [
    messages.checkedItems(items),
    messages.memorized(memorized),
    messages.unchanged(unchanged),
    messages.removed(removed),
    messages.failedItems(failed),
  ]
  if (settling > 0) done.push(messages.settling(settling))
  const duration = seconds(report.duration_ms)
  const time = requests === 0 ? messages.duration(duration) : messages.requests(requests, duration)
  const waited = report.waited_ms >= 1_000 ? messages.waited(seconds(report.waited_ms)) : ''
  return `${done.join(', ')}, ${time}${waited}`
}

function failureLines({ connector, name, failed, failures, problem }: RunReport): string[] {
  const sentences = failures.map(({ partition, item, error }) => {
    const what = item === undefined ? partition : `${partition}, ${item}`
    return `${what}: ${error}`
  })
  // The problem of the connection follows below.
  const own = sentences.filter((sentence) => sentence !== problem)
  const lines = own.slice(0, FAILURES_SHOWN).map((sentence) => `  ${printable(sentence)}\n`)
  const more = Math.max(failed, own.length) - lines.length
  if (more > 0) lines.push(`  ${messages.moreFailures(more, `${connector}/${name}`)}\n`)
  return lines
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

/** For `--json`: the specified keys of a run first, then additional ones. */
export function runJson(report: RunReport): string {
  const { connector, account, partitions, items, memorized, unchanged, removed, failed, requests } = report
  const { waited_ms, duration_ms, name, outcome, problem, remedy, next_attempt_at, settling, failures, warnings } =
    report
  return jsonText({
    connector,
    account,
    partitions,
    items,
    memorized,
    unchanged,
    removed,
    failed,
    requests,
    waited_ms,
    duration_ms,
    name,
    outcome,
    problem,
    remedy,
    next_attempt_at,
    settling,
    failures,
    warnings,
  })
}

/** 2 when a person must act, 1 when something failed or is incomplete, otherwise 0. */
export function runExitCode({ outcome, failed }: RunReport): 0 | 1 | 2 {
  if (outcome === 'attention') return 2
  return outcome === 'ok' && failed === 0 ? 0 : 1
}

/** A run that could not start; the others continue. */
export function reportOfError({ connector, name }: SyncTarget, error: unknown): RunReport {
  return {
    connector,
    name,
    account: '',
    partitions: 0,
    items: 0,
    memorized: 0,
    unchanged: 0,
    removed: 0,
    failed: 0,
    settling: 0,
    requests: 0,
    waited_ms: 0,
    duration_ms: 0,
    outcome: needsThePerson(error) ? 'attention' : 'stopped',
    problem: failureSentence(error),
    failures: [],
    warnings: [],
  }
}
