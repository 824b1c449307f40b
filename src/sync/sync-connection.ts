import { randomUUID } from 'node:crypto'
import type { SourceAccount } from '../connector/connector.ts'
import { SourceError } from '../connector/source-error.ts'
import { AppError } from '../domain/errors.ts'
import type { ConnectionName, ConnectionRow } from '../store/ledger.ts'
import type { Connection, RunOptions, SyncEnvironment } from './connection.ts'
import { EndOfRun } from './end-of-run.ts'
import { FailureMonitor } from './failure-monitor.ts'
import { MemoryPort } from './memory-port.ts'
import { openSource } from './open-source.ts'
import { finishUnfinished, retryDue } from './read-again.ts'
import { keepLease, LEASE_MS, type RunLease } from './run-lease.ts'
import { runPartitions } from './run-partitions.ts'
import type { RunReport } from './run-report.ts'
import { selectionOf } from './selection.ts'
import type { SyncRun } from './sync-run.ts'
import { Tally } from './tally.ts'

/** After a crash the lease is over by then; while another run lasts, asking costs next to nothing. */
const ASK_AGAIN_MS = 2 * LEASE_MS

/**
 * One run of a connection: reads what has changed at the source, and brings the memory and the ledger to it. It may end at
 * any point, also by a crash; the next run goes on from what the ledger says.
 *
 * While another run holds the connection, nothing happens and the report says `aborted`.
 *
 * @throws AppError only when the ledger cannot be written; everything else is in the report
 */
export async function syncConnection(
  connection: Connection,
  environment: SyncEnvironment,
  options: RunOptions,
): Promise<RunReport> {
  const { ledger, clock, log } = environment
  const name = { connector: connection.connector.manifest.id, name: connection.config.name }
  const holder = `${environment.holder} ${randomUUID()}`
  const began = clock()
  const tally = new Tally(connection, options.onProgress)
  const begun = await ledger.beginRun(name, { holder, leaseMs: LEASE_MS })
  if (begun.outcome === 'running') {
    await ledger.updateConnection(name, { nextRunAt: new Date(began.getTime() + ASK_AGAIN_MS) })
    const problem = `It is being synchronized already, since ${begun.since.toISOString()}.`
    return tally.report({
      outcome: 'aborted',
      problem,
      account: '',
      requests: 0,
      waitedMs: 0,
      durationMs: 0,
      warnings: [],
    })
  }
  const lease = keepLease(ledger, name, holder)
  const steps = new Steps(connection, environment, options, { name, row: begun.row, tally, lease })
  let end: EndOfRun
  try {
    await steps.run()
    end = endOf(tally)
  } catch (error) {
    end = lease.lost.aborted ? lostLease() : endOfError(error, environment, name)
  } finally {
    lease.release()
  }
  const nextRunAt = end.nextRunAt ?? tally.nextAttemptAt
  const report = tally.report({
    ...steps.numbers(),
    durationMs: clock().getTime() - began.getTime(),
    outcome: end.outcome,
    problem: end.message,
    remedy: end.remedy,
    nextRunAt: end.nextRunAt,
  })
  const { outcome, message: problem, remedy } = end
  await ledger.endRun(name, holder, {
    outcome,
    ...(problem && { problem }),
    ...(remedy && { remedy }),
    ...(nextRunAt && { nextRunAt }),
    report: JSON.stringify(report),
  })
  log.info({ ...name, outcome, items: report.items, memorized: report.memorized }, 'synchronized')
  return report
}

/** The steps of a run, with what becomes known on the way. */
class Steps {
  readonly #connection: Connection
  readonly #environment: SyncEnvironment
  readonly #options: RunOptions
  readonly #begun: { name: ConnectionName; row: ConnectionRow; tally: Tally; lease: RunLease }
  #account: SourceAccount | undefined
  #requests: { readonly sent: number; readonly waitedMs: number } = { sent: 0, waitedMs: 0 }

  constructor(
    connection: Connection,
    environment: SyncEnvironment,
    options: RunOptions,
    begun: { name: ConnectionName; row: ConnectionRow; tally: Tally; lease: RunLease },
  ) {
    this.#connection = connection
    this.#environment = environment
    this.#options = options
    this.#begun = begun
  }

  async run(): Promise<void> {
    const { name, row, tally, lease } = this.#begun
    const signal = AbortSignal.any([this.#options.signal, lease.lost])
    const { manifest } = this.#connection.connector
    const memory = await MemoryPort.open(this.#environment, signal)
    await memory.prove(manifest.sourceTypes)
    const opening = {
      connection: this.#connection,
      environment: this.#environment,
      signal,
      account: row.account,
      persist: true,
      onWaiting: (until: Date | undefined) => tally.progress(until),
      onRequests: (requests: { readonly sent: number; readonly waitedMs: number }) => {
        this.#requests = requests
      },
    }
    const { source, context } = await openSource(opening)
    this.#account = context.account
    const selection = selectionOf(this.#connection)
    await this.#recordAccess(context.account, selection.hash)
    const run: SyncRun = {
      name,
      manifest,
      ledger: this.#environment.ledger,
      environment: this.#environment,
      options: this.#options,
      signal,
      source,
      context,
      memory,
      selection,
      tally,
      monitor: new FailureMonitor(),
    }
    await finishUnfinished(run)
    await runPartitions(run, lease)
    await retryDue(run)
  }

  numbers() {
    const { row } = this.#begun
    return {
      account: this.#account?.title ?? this.#account?.account ?? row.accountTitle ?? row.account ?? '',
      warnings: this.#account?.warnings ?? [],
      requests: this.#requests.sent,
      waitedMs: this.#requests.waitedMs,
    }
  }

  /** Other rules of selection begin every walk anew, before they count as known. */
  async #recordAccess(account: SourceAccount, selection: string): Promise<void> {
    const { name, row } = this.#begun
    const { ledger } = this.#environment
    if (row.selection !== selection) {
      for (const { partitionId } of await ledger.listPartitions(name)) {
        await ledger.commit(name, partitionId, { partition: { cursor: null, cursorAt: null, walking: false } })
      }
    }
    await ledger.updateConnection(name, {
      account: account.account,
      accountTitle: account.title ?? null,
      selection,
      warnings: JSON.stringify(account.warnings ?? []),
      expiresAt: account.expiresAt ?? null,
    })
  }
}

function endOf(tally: Tally): EndOfRun {
  const { attention } = tally
  if (attention !== undefined) return new EndOfRun('attention', attention.problem, { remedy: attention.remedy })
  if (!tally.incomplete) return new EndOfRun('ok', '')
  return new EndOfRun('partial', 'Not everything could be read or memorized; what failed is tried again.')
}

function lostLease(): EndOfRun {
  return new EndOfRun('aborted', 'Another process has taken the connection over, so this run was ended.')
}

function endOfError(error: unknown, { log }: SyncEnvironment, name: ConnectionName): EndOfRun {
  if (error instanceof EndOfRun) return error
  if (error instanceof SourceError) {
    const { remedy, message } = error
    return new EndOfRun(remedy === 'reconfigure' ? 'attention' : 'partial', message, { remedy })
  }
  log.error({ ...name, err: error }, 'synchronization failed unexpectedly')
  if (error instanceof AppError) return new EndOfRun('partial', error.message)
  const kind = error instanceof Error ? error.name : typeof error
  return new EndOfRun('partial', `Synchronization failed unexpectedly (${kind}); the log says more.`)
}
