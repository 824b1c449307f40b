import { randomUUID } from 'node:crypto'
import { slack } from '../../../connectors/slack/slack.ts'
import { createSourceListeners } from '../../../src/connections/source-listeners.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { bindMemory } from '../../../src/service/bind-memory.ts'
import type { RunReport } from '../../../src/sync/run-report.ts'
import { syncConnection, syncUnlessElsewhere } from '../../../src/sync/sync-connection.ts'
import { movableClock } from '../../contract/store-contract.ts'
import type { RunningService } from '../../lib/start-service.ts'
import { syncEnvironment, type TestEnvironment } from '../../lib/sync-environment.ts'
import { NOON, SlackSimulation, type SlackSimulationOptions } from './slack-simulation.ts'

const DAY_MS = 86_400_000

/** A workspace that the real runner reads into the real memory; waiting moves the one clock of all of them. */
export class SlackSync implements AsyncDisposable {
  simulation: SlackSimulation
  readonly #service: RunningService
  readonly #memoryId = randomUUID()
  readonly #clock = movableClock(NOON.getTime())
  #environment: TestEnvironment

  /** @param service not working on uploads; many may use it one after the other */
  static async open(service: RunningService, options: SlackSimulationOptions = {}): Promise<SlackSync> {
    return new SlackSync(await SlackSimulation.open(options), service)
  }

  private constructor(simulation: SlackSimulation, service: RunningService) {
    this.simulation = simulation
    this.#service = service
    this.#environment = this.#started()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.simulation[Symbol.asyncDispose]()
    for (const itemId of (await this.held()).keys()) await this.#memory().forget({ itemId, sourceType: 'slack' })
  }

  pass(days: number): void {
    this.#clock.advance(days * DAY_MS)
    this.simulation.now = this.#clock()
  }

  /** As another process: what is not in the store is not known any more. */
  restart(): void {
    this.#environment = this.#started()
  }

  /** One run of the connection; by itself it takes what changes at once, without a quiet period. */
  run(config: Record<string, unknown> = {}, { settle = false, full = false } = {}): Promise<RunReport> {
    const { token, url } = this.simulation.server
    this.simulation.server.log.length = 0
    const whole = slack.manifest.config.parse({ name: 'acme', token, api_url: url, ...config })
    const signal = new AbortController().signal
    return syncConnection({ connector: slack, config: whole }, this.#environment, { signal, settle, full })
  }

  /** Reads what the workspace pushes, until disposed. */
  async listen(config: Record<string, unknown> = {}): Promise<AsyncDisposable> {
    const { token, url, sockets } = this.simulation.server
    const whole = { name: 'acme', token, api_url: url, app_token: sockets.appToken, ...config }
    const listeners = createSourceListeners({
      environment: this.#environment,
      read: (connection, pushed, signal) =>
        syncUnlessElsewhere(connection, this.#environment, { signal, settle: true, pushed }),
    })
    await listeners.listenFor([{ connector: slack, config: slack.manifest.config.parse(whole) }])
    return listeners
  }

  /** As by `recalld retry slack`. */
  async retry(): Promise<void> {
    await this.#service.store.ledger(this.#memoryId).retryItems({ connector: 'slack', name: 'acme' })
  }

  /** What the memory holds, by id; at most 1,000. */
  async held(): Promise<Map<string, string>> {
    const memory = this.#memory()
    const found = new Map<string, string>()
    for (const { item_id: itemId } of (await memory.list({ sourceType: 'slack' })).files) {
      // A listener may delete it after the list was read.
      const stored = await memory.download({ itemId, sourceType: 'slack' }).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'not_found') return undefined
        throw error
      })
      if (stored !== undefined) found.set(itemId, Buffer.from(stored.body).toString())
    }
    return found
  }

  #started(): TestEnvironment {
    return syncEnvironment({
      ledger: this.#service.store.ledger(this.#memoryId),
      memory: this.#memory(),
      clock: this.#clock,
      sleep: async (ms, signal) => {
        if (!signal.aborted) this.pass(ms / DAY_MS)
      },
    })
  }

  #memory() {
    const { service, key } = this.#service
    return bindMemory(service, () => service.authenticate(key))
  }
}
