import type { PushedRef } from '../connector/connector.ts'
import { SourceError } from '../connector/source-error.ts'
import { ledgerKey } from '../store/ledger/ledger.ts'
import { type Connection, connectionName, type SyncEnvironment } from './connection.ts'
import type { RunReport } from './run-report.ts'
import { openSource } from './source.ts'

export interface ListeningOptions {
  readonly signal: AbortSignal
  /** One run that reads these items; `undefined` when another run holds the connection. */
  readonly read: (pushed: readonly PushedRef[]) => Promise<RunReport | undefined>
}

/** Events of the same moment, such as an edit and the link preview that follows it, are read once. */
const GATHER_MS = 1_500
/** The connection is held by another run. */
const BUSY_MS = 3_000
/** The source wants fewer requests. */
const LIMITED_MS = 60_000
const NOT_READ: ReadonlySet<string> = new Set(['aborted', 'waiting'])
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 10 * 60_000
/** A connection that lasted this long was a good one. */
const GOOD_MS = 60_000

/**
 * Reads what a source pushes, until the signal aborts: gathers its items for a moment and has them read. A source that
 * cannot be reached is tried again with growing pauses; the runs on schedule find what was missed.
 */
export async function listenToSource(
  connection: Connection,
  environment: SyncEnvironment,
  { signal, read }: ListeningOptions,
): Promise<void> {
  const reading = new PushedItems(connection, environment, { signal, read })
  let pauseMs = FIRST_PAUSE_MS / 2
  while (!signal.aborted) {
    const began = environment.clock().getTime()
    try {
      for await (const ref of pushedBy(connection, environment, signal)) reading.add(ref)
    } catch (error) {
      if (signal.aborted) break
      const message = error instanceof SourceError ? error.message : 'unexpected error'
      environment.log.warn({ connection: connectionName(connection), error: message }, 'listening to a source ended')
    }
    if (environment.clock().getTime() - began >= GOOD_MS) pauseMs = FIRST_PAUSE_MS
    else pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    await environment.sleep(pauseMs, signal)
  }
  await reading.ended
}

async function* pushedBy(
  connection: Connection,
  environment: SyncEnvironment,
  signal: AbortSignal,
): AsyncGenerator<PushedRef> {
  const { connector } = connection
  const name = connectionName(connection)
  const rows = await environment.ledger.listConnections()
  const account = rows.find((row) => row.connector === name.connector && row.name === name.name)?.account
  const counts = { sent: 0, waitedMs: 0 }
  const { context } = await openSource({
    connection,
    environment,
    signal,
    account,
    persist: true,
    counts,
    warnings: new Set(),
  })
  if (connector.listen !== undefined) yield* connector.listen(context)
}

class PushedItems {
  readonly #connection: Connection
  readonly #environment: SyncEnvironment
  readonly #options: ListeningOptions
  #waiting = new Map<string, PushedRef>()
  #reading: Promise<void> | undefined
  #settling: Promise<void> | undefined

  constructor(connection: Connection, environment: SyncEnvironment, options: ListeningOptions) {
    this.#connection = connection
    this.#environment = environment
    this.#options = options
  }

  get ended(): Promise<unknown> {
    return Promise.all([this.#reading, this.#settling])
  }

  add(ref: PushedRef): void {
    this.#waiting.set(ledgerKey(ref), ref)
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined
    })
  }

  async #readAll(): Promise<void> {
    const { signal } = this.#options
    const { sleep } = this.#environment
    await sleep(GATHER_MS, signal)
    while (this.#waiting.size > 0 && !signal.aborted) {
      const pushed = [...this.#waiting.values()]
      this.#waiting = new Map()
      const report = await this.#read(pushed)
      if (report !== undefined && !NOT_READ.has(report.outcome)) continue
      // Newer events of the same item stay.
      for (const ref of pushed) if (!this.#waiting.has(ledgerKey(ref))) this.#waiting.set(ledgerKey(ref), ref)
      await sleep(report?.outcome === 'waiting' ? LIMITED_MS : BUSY_MS, signal)
    }
  }

  async #read(pushed: readonly PushedRef[]): Promise<RunReport | undefined> {
    try {
      const report = await this.#options.read(pushed)
      if (report !== undefined && report.settling > 0) this.#settling ??= this.#readSettled()
      return report
    } catch (error) {
      const connection = connectionName(this.#connection)
      this.#environment.log.error({ err: error, connection }, 'pushed items could not be read')
      return undefined
    }
  }

  /** Every run also reads what has settled; the next one on schedule may be hours away. */
  async #readSettled(): Promise<void> {
    const { signal } = this.#options
    const { manifest } = this.#connection.connector
    await this.#environment.sleep(manifest.quietPeriodMs + BUSY_MS, signal)
    this.#settling = undefined
    if (!signal.aborted) await this.#read([])
  }
}
