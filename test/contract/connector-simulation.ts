import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connector } from '../../src/connector/connector.ts'
import { renderDocument } from '../../src/connector/document.ts'
import type { Memory } from '../../src/domain/memory.ts'
import { bindMemory } from '../../src/service/bind-memory.ts'
import type { RunReport } from '../../src/sync/run-report.ts'
import { syncConnection } from '../../src/sync/sync-connection.ts'
import { connectorContext } from '../lib/connector-context.ts'
import { Crash, type Doomed, doomed } from '../lib/crashing.ts'
import { seededRandom } from '../lib/seeded-random.ts'
import { type RunningService, startService } from '../lib/start-service.ts'
import { syncEnvironment } from '../lib/sync-environment.ts'
import { type MovableClock, movableClock } from './store-contract.ts'

/** A connector in front of a fake server that changes, fails and forgets its cursors on demand. */
export interface SimulatedConnector extends AsyncDisposable {
  readonly connector: Connector
  /** As in config.yaml. */
  readonly config: Record<string, unknown>
  /** One change: something is added, edited, moved or deleted. */
  change(random: () => number): void | Promise<void>
  /** Lets some of the next requests fail: limits, 5xx, cut answers. */
  disturb(random: () => number): void
  /** Ends what `disturb` began. */
  calm(): void
  /** After this long a run has noticed everything; for sources that are compared in full now and then. */
  readonly noticedAfterMs?: number
  /** The source takes none of its cursors any more. */
  loseCursors?(): void
  /** Whether an item that the source does not show any more may be held; absent: where the manifest keeps what vanishes. */
  mayStay?(itemId: string): boolean
}

const ROUNDS = Number(process.env.RECALLD_TEST_SIMULATION_ROUNDS ?? 8)
const ROUNDS_TO_REST = 4
const FIRST_SEED = Number(process.env.RECALLD_TEST_SIMULATION_SEED ?? 1)
/** One is quick enough for every change; CI looks at two. */
const SEEDS = process.env.CI ? [FIRST_SEED, FIRST_SEED + 1] : [FIRST_SEED]
const MINUTE = 60_000
const BEGIN = Date.parse('2026-11-01T12:00:00Z')

/**
 * The fake server changes and fails at random, and the process that reads it ends at random calls. When faults stop, the memory
 * holds exactly what a full scan of the source would give, and a further run does nothing.
 *
 * @param open a fake server at the time of the clock, which is that of all runs too
 */
export function describeConnectorSimulation(
  name: string,
  open: (clock: MovableClock) => Promise<SimulatedConnector>,
): void {
  describe(`${name}, with crashes and faults at random`, () => {
    const clock = movableClock(BEGIN)
    let service: RunningService
    beforeAll(async () => {
      service = await startService({ work: false, clock })
    })
    afterAll(() => service.stop())

    test.each(SEEDS)('is remembered as its source is, in the end (seed %i)', async (seed) => {
      await using fake = await open(clock)
      await new ConnectorSimulation({ fake, service, clock, seed }).run()
    })
  })
}

interface SimulationParts {
  readonly fake: SimulatedConnector
  readonly service: RunningService
  readonly clock: MovableClock
  readonly seed: number
}

class ConnectorSimulation {
  readonly #fake: SimulatedConnector
  readonly #service: RunningService
  readonly #clock: MovableClock
  readonly #random: () => number
  readonly #memory: Memory
  readonly #memoryId = randomUUID()

  constructor({ fake, service, clock, seed }: SimulationParts) {
    this.#fake = fake
    this.#service = service
    this.#clock = clock
    this.#random = seededRandom(seed)
    this.#memory = bindMemory(service.service, () => service.service.authenticate(service.key))
  }

  async run(): Promise<void> {
    try {
      for (let round = 1; round <= ROUNDS; round++) {
        for (let n = Math.floor(this.#random() * 4); n > 0; n--) await this.#fake.change(this.#random)
        if (this.#random() < 0.6) this.#fake.disturb(this.#random)
        if (this.#random() < 0.15) this.#fake.loseCursors?.()
        await this.#runOnce(this.#process())
        this.#fake.calm()
        this.#clock.advance(this.#random() * 40 * MINUTE)
        // Often, because the next full scan would repair most earlier errors.
        if (round % ROUNDS_TO_REST === 0 || round === ROUNDS) await this.#comeToRest(round)
      }
    } finally {
      // The service is shared by all seeds.
      for (const [key] of await this.#held()) {
        const [sourceType, itemId = ''] = key.split('\n')
        await this.#memory.forget({ sourceType: sourceType as 'text', itemId })
      }
    }
  }

  async #comeToRest(round: number): Promise<void> {
    const { inventoryEveryMs, quietPeriodMs } = this.#fake.connector.manifest
    const { noticedAfterMs = 26 * 60 * MINUTE } = this.#fake
    for (let n = 0; n < 2; n++) {
      this.#clock.advance(Math.max(noticedAfterMs, inventoryEveryMs + MINUTE, quietPeriodMs + MINUTE))
      await this.#service.store.ledger(this.#memoryId).retryItems()
      await this.#runOnce()
    }
    const expected = await this.#whatASourceHolds()
    const held = new Map([...(await this.#held())].filter(([key]) => expected.has(key) || !this.#mayStay(key)))
    expect([...held.keys()], `round ${round}`).toEqual([...expected.keys()])
    expect(held, `round ${round}`).toEqual(expected)
    const { report, memorized } = await this.#runOnce()
    expect({ memorized, outcome: report?.outcome, problem: report?.problem }).toEqual({ memorized: 0, outcome: 'ok' })
  }

  #mayStay(key: string): boolean {
    const itemId = key.slice(key.indexOf('\n') + 1)
    return this.#fake.mayStay?.(itemId) ?? this.#fake.connector.manifest.vanished === 'keep'
  }

  /** A crash comes anywhere in a run, often at what matters most, or not at all. */
  #process(): Doomed {
    const after = this.#random() < 0.5
    const dice = this.#random()
    const within = (most: number) => 1 + Math.floor(this.#random() * most)
    if (dice < 0.25) return doomed(within(60), after)
    if (dice < 0.5) return doomed(within(8), after, ['commit'])
    if (dice < 0.7) return doomed(within(4), after, ['memorize', 'forget'])
    return doomed(Number.POSITIVE_INFINITY, after)
  }

  async #runOnce(dying?: Doomed) {
    const process = dying ?? doomed(Number.POSITIVE_INFINITY, false)
    const { connector, config } = this.#fake
    const clock = this.#clock
    let memorized = 0
    const counting: Memory = {
      ...this.#memory,
      memorize: (upload) => {
        memorized++
        return this.#memory.memorize(upload)
      },
    }
    const environment = syncEnvironment({
      ledger: process.wrap(this.#service.store.ledger(this.#memoryId)),
      memory: process.wrap(counting),
      clock,
      random: this.#random,
    })
    const options = {
      signal: new AbortController().signal,
      settle: this.#random() < 0.5,
      // Others wait: it ends at its first checkpoint.
      ...(dying !== undefined && this.#random() < 0.3 && { yieldSignal: AbortSignal.abort() }),
    }
    let report: RunReport | undefined
    try {
      report = await syncConnection(
        { connector, config: connector.manifest.config.parse(config) },
        environment,
        options,
      )
    } catch (error) {
      if (!(error instanceof Crash)) throw error
      // Long enough for its lease to run out.
      clock.advance(MINUTE)
    }
    await process.drained()
    return { report, memorized }
  }

  /** By an undisturbed full scan. */
  async #whatASourceHolds(): Promise<Map<string, string>> {
    const { connector, config } = this.#fake
    const clock = this.#clock
    const context = await connectorContext(connector, config, { clock, timeZone: 'Europe/Berlin' })
    const held = new Map<string, string>()
    for await (const partition of connector.partitions(context)) {
      for await (const change of connector.changes(partition, undefined, context)) {
        if (change.type !== 'item') continue
        const { item } = change
        const body = typeof item.body === 'function' ? await item.body() : item.body
        if (body === undefined) continue
        held.set(`${item.sourceType}\n${item.itemId}`, Buffer.from(renderDocument(item, body).bytes).toString('latin1'))
      }
    }
    return inOrder(held)
  }

  async #held(): Promise<Map<string, string>> {
    const held = new Map<string, string>()
    for (const sourceType of this.#fake.connector.manifest.sourceTypes) {
      const { files } = await this.#memory.list({ sourceType, limit: 10_000 })
      for (const { item_id: itemId } of files) {
        const { body } = await this.#memory.download({ itemId, sourceType })
        held.set(`${sourceType}\n${itemId}`, Buffer.from(body).toString('latin1'))
      }
    }
    return inOrder(held)
  }
}

function inOrder(entries: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
}
