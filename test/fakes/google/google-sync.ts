import { randomUUID } from 'node:crypto'
import type { Connector } from '../../../src/connector/connector.ts'
import { bindMemory } from '../../../src/service/bind-memory.ts'
import type { RunReport } from '../../../src/sync/run-report.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { movableClock } from '../../contract/store-contract.ts'
import type { RunningService } from '../../lib/start-service.ts'
import { syncEnvironment, type TestEnvironment } from '../../lib/sync-environment.ts'
import type { GoogleServer } from './google-server.ts'

interface FakeGoogleApi extends AsyncDisposable {
  readonly server: GoogleServer
  readonly config: Record<string, unknown>
}

/** An account of Google that the real runner reads into the real memory; waiting moves the one clock of both. */
export class GoogleSync<Fake extends FakeGoogleApi> implements AsyncDisposable {
  readonly fake: Fake
  readonly #service: RunningService
  readonly #connector: Connector
  readonly #memoryId = randomUUID()
  readonly #clock: ReturnType<typeof movableClock>
  readonly #environment: TestEnvironment

  /** @param service not working on uploads; many may use it one after the other */
  constructor(service: RunningService, connector: Connector, fake: Fake) {
    this.fake = fake
    this.#service = service
    this.#connector = connector
    this.#clock = movableClock(fake.server.now.getTime())
    this.#environment = syncEnvironment({
      ledger: service.store.ledger(this.#memoryId),
      memory: this.#memory(),
      clock: this.#clock,
      sleep: async (ms, signal) => {
        if (!signal.aborted) this.pass(ms)
      },
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fake[Symbol.asyncDispose]()
    for (const itemId of (await this.held()).keys()) await this.#memory().forget({ itemId, sourceType: this.#type })
  }

  pass(ms: number): void {
    this.#clock.advance(ms)
    this.fake.server.now = this.#clock()
  }

  /** One run of the connection; by itself it takes what changes at once, without a quiet period. */
  run(config: Record<string, unknown> = {}, { settle = false, full = false } = {}): Promise<RunReport> {
    this.fake.server.log.length = 0
    const whole = this.#connector.manifest.config.parse({ ...this.fake.config, ...config })
    const signal = new AbortController().signal
    return syncConnection({ connector: this.#connector, config: whole }, this.#environment, { signal, settle, full })
  }

  /** As by `recalld retry`. */
  async retry(): Promise<void> {
    const { id: connector } = this.#connector.manifest
    await this.#service.store.ledger(this.#memoryId).retryItems({ connector, name: String(this.fake.config.name) })
  }

  /** What the memory holds, by id; at most 1,000. */
  async held(): Promise<Map<string, string>> {
    const memory = this.#memory()
    const found = new Map<string, string>()
    for (const { item_id: itemId } of (await memory.list({ sourceType: this.#type })).files) {
      const { body } = await memory.download({ itemId, sourceType: this.#type })
      found.set(itemId, Buffer.from(body).toString())
    }
    return found
  }

  /** How many of the requests since the run began were for a path. */
  asked(path: RegExp): number {
    return this.fake.server.log.filter((request) => path.test(request)).length
  }

  get #type() {
    const [type = 'text'] = this.#connector.manifest.sourceTypes
    return type
  }

  #memory() {
    const { service, key } = this.#service
    return bindMemory(service, () => service.authenticate(key))
  }
}
