import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRestMemory } from '../../src/client/rest-memory.ts'
import { AppError } from '../../src/domain/errors.ts'
import type { Memory } from '../../src/domain/memory.ts'
import { bindMemory } from '../../src/service/bind-memory.ts'
import type { Ledger } from '../../src/store/ledger/ledger.ts'
import type { RunReport } from '../../src/sync/run-report.ts'
import { syncConnection } from '../../src/sync/sync-connection.ts'
import { type MovableClock, movableClock } from '../contract/store-contract.ts'
import { startPlainMemoryServer } from '../fakes/plain-memory-server.ts'
import { Crash, type Doomed, doomed } from '../lib/crashing.ts'
import { MadeUpSource } from '../lib/made-up-source.ts'
import { seededRandom } from '../lib/seeded-random.ts'
import { type RunningService, startService } from '../lib/start-service.ts'
import { syncEnvironment } from '../lib/sync-environment.ts'

/** Rounds of every simulation; more of them, and other seeds, look further. */
const ROUNDS = Number(process.env.RECALLD_TEST_SIMULATION_ROUNDS ?? 8)
const ROUNDS_TO_REST = 6
const FIRST_SEED = Number(process.env.RECALLD_TEST_SIMULATION_SEED ?? 1)
const SEEDS = [FIRST_SEED, FIRST_SEED + 1]
const MINUTE = 60_000
const MEMORY_WRITES = ['memorize', 'forget']

interface MemoryUnderTest extends AsyncDisposable {
  readonly memory: Memory
  readonly ledger: Ledger
}

/**
 * A source changes, fails and limits at random, and the process that synchronizes it ends at random calls, before or after
 * they took effect. Whatever happened: when peace comes, the memory holds what the source holds.
 */
describe('synchronization, with crashes and faults at random', () => {
  const clock = movableClock()
  let running: RunningService
  beforeAll(async () => {
    running = await startService({ work: false, clock })
  })
  afterAll(() => running.stop())

  async function account(): Promise<{ key: string; ledger: Ledger }> {
    const { key, accountId } = await running.service.accounts.create({ name: 'Ada', userName: 'Ada Lovelace' })
    return { key, ledger: running.store.ledger(`account:${accountId}`) }
  }
  const memories: Record<string, () => Promise<MemoryUnderTest>> = {
    'the service in process': async () => {
      const { key, ledger } = await account()
      const memory = bindMemory(running.service, () => running.service.authenticate(key))
      return { memory, ledger, [Symbol.asyncDispose]: () => Promise.resolve() }
    },
    'the REST client': async () => {
      const { key, ledger } = await account()
      const memory = createRestMemory({ baseUrl: running.baseUrl, apiKey: key })
      return { memory, ledger, [Symbol.asyncDispose]: () => memory.close() }
    },
    'a server without on_conflict': async () => {
      await using stack = new AsyncDisposableStack()
      const { baseUrl } = stack.use(await startPlainMemoryServer())
      const { ledger } = await account()
      const memory = createRestMemory({ baseUrl, apiKey: 'rk_x' })
      stack.defer(() => memory.close())
      const opened = stack.move()
      return { memory, ledger, [Symbol.asyncDispose]: () => opened.disposeAsync() }
    },
  }
  const cases = Object.keys(memories).flatMap((name) =>
    (['feed', 'inventory'] as const).flatMap((kind) => SEEDS.map((seed) => [name, kind, seed] as const)),
  )

  test.each(cases)(
    '%s holds in the end what a source with %s holds (seed %i)',
    async (name, kind, seed) => {
      await using target = await memories[name]!()
      await new Simulation(target, kind, seed, clock).run()
    },
    20_000 + ROUNDS * 1_000,
  )
})

class Simulation {
  readonly #target: MemoryUnderTest
  readonly #source: MadeUpSource
  readonly #random: () => number
  readonly #clock: MovableClock
  /** Deleted from the memory by hand: they must not come back. */
  readonly #forgotten = new Set<string>()

  constructor(target: MemoryUnderTest, kind: 'feed' | 'inventory', seed: number, clock: MovableClock) {
    this.#target = target
    this.#random = seededRandom(seed)
    this.#clock = clock
    this.#source = new MadeUpSource(kind, this.#random, clock)
  }

  async run(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      for (let n = Math.floor(this.#random() * 6); n > 0; n--) this.#source.change()
      this.#source.unrest = this.#random() < 0.7 ? this.#random() * 0.1 : 0
      await this.#runOnce()
      if (this.#random() < 0.1) await this.#forgetByHand()
      this.#clock.advance(this.#random() * 40 * MINUTE)
      // Often, because the next full scan would repair most earlier errors.
      if ((round + 1) % ROUNDS_TO_REST === 0 || round + 1 === ROUNDS) await this.#comeToRest()
    }
  }

  /** Peace: what failed is tried again, and what settles has settled. Nothing is left to do then. */
  async #comeToRest(): Promise<void> {
    this.#source.unrest = 0
    for (let n = 0; n < 2; n++) {
      this.#clock.advance(26 * 60 * MINUTE)
      await this.#target.ledger.retryItems()
      await this.#runOnce(true)
    }
    this.#expectEqual(await this.#held())
    const { report, memorized } = await this.#runOnce(true)
    expect({ memorized, outcome: report?.outcome }).toEqual({ memorized: 0, outcome: 'ok' })
  }

  /** A crash comes anywhere in a run, often at what matters most, or not at all. */
  #process(): Doomed {
    const after = this.#random() < 0.5
    const dice = this.#random()
    const within = (most: number) => 1 + Math.floor(this.#random() * most)
    if (dice < 0.25) return doomed(within(60), after)
    if (dice < 0.5) return doomed(within(8), after, ['commit'])
    if (dice < 0.75) return doomed(within(4), after, MEMORY_WRITES)
    return doomed(Number.POSITIVE_INFINITY, after)
  }

  async #runOnce(peace = false): Promise<{ report: RunReport | undefined; memorized: number }> {
    const process = peace ? doomed(Number.POSITIVE_INFINITY, false) : this.#process()
    let memorized = 0
    const { memory } = this.#target
    const counting: Memory = {
      memorize: (upload) => {
        memorized++
        return memory.memorize(upload)
      },
      recall: (...question) => memory.recall(...question),
      ask: (...question) => memory.ask(...question),
      recent: (query) => memory.recent(query),
      open: (query) => memory.open(query),
      list: (query) => memory.list(query),
      download: (item) => memory.download(item),
      forget: (item) => memory.forget(item),
    }
    const environment = syncEnvironment({
      ledger: process.wrap(this.#target.ledger),
      memory: process.wrap(counting, peace ? undefined : (call) => this.#memoryFault(call)),
      clock: this.#clock,
      random: this.#random,
    })
    const options = {
      signal: new AbortController().signal,
      full: !peace && this.#random() < 0.02,
      settle: this.#random() < 0.5,
      // Others wait: it ends at its first checkpoint.
      ...(!peace && this.#random() < 0.3 && { yieldSignal: AbortSignal.abort() }),
    }
    let report: RunReport | undefined
    try {
      report = await syncConnection(this.#source.connection(), environment, options)
    } catch (error) {
      if (!(error instanceof Crash)) throw error
      // Long enough for its lease to run out.
      this.#clock.advance(MINUTE)
    }
    await process.drained()
    return { report, memorized }
  }

  #memoryFault(call: string): { error: Error; after: boolean } | undefined {
    if (this.#random() >= this.#source.unrest * (MEMORY_WRITES.includes(call) ? 2 : 0.3)) return undefined
    const dice = this.#random()
    const after = this.#random() < 0.5
    if (dice < 0.5) return { error: new AppError('unavailable', 'Too busy', { retryAfterSeconds: 2 }), after }
    if (dice < 0.6) return { error: new AppError('rate_limited', 'Too often', { retryAfterSeconds: 900 }), after }
    return { error: new AppError('internal', 'Something broke'), after }
  }

  /** Of what the ledger knows for certain: what is on its way may arrive after it was deleted. */
  async #forgetByHand(): Promise<void> {
    const ids = [...(await this.#held()).keys()]
    const itemId = ids[Math.floor(this.#random() * ids.length)]
    if (itemId === undefined) return
    const rows = await this.#target.ledger.findItems([{ sourceType: 'text', itemId }])
    if ([...rows.values()][0]?.phase !== 'clean') return
    await this.#target.memory.forget({ sourceType: 'text', itemId })
    this.#forgotten.add(itemId)
  }

  #expectEqual(held: Map<string, string>): void {
    const contents = [...this.#source.contents()].map(([id, bytes]) => [id, new TextDecoder().decode(bytes)] as const)
    // Deleted by hand and removed at its source, with a crash while its removal was under way: who deleted it cannot be
    // told, so when the source has it again it may come back.
    const mayBeBack = (id: string) => this.#source.away.has(id) && held.has(id)
    const expected = contents.filter(([id]) => !this.#forgotten.has(id) || mayBeBack(id))
    expect(held).toEqual(inOrder(expected))
  }

  async #held(): Promise<Map<string, string>> {
    const { files } = await this.#target.memory.list({ sourceType: 'text', limit: 10_000 })
    const held = files.map(async ({ item_id: itemId }): Promise<[string, string]> => {
      const { body } = await this.#target.memory.download({ itemId, sourceType: 'text' })
      return [itemId, new TextDecoder().decode(body)]
    })
    return inOrder(await Promise.all(held))
  }
}

function inOrder(entries: readonly (readonly [string, string])[]): Map<string, string> {
  return new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
}
