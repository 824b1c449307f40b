import { randomUUID } from 'node:crypto'
import type { Connector } from '../../../src/connector/connector.ts'
import type { SourceType } from '../../../src/domain/source-type.ts'
import { bindMemory } from '../../../src/service/bind-memory.ts'
import type { RunReport } from '../../../src/sync/run-report.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { movableClock } from '../../contract/store-contract.ts'
import type { RunningService } from '../../lib/start-service.ts'
import { syncEnvironment, type TestEnvironment } from '../../lib/sync-environment.ts'
import type { GraphServer } from './graph-server.ts'

const HOUR_MS = 60 * 60_000
const BEGIN = new Date('2026-11-20T12:00:00Z')

/** A connector that the real runner reads into the real memory, from a made-up Graph. */
export class GraphSync implements AsyncDisposable {
  readonly server: GraphServer
  readonly #service: RunningService
  readonly #connector: Connector
  readonly #sourceType: SourceType
  readonly #environment: TestEnvironment

  /** @param service not working on uploads; many may use it one after the other */
  constructor(service: RunningService, server: GraphServer, connector: Connector) {
    this.server = server
    this.#service = service
    this.#connector = connector
    const [sourceType = 'text'] = connector.manifest.sourceTypes
    this.#sourceType = sourceType
    const ledger = service.store.ledger(randomUUID())
    this.#environment = syncEnvironment({ ledger, memory: this.#memory(), clock: movableClock(BEGIN.getTime()) })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]()
    for (const itemId of (await this.held()).keys()) {
      await this.#memory().forget({ itemId, sourceType: this.#sourceType })
    }
  }

  get now(): Date {
    return this.#environment.clock()
  }

  pass(hours: number): void {
    this.#environment.clock.advance(hours * HOUR_MS)
  }

  /** One run of the connection; by itself it takes what changes at once, without a quiet period. */
  run(config: Record<string, unknown> = {}, { settle = false, full = false } = {}): Promise<RunReport> {
    this.server.requests.length = 0
    const whole = this.#connector.manifest.config.parse({ ...this.server.settings, ...config })
    const signal = new AbortController().signal
    return syncConnection({ connector: this.#connector, config: whole }, this.#environment, { signal, settle, full })
  }

  /** What the memory holds, by id; at most 1,000. */
  async held(): Promise<Map<string, string>> {
    const memory = this.#memory()
    const found = new Map<string, string>()
    for (const { item_id: itemId } of (await memory.list({ sourceType: this.#sourceType })).files) {
      const { body } = await memory.download({ itemId, sourceType: this.#sourceType })
      found.set(itemId, Buffer.from(body).toString())
    }
    return found
  }

  #memory() {
    const { service, key } = this.#service
    return bindMemory(service, () => service.authenticate(key))
  }
}
