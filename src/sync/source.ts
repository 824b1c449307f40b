import type {
  Body,
  Change,
  CheckContext,
  ConnectionConfig,
  Connector,
  Context,
  ItemRef,
  Partition,
  SourceAccount,
  SourceItem,
  StoredRef,
} from '../connector/connector.ts'
import { SourceError } from '../connector/source-error.ts'
import { EndOfRun } from './end-of-run.ts'

/**
 * A connector whose errors are sorted: an `EndOfRun` for what concerns the whole connection (access lost, a rate limit,
 * an abort), a `SourceError` for what concerns what was asked for. Nothing else is thrown.
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

  changes(partition: Partition, cursor: unknown, context: Context<ConnectionConfig>): AsyncIterable<Change<unknown>> {
    return this.#stream(() => this.#connector.changes(partition, cursor, context))
  }

  inventory(partition: Partition, context: Context<ConnectionConfig>): AsyncIterable<ItemRef> | undefined {
    const { inventory } = this.#connector
    if (inventory === undefined) return undefined
    return this.#stream(() => inventory.call(this.#connector, partition, context))
  }

  read(ref: StoredRef, context: Context<ConnectionConfig>): Promise<SourceItem | undefined> {
    return this.#sorted(() => this.#connector.read(ref, context))
  }

  /** `undefined`: the item is gone by now. */
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

  /** The message of an unknown error may hold anything, so it goes to the log alone. */
  #defect(cause: unknown): SourceError {
    this.#context.log.error({ err: cause }, 'the connector failed unexpectedly')
    const name = cause instanceof Error ? cause.name : typeof cause
    return new SourceError('retry', `The connector failed unexpectedly (${name}); the log says more.`, { cause })
  }
}
