import { randomUUID } from 'node:crypto'
import { asana } from '../../../connectors/asana/asana.ts'
import type { Change, ItemRef, Partition, SourceItem, StoredRef } from '../../../src/connector/connector.ts'
import type { Memory } from '../../../src/domain/memory.ts'
import { bindMemory } from '../../../src/service/bind-memory.ts'
import type { RunReport } from '../../../src/sync/run-report.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { type ContextOptions, connectorContext, type TestContext } from '../../lib/connector-context.ts'
import type { RunningService } from '../../lib/start-service.ts'
import { syncEnvironment } from '../../lib/sync-environment.ts'
import { type AsanaServer, asanaServer } from './asana-server.ts'
import { FakeAsana } from './fake-asana.ts'

type AsanaConfig = Parameters<typeof asana.manifest.selection>[0]
type AsanaCursor = ReturnType<typeof asana.manifest.cursor.parse>

/** Before each run: more than the overlap with which changes are asked for. */
const PAUSE_DAYS = 0.01

/** What one run of the connector yielded. */
export interface AsanaRun {
  /** The last version of each item, by id. */
  readonly items: Map<string, SourceItem>
  /** Title of the partition that yielded an item, by id. */
  readonly from: Map<string, string>
  readonly gone: string[]
  readonly failed: string[]
  readonly partitions: string[]
}

/** A fake Asana, a server in front of it, and the connector, run repeatedly with the cursors of the previous run. */
export class AsanaSimulation implements AsyncDisposable {
  readonly fake: FakeAsana
  readonly server: AsanaServer
  readonly cursors = new Map<string, AsanaCursor>()

  static async open(): Promise<AsanaSimulation> {
    const fake = new FakeAsana()
    return new AsanaSimulation(fake, await asanaServer(fake))
  }

  private constructor(fake: FakeAsana, server: AsanaServer) {
    this.fake = fake
    this.server = server
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.server[Symbol.asyncDispose]())
  }

  settings(config: Record<string, unknown> = {}): Record<string, unknown> {
    return { name: 'acme', token: 'pat-made-up', api_url: this.server.url, ...config }
  }

  async context(config: Record<string, unknown> = {}, options: ContextOptions = {}): Promise<TestContext<AsanaConfig>> {
    const whole = { clock: () => this.fake.now, ...options }
    // `connectorContext` knows the manifest's schema only by its interface.
    return (await connectorContext(asana, this.settings(config), whole)) as TestContext<AsanaConfig>
  }

  /** One run, from the cursors of the last one. Partitions that cannot be read are in `failed`, by their error. */
  async run(config: Record<string, unknown> = {}, options: ContextOptions = {}): Promise<AsanaRun> {
    this.fake.pass(PAUSE_DAYS)
    const context = await this.context(config, options)
    const run: AsanaRun = { items: new Map(), from: new Map(), gone: [], failed: [], partitions: [] }
    for await (const partition of asana.partitions(context)) {
      run.partitions.push(partition.title)
      for await (const change of asana.changes(partition, this.cursors.get(partition.id), context)) {
        this.#keep(run, partition, change)
      }
    }
    return run
  }

  #keep(run: AsanaRun, partition: Partition, change: Change<AsanaCursor>): void {
    if (change.type === 'checkpoint') {
      this.cursors.set(partition.id, asana.manifest.cursor.parse(JSON.parse(JSON.stringify(change.cursor))))
    } else if (change.type === 'item') {
      run.items.set(change.item.itemId, change.item)
      run.from.set(change.item.itemId, partition.title)
    } else if (change.type === 'gone') run.gone.push(change.ref.itemId)
    else if (change.type === 'failed') run.failed.push(change.ref.itemId)
  }

  async inventory(title: string, config: Record<string, unknown> = {}): Promise<ItemRef[]> {
    const context = await this.context(config)
    const refs: ItemRef[] = []
    for await (const partition of asana.partitions(context)) {
      if (partition.title !== title || asana.inventory === undefined) continue
      for await (const ref of asana.inventory(partition, context)) refs.push(ref)
    }
    return refs
  }

  async read(ref: Omit<StoredRef, 'sourceType'>): Promise<SourceItem | undefined> {
    return asana.read({ sourceType: 'asana', ...ref }, await this.context())
  }
}

export async function bodyOf(item: SourceItem | undefined): Promise<string> {
  if (item === undefined) throw new Error('There is no such item')
  const body = typeof item.body === 'function' ? await item.body() : item.body
  if (typeof body !== 'string') throw new Error(`${item.itemId} has no text`)
  return body
}

/** The fake Asana, read by the real runner into the real memory. */
export class AsanaSync implements AsyncDisposable {
  readonly simulation: AsanaSimulation
  readonly #service: RunningService
  readonly #memoryId = randomUUID()
  /** Ids that were memorized, in order; of the last run. */
  readonly memorized: string[] = []

  static async open(service: RunningService): Promise<AsanaSync> {
    return new AsanaSync(await AsanaSimulation.open(), service)
  }

  private constructor(simulation: AsanaSimulation, service: RunningService) {
    this.simulation = simulation
    this.#service = service
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.simulation[Symbol.asyncDispose]()
    for (const itemId of (await this.held()).keys()) await this.#memory().forget({ itemId, sourceType: 'asana' })
  }

  /** Takes what changes at once, without a quiet period. */
  run(config: Record<string, unknown> = {}, { full = false } = {}): Promise<RunReport> {
    const { server } = this.simulation
    server.log.length = 0
    this.simulation.fake.pass(PAUSE_DAYS)
    this.memorized.length = 0
    const memory = this.#memory()
    const clock = Object.assign(() => this.simulation.fake.now, {
      advance: (ms: number) => this.simulation.fake.pass(ms / 86_400_000),
    })
    const environment = syncEnvironment({
      ledger: this.#service.store.ledger(this.#memoryId),
      memory: {
        ...memory,
        memorize: (upload) => {
          this.memorized.push(upload.itemId ?? '')
          return memory.memorize(upload)
        },
      },
      clock,
    })
    const whole = asana.manifest.config.parse(this.simulation.settings(config))
    const signal = new AbortController().signal
    return syncConnection({ connector: asana, config: whole }, environment, { signal, settle: false, full })
  }

  /** What the memory holds, by id. */
  async held(): Promise<Map<string, string>> {
    const memory = this.#memory()
    const found = new Map<string, string>()
    for (const { item_id: itemId } of (await memory.list({ sourceType: 'asana' })).files) {
      const { body } = await memory.download({ itemId, sourceType: 'asana' })
      found.set(itemId, Buffer.from(body).toString())
    }
    return found
  }

  #memory(): Memory {
    const { service, key } = this.#service
    return bindMemory(service, () => service.authenticate(key))
  }
}
