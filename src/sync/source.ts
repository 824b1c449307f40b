import type {
  Body,
  Change,
  CheckContext,
  ConnectionConfig,
  Connector,
  Context,
  ItemRef,
  MemorizedItem,
  Partition,
  SourceAccount,
  SourceItem,
  StoredRef,
} from '../connector/connector.ts'
import { SourceError } from '../connector/source-error.ts'
import { problemSentence } from '../domain/source-problems.ts'
import type { ConnectionName, Ledger } from '../store/ledger/ledger.ts'
import { type Connection, connectionName, type SyncEnvironment } from './connection.ts'
import { EndOfRun } from './end-of-run.ts'
import { sharedBudget } from './request-budget.ts'
import { BudgetedRequests, type RequestCounts } from './requests.ts'

interface OpenSourceOptions {
  readonly connection: Connection
  readonly environment: SyncEnvironment
  readonly signal: AbortSignal
  /** The previous account of the connection. */
  readonly account: string | undefined
  /** Whether rate limits are written to the ledger. */
  readonly persist: boolean
  /** Counted from the check on. */
  readonly counts: RequestCounts
  readonly onWaiting?: (until: Date | undefined) => void
  /** Warnings of the source's check, and of what was read since. */
  readonly warnings: Set<string>
}

/**
 * Checks the source, and returns what is needed to read it.
 * @throws SourceError, and EndOfRun also when the account has changed: cursors and ids of one account are meaningless
 * for another
 */
export async function openSource(
  options: OpenSourceOptions,
): Promise<{ readonly source: Source; readonly context: Context<ConnectionConfig> }> {
  const { connection, environment, signal, account: known, persist, counts, onWaiting, warnings } = options
  const { connector, config } = connection
  const { manifest } = connector
  const { ledger, clock, log, machine, grants, userName, timeZone } = environment
  // Before the first check the account is unknown; the connection's name replaces it.
  const first = sharedBudget(ledger, manifest.provider, known ?? `connection ${config.name}`)
  const requests = new BudgetedRequests(first, {
    provider: manifest.provider,
    quotas: manifest.quotas,
    environment,
    signal,
    persist,
    counts,
    ...(onWaiting && { onWaiting }),
  })
  const checking = { config, clock, log, signal, requests, grants, machine, userName, timeZone }
  const source = new Source(connector, checking)
  const account = await source.check()
  if (known !== undefined && known !== account.account) {
    const now = account.title ?? account.account
    const message =
      `This access is for a different account (${now}) than before. Connect it ` +
      `under a new name, or remove ${config.name} first.`
    throw new EndOfRun('attention', message, { remedy: 'reconfigure' })
  }
  requests.use(sharedBudget(ledger, manifest.provider, account.account))
  const memorized: Context<ConnectionConfig>['memorized'] = (range) => memorizedItems(ledger, range)
  const knownPartitions = () => readPartitions(ledger, connectionName(connection))
  for (const warning of account.warnings ?? []) warnings.add(warning)
  const warn = (message: string) => void warnings.add(message)
  return { source, context: { ...checking, account, memorized, knownPartitions, warn } }
}

/**
 * Wraps a connector so that it only throws an `EndOfRun` for problems of the whole connection (access lost, a rate
 * limit, an abort), or a `SourceError` for what was requested.
 */
export class Source {
  readonly #connector: Connector
  readonly #context: CheckContext<ConnectionConfig>

  constructor(connector: Connector, context: CheckContext<ConnectionConfig>) {
    this.#connector = connector
    this.#context = context
  }

  check(): Promise<SourceAccount> {
    return this.#sorted(() => this.#connector.check(this.#context))
  }

  partitions(context: Context<ConnectionConfig>): AsyncIterable<Partition> {
    return this.#stream(() => this.#connector.partitions(context))
  }

  changes(
    partition: Partition,
    cursor: unknown,
    context: Context<ConnectionConfig>,
    lastCursor: unknown,
  ): AsyncIterable<Change<unknown>> {
    return this.#stream(() => this.#connector.changes(partition, cursor, context, lastCursor))
  }

  inventory(partition: Partition, context: Context<ConnectionConfig>): AsyncIterable<ItemRef> | undefined {
    const { inventory } = this.#connector
    if (inventory === undefined) return undefined
    return this.#stream(() => inventory.call(this.#connector, partition, context))
  }

  read(ref: StoredRef, context: Context<ConnectionConfig>): Promise<SourceItem | undefined> {
    return this.#sorted(() => this.#connector.read(ref, context))
  }

  /** `undefined`: the item no longer exists. */
  async body({ body }: SourceItem): Promise<Body | undefined> {
    return typeof body === 'function' ? this.#sorted(body) : body
  }

  async #sorted<T>(call: () => Promise<T>): Promise<T> {
    this.#mustGoOn()
    try {
      return await call()
    } catch (error) {
      throw this.#sort(error)
    }
  }

  async *#stream<T>(open: () => AsyncIterable<T>): AsyncGenerator<T> {
    this.#mustGoOn()
    try {
      for await (const element of open()) {
        yield element
        this.#mustGoOn()
      }
    } catch (error) {
      throw this.#sort(error)
    }
    this.#mustGoOn()
  }

  #mustGoOn(): void {
    if (this.#context.signal.aborted) throw new EndOfRun('aborted', '')
  }

  #sort(error: unknown): SourceError | EndOfRun {
    if (error instanceof EndOfRun) return error
    if (this.#context.signal.aborted) return new EndOfRun('aborted', '', { cause: error })
    if (!(error instanceof SourceError)) return this.#defect(error)
    const { remedy, message, retryAt, limited } = error
    if (remedy === 'reauthorize') return new EndOfRun('attention', message, { remedy, cause: error })
    if (remedy === 'retry' && (limited || retryAt !== undefined)) {
      return new EndOfRun('waiting', message, { remedy, nextRunAt: retryAt, cause: error })
    }
    return error
  }

  /** The message of an unknown error may contain anything, so only the log gets it. */
  #defect(cause: unknown): SourceError {
    this.#context.log.error({ err: cause }, 'the connector failed unexpectedly')
    const name = cause instanceof Error ? cause.name : typeof cause
    return new SourceError('retry', problemSentence('connector_failed', { kind: name }), { cause })
  }
}

/** The partitions of a connection that earlier runs read. */
async function readPartitions(ledger: Pick<Ledger, 'listPartitions'>, name: ConnectionName): Promise<Partition[]> {
  return (await ledger.listPartitions(name)).map(({ partitionId: id, title }) => ({ id, title }))
}

const PAGE = 500

/** Memorized items dated in [since, until), oldest first; for connectors that create digests. */
async function* memorizedItems(
  ledger: Ledger,
  range: { readonly since: Date; readonly until: Date },
): AsyncGenerator<MemorizedItem> {
  for (let offset = 0; ; offset += PAGE) {
    const rows = await ledger.memorizedBetween(range, { offset, limit: PAGE })
    for (const { sourceType, itemId, title, url, statedAt } of rows) {
      if (statedAt === undefined) continue
      yield { sourceType, itemId, title: title ?? itemId, ...(url !== undefined && { url }), at: statedAt }
    }
    if (rows.length < PAGE) return
  }
}
