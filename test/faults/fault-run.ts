import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom } from '../lib/seeded-random.ts'
import { AnswerCounts } from './answer-counts.ts'
import { ClientCalls } from './client-calls.ts'
import { openFaultCluster } from './fault-cluster.ts'
import { FaultInjector } from './fault-injector.ts'
import { finalFindings } from './final-checks.ts'
import { LoopbackNetwork } from './loopback-network.ts'
import type { RunNetwork } from './run-network.ts'
import { UploadingClient } from './uploading-client.ts'

const CLIENTS = 4

export interface FaultReport {
  readonly seconds: number
  readonly faults: Readonly<Record<string, number>>
  /** By what was asked and the status of the answer. */
  readonly answers: Readonly<Record<string, number>>
  /** Wrong answers while faults were injected, and processes that ended by themselves. */
  readonly violations: readonly string[]
  /** What was wrong afterwards. */
  readonly findings: readonly string[]
}

export interface FaultRunOptions {
  readonly seed: number
  readonly seconds: number
  /** Loopback when absent. Ended with the run. */
  readonly network?: RunNetwork
  /** Whether items are on several servers, with Citus. */
  readonly onCitus?: boolean
  /** Kinds of faults; all when empty. */
  readonly kinds?: readonly string[]
  readonly tell?: (sentence: string) => void
  /** Looks at the folder with the logs before it is removed. */
  readonly keep?: (folder: string) => void
}

/** Clients upload, replace, delete, list, recall and download while things break; then everything is healed and checked. */
export async function faultRun({
  seed,
  seconds,
  network,
  onCitus = false,
  kinds = [],
  tell,
  keep,
}: FaultRunOptions): Promise<FaultReport> {
  const random = seededRandom(seed)
  const say = tell ?? (() => undefined)
  await using cluster = await openFaultCluster(network ?? new LoopbackNetwork(), onCitus)
  const counts = new AnswerCounts()
  const addresses = cluster.processes.filter(({ role }) => role === 'api').map(({ address }) => address)
  const calls = new ClientCalls(addresses, cluster.key, counts, Math.random)
  const names = Array.from({ length: CLIENTS }, (_, client) => `person-${client}`)
  const clients = names.map((name, n) => new UploadingClient(name, calls, counts, seededRandom(seed + 1 + n)))
  let isOver = false
  const acting = clients.map(async (client) => {
    for (; !isOver; await delay(50)) await client.act()
  })
  const changing = (async () => {
    for (const chance = seededRandom(seed + 100); !isOver; await delay(1_000)) cluster.sources.change(chance)
  })()
  const injector = new FaultInjector(cluster, random, kinds, say)
  await injector.run(Date.now() + seconds * 1_000)
  say('everything is healed')
  isOver = true
  await Promise.all([...acting, changing])
  calls.end()
  const findings = await finalFindings(cluster, clients)
  keep?.(cluster.folder)
  return {
    seconds,
    faults: Object.fromEntries(injector.injected),
    answers: Object.fromEntries([...counts.byStatus].sort()),
    violations: [...counts.violations, ...cluster.processes.flatMap(({ unasked }) => unasked)],
    findings,
  }
}
