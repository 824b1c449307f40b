import { randomUUID } from 'node:crypto'
import type { Connector } from '../../src/connector/connector.ts'
import { bindMemory } from '../../src/service/bind-memory.ts'
import type { RunReport } from '../../src/sync/run-report.ts'
import { syncConnection } from '../../src/sync/sync-connection.ts'
import { movableClock } from '../contract/store-contract.ts'
import type { RunningService } from './start-service.ts'
import { syncEnvironment } from './sync-environment.ts'

/** A connection that the real runner reads into the real memory, in a time of its own. */
export class ConnectorSync implements AsyncDisposable {
  readonly clock
  readonly #connector: Connector
  readonly #service: RunningService
  readonly #environment

  /** @param service not working on uploads; many may use it one after the other */
  constructor(connector: Connector, service: RunningService, now: Date) {
    this.#connector = connector
    this.#service = service
    this.clock = movableClock(now.getTime())
    const ledger = service.store.ledger(randomUUID())
    this.#environment = syncEnvironment({ ledger, memory: this.#memory(), clock: this.clock })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const itemId of await this.held()) await this.#memory().forget({ itemId, sourceType: this.#sourceType() })
  }

  run(config: Record<string, unknown>, { full = false } = {}): Promise<RunReport> {
    const connection = { connector: this.#connector, config: this.#connector.manifest.config.parse(config) }
    return syncConnection(connection, this.#environment, {
      signal: new AbortController().signal,
      settle: false,
      full,
    })
  }

  /** Ids of what the memory holds; at most 1,000. */
  async held(): Promise<string[]> {
    const { files } = await this.#memory().list({ sourceType: this.#sourceType() })
    return files.map(({ item_id: itemId }) => itemId).sort()
  }

  #sourceType() {
    const [sourceType] = this.#connector.manifest.sourceTypes
    if (sourceType === undefined) throw new Error('it announces no source type')
    return sourceType
  }

  #memory() {
    const { service, key } = this.#service
    return bindMemory(service, () => service.authenticate(key))
  }
}
