import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { S3Fault } from '../fakes/s3-server.ts'
import { oneOf } from '../lib/seeded-random.ts'
import type { FaultCluster } from './fault-cluster.ts'
import type { Pause } from './run-network.ts'

type Fault = (cluster: FaultCluster, random: () => number, pause: Pause) => Promise<void>

const S3_FAULTS: readonly S3Fault[] = ['busy', 'reset', 'answer lost', 'silent', 'cut off', 'stalled', 'denied']
/** From the beginning of one fault to that of the next. */
const LONGEST_STEP_MS = 7_000
const SHIFTS_MS = [-86_400_000, -3_600_000, -45_000, 45_000, 3_600_000, 86_400_000]

/** Each ends with what it broke whole again. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'process killed': async ({ processes }, random) => oneOf(random, processes).kill(),
  'process suspended': async ({ processes }, random, pause) => {
    const one = oneOf(random, processes)
    one.pause()
    await pause(random() * 25_000)
    one.go()
  },
  'database cut off as by a power cut': ({ postgres }) => postgres.restart('immediate'),
  'database stopped for a while': async ({ postgres }, _random, pause) => {
    await postgres.stop('fast')
    await pause(10_000)
    await postgres.start()
  },
  'connections of the database ended': async ({ postgres }, random) => endConnections(postgres.url, random()),
  'connections of the database used up': async ({ postgres }, random, pause) => {
    const taken = takeAll(postgres.url)
    await endConnections(postgres.url, 0.5 + random() / 2)
    const clients = await taken
    await pause(3_000 + random() * 5_000)
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  },
  'storage out of order': async ({ trouble }, random, pause) => {
    trouble({ fault: oneOf(random, S3_FAULTS), share: random() < 0.5 ? 1 : 0.4 })
    await pause(2_000 + random() * 8_000)
    trouble({ fault: undefined, share: 0 })
  },
  'clock wrong': async ({ processes }, random, pause) => {
    const one = oneOf(
      random,
      processes.filter(({ role }) => role !== 'api'),
    )
    one.setClock(oneOf(random, SHIFTS_MS))
    await pause(5_000 + random() * 10_000)
    one.setClock(0)
  },
}

/** What begins with "database" is done to one of its servers at a time. */
const ON_CITUS: Readonly<Record<string, Fault>> = {
  'database worker of Citus killed': async ({ citus }, random, pause) => {
    if (citus === undefined) return
    const worker = oneOf(random, citus.workers)
    await worker.stop('immediate')
    await pause(random() * 15_000)
    await worker.start()
  },
}

/** @param share of those that recalld has */
async function endConnections(url: string, share: number): Promise<void> {
  await withClient(url, (client) =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name like 'recalld%' and random() < ${share}`,
    ),
  )
}

async function withClient(url: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'test' })
  // The database may be away by another fault, or go away meanwhile.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await use(client)
  } catch (error) {
    if (!(error instanceof Error)) throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** For two seconds, whatever becomes free. */
async function takeAll(url: string): Promise<pg.Client[]> {
  const clients: pg.Client[] = []
  const end = Date.now() + 2_000
  while (Date.now() < end) {
    const client = new pg.Client({ connectionString: url, application_name: 'test' })
    client.on('error', () => undefined)
    const isTaken = await client.connect().then(
      () => true,
      () => false,
    )
    if (isTaken) clients.push(client)
    else await delay(20)
  }
  return clients
}

/** Breaks one thing after another, some while others are broken, always in the same order for one seed. */
export class FaultInjector {
  readonly injected = new Map<string, number>()
  readonly #cluster: FaultCluster
  readonly #random: () => number
  readonly #kinds: readonly string[]
  readonly #tell: (sentence: string) => void
  readonly #over = new AbortController()
  #left: string[] = []
  /** The database is one thing: what is done to it waits for what is done to it. */
  readonly #busy = new Map<string, Promise<void>>()

  constructor(cluster: FaultCluster, random: () => number, kinds: readonly string[], tell: (sentence: string) => void) {
    this.#cluster = cluster
    this.#random = random
    const more = [cluster.network.faults, cluster.neighbors?.faults ?? {}, cluster.citus === undefined ? {} : ON_CITUS]
    const known = [FAULTS, ...more].flatMap(Object.keys)
    const unknown = kinds.find((kind) => !known.includes(kind))
    if (unknown !== undefined) throw new RangeError(`there is no fault "${unknown}": ${known.join(', ')}`)
    this.#kinds = kinds.length === 0 ? known : kinds
    this.#tell = tell
  }

  /** Resolves when the time is over and everything is whole again. */
  async run(untilMs: number): Promise<void> {
    const over = setTimeout(() => this.#over.abort(), untilMs - Date.now())
    // A few times each, also when there is little time.
    const longest = Math.min(LONGEST_STEP_MS, (untilMs - Date.now()) / this.#kinds.length)
    while (Date.now() < untilMs) {
      const kind = this.#next()
      await this.#busy.get(this.#partOf(kind))
      if (Date.now() >= untilMs) break
      this.injected.set(kind, (this.injected.get(kind) ?? 0) + 1)
      this.#tell(kind)
      const done = this.#inject(kind)
      this.#busy.set(this.#partOf(kind), done)
      await Promise.race([done, delay(longest * (0.2 + 0.6 * this.#random()))])
      await delay(longest * 0.2 * this.#random())
    }
    clearTimeout(over)
    this.#over.abort()
    await Promise.all(this.#busy.values())
    await this.#heal()
  }

  /** Each kind once, in any order, then each once more. */
  #next(): string {
    if (this.#left.length === 0) this.#left = [...this.#kinds]
    const kind = oneOf(this.#random, this.#left)
    this.#left.splice(this.#left.indexOf(kind), 1)
    return kind
  }

  readonly #pause: Pause = (ms) => delay(ms, undefined, { signal: this.#over.signal }).catch(() => undefined)

  async #inject(kind: string): Promise<void> {
    const { network, neighbors, processes } = this.#cluster
    await neighbors?.faults[kind]?.(this.#random, this.#pause)
    await { ...FAULTS, ...ON_CITUS }[kind]?.(this.#cluster, this.#random, this.#pause)
    await network.faults[kind]?.(processes, this.#random, this.#pause)
  }

  #partOf(kind: string): string {
    return kind.startsWith('database') ? 'database' : kind.startsWith('storage') ? 'storage' : kind
  }

  async #heal(): Promise<void> {
    const { processes, network, trouble } = this.#cluster
    trouble({ fault: undefined, share: 0 })
    await network.heal()
    for (const one of processes) {
      one.go()
      one.setClock(0)
    }
  }
}
