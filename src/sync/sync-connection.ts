import { randomUUID } from 'node:crypto'
import type { SourceAccount } from '../connector/connector.ts'
import { SourceError } from '../connector/source-error.ts'
import { AppError } from '../domain/errors.ts'
import { problemSentence } from '../domain/source-problems.ts'
import { inSpan, NO_TELEMETRY, type Span, type Telemetry } from '../lib/telemetry.ts'
import type { ConnectionName, ConnectionRow, Ledger } from '../store/ledger/ledger.ts'
import { type Connection, connectionName, type RunOptions, type SyncEnvironment, selectionOf } from './connection.ts'
import { EndOfRun, isAccountGone } from './end-of-run.ts'
import { keepProgress } from './kept-progress.ts'
import { finishUnfinished, readPushed, retryDue } from './known-items.ts'
import { MemoryPort } from './memory-port.ts'
import { keepLease, LEASE_MS, type RunLease } from './run-lease.ts'
import { runPartitions } from './run-partition.ts'
import type { RunReport, SyncProgress } from './run-report.ts'
import { openSource } from './source.ts'
import { FailureMonitor, type SyncRun, Tally } from './sync-run.ts'

/** After 30 days, no source still returns a deleted item through paging or read overlaps. */
const TOMBSTONES_MS = 30 * 24 * 60 * 60_000

/**
 * One run of a connection: reads what has changed at the source, and updates the memory and the ledger. It may end at
 * any point, also by a crash; the next run continues from the ledger. While another run holds the connection, nothing
 * happens and the report says `aborted`.
 * @throws AppError only when the ledger cannot be written; other errors are in the report
 */
export async function syncConnection(
  connection: Connection,
  environment: SyncEnvironment,
  options: Omit<RunOptions, 'because'>,
): Promise<RunReport> {
  const report = await syncUnlessElsewhere(connection, environment, options)
  if (report !== undefined) return report
  const elsewhere = new EndOfRun('aborted', problemSentence('other_run', {}))
  return new Tally(connectionName(connection), options.onProgress, environment.clock).report(elsewhere, 0)
}

/**
 * As `syncConnection`, but `undefined` when another run holds the connection, or another process has run it for this
 * reason. @throws AppError as `syncConnection`
 */
export async function syncUnlessElsewhere(
  connection: Connection,
  environment: SyncEnvironment,
  options: RunOptions,
): Promise<RunReport | undefined> {
  const holder = `${environment.holder} ${randomUUID()}`
  const name = connectionName(connection)
  const { because } = options
  const begun = await environment.ledger.beginRun(name, { holder, leaseMs: LEASE_MS, ...(because && { because }) })
  if (begun.outcome !== 'begun') return undefined
  const telemetry = environment.telemetry ?? NO_TELEMETRY
  const attributes = { 'recalld.connector': connection.connector.manifest.id }
  const run = async (span: Span) => {
    const report = await runOnce({ connection, environment, options, name, holder, row: begun.row })
    countRun(report, telemetry)
    span.set({ 'recalld.outcome': report.outcome, 'recalld.memorized': report.memorized })
    return report
  }
  return inSpan(telemetry.tracer, 'sync run', attributes, run, { root: true })
}

/** Only numbers: connection names contain names of people and companies. */
function countRun(report: RunReport, { meter }: Telemetry): void {
  const { connector, outcome } = report
  meter.count('recalld_sync_runs_total', { connector, outcome })
  meter.observe('recalld_sync_run_seconds', { connector }, report.duration_ms / 1_000)
  meter.count('recalld_sync_requests_total', { connector }, report.requests)
  meter.count('recalld_sync_waited_seconds_total', { connector }, report.waited_ms / 1_000)
  for (const fate of ['memorized', 'unchanged', 'removed', 'failed', 'settling'] as const) {
    meter.count('recalld_sync_items_total', { connector, fate }, report[fate])
  }
}

interface BegunRun {
  readonly connection: Connection
  readonly environment: SyncEnvironment
  readonly options: RunOptions
  readonly name: ConnectionName
  readonly holder: string
  readonly row: ConnectionRow
}

async function runOnce(begun: BegunRun): Promise<RunReport> {
  const { environment, options, name, holder, row } = begun
  const { ledger, clock, log } = environment
  const began = clock().getTime()
  const kept = keepProgress(environment, name)
  const onProgress = (progress: SyncProgress) => {
    kept.keep(progress)
    options.onProgress?.(progress)
  }
  const tally = new Tally(name, onProgress, clock)
  tally.account = row.accountTitle ?? row.account ?? ''
  const lease = keepLease(environment, name, holder)
  let end: EndOfRun
  try {
    await takeSteps({ ...begun, tally, lease })
    end = endOf(tally)
  } catch (error) {
    end = lease.lost.aborted ? lostLease() : endOfError(error, environment, name)
  } finally {
    lease.release()
    await kept.written()
  }
  const report = tally.report(end, clock().getTime() - began)
  const { outcome, message: problem, remedy, nextRunAt = tally.nextAttemptAt } = end
  await ledger.endRun(name, holder, {
    outcome,
    ...(problem && { problem }),
    ...(remedy && { remedy }),
    // Reading a few items does not replace the next run, which lists everything.
    ...(nextRunAt && options.pushed === undefined && { nextRunAt }),
    report: JSON.stringify(report),
  })
  // Titles, errors and warnings may contain what people wrote, so the log only gets numbers.
  const { account: _, problem: __, failures, warnings, ...numbers } = report
  log.info({ ...numbers, warnings: warnings.length }, 'synchronized')
  return report
}

interface Beginning extends BegunRun {
  readonly tally: Tally
  readonly lease: RunLease
}

/** @throws SourceError, EndOfRun, and AppError of the ledger */
async function takeSteps(beginning: Beginning): Promise<void> {
  const { connection, environment, options, name, row, tally, lease } = beginning
  const { manifest } = connection.connector
  const { ledger } = lease
  const signal = AbortSignal.any([options.signal, lease.lost])
  const memory = await MemoryPort.open(environment, signal)
  await memory.prove(manifest.sourceTypes)
  const { source, context } = await openSource({
    connection,
    environment,
    signal,
    account: row.account,
    persist: true,
    counts: tally.requests,
    onWaiting: (until) => tally.progress(until),
    warnings: tally.warnings,
  })
  const { account } = context
  tally.account = account.title ?? account.account
  const selection = selectionOf(connection)
  if (row.selection !== selection.hash) await restartPartitions(ledger, name)
  await recordAccess(ledger, name, account, selection.hash)
  const monitor = new FailureMonitor()
  const reading = { name, manifest, ledger, environment, options, source, context, selection }
  const run: SyncRun = { ...reading, signal, memory, tally, monitor, end: {} }
  await finishUnfinished(run)
  await (options.pushed === undefined ? runPartitions(run) : readPushed(run, options.pushed))
  await retryDue(run)
  if (tally.warnings.size > (account.warnings ?? []).length) {
    await ledger.updateConnection(name, { warnings: JSON.stringify([...tally.warnings]) })
  }
  await ledger.dropTombstones(new Date(environment.clock().getTime() - TOMBSTONES_MS))
}

/** Changed selection rules restart every full scan before they are stored. */
async function restartPartitions(ledger: Ledger, name: ConnectionName): Promise<void> {
  for (const { partitionId } of await ledger.listPartitions(name)) {
    await ledger.commit(name, partitionId, { partition: { cursorAt: null, scanning: false } })
  }
}

function recordAccess(ledger: Ledger, name: ConnectionName, account: SourceAccount, selection: string): Promise<void> {
  return ledger.updateConnection(name, {
    account: account.account,
    accountTitle: account.title ?? null,
    selection,
    warnings: JSON.stringify(account.warnings ?? []),
    expiresAt: account.expiresAt ?? null,
  })
}

function endOf(tally: Tally): EndOfRun {
  const { attention } = tally
  if (attention !== undefined) return new EndOfRun('attention', attention.problem, attention)
  if (!tally.incomplete) return new EndOfRun('ok', '')
  return new EndOfRun('partial', problemSentence('some_failed', {}))
}

function lostLease(): EndOfRun {
  return new EndOfRun('aborted', problemSentence('taken_over', {}))
}

function endOfError(error: unknown, { log }: SyncEnvironment, name: ConnectionName): EndOfRun {
  if (error instanceof EndOfRun) return error
  if (error instanceof SourceError) {
    const { remedy, message } = error
    return new EndOfRun(remedy === 'reconfigure' ? 'attention' : 'partial', message, { remedy, cause: error })
  }
  if (isAccountGone(error)) return new EndOfRun('aborted', problemSentence('run_account_deleted', {}))
  log.error({ ...name, err: error }, 'synchronization failed unexpectedly')
  if (error instanceof AppError) return new EndOfRun('partial', error.message)
  const kind = error instanceof Error ? error.name : typeof error
  return new EndOfRun('partial', problemSentence('run_failed', { kind }))
}
