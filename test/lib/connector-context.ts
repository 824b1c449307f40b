import { tmpdir } from 'node:os'
import type { Grants } from '../../src/connector/access-grant.ts'
import type {
  Connector,
  Context,
  MemorizedItem,
  Requests,
  SourceAccount,
  SourceMachine,
} from '../../src/connector/connector.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { NO_GRANTS } from './no-grants.ts'
import { recordingLog } from './recording-log.ts'

export interface ContextOptions {
  readonly machine?: Partial<SourceMachine>
  readonly clock?: Clock
  readonly grants?: Grants
  readonly signal?: AbortSignal
  readonly timeZone?: string
  readonly userName?: string
  readonly memorized?: readonly MemorizedItem[]
  readonly knownPartitions?: readonly string[]
}

export interface TestContext<Config> extends Context<Config> {
  readonly requests: RecordedRequests
  /** What `warn` was given. */
  readonly warned: string[]
}

export interface RecordedRequests extends Requests {
  /** By api. */
  readonly sent: Map<string, number>
  readonly held: Map<string, Date>
  readonly spaced: Map<string, number>
}

/** A context as the runner gives it, but for the budget: each request is sent once and at once, and counted. */
export async function connectorContext(
  connector: Connector,
  config: Record<string, unknown>,
  options: ContextOptions = {},
): Promise<TestContext<ReturnType<Connector['manifest']['config']['parse']>>> {
  const signal = options.signal ?? new AbortController().signal
  const check = {
    config: connector.manifest.config.parse(config),
    clock: options.clock ?? (() => new Date()),
    log: recordingLog().log,
    signal,
    requests: recordedRequests(signal),
    grants: options.grants ?? NO_GRANTS,
    machine: {
      platform: 'linux',
      userHome: tmpdir(),
      env: {},
      temporaryFolder: tmpdir(),
      spoolFolder: tmpdir(),
      ...options.machine,
    },
    userName: options.userName ?? 'Ada Lovelace',
    timeZone: options.timeZone ?? 'UTC',
  }
  const account: SourceAccount = await connector.check(check)
  const warned: string[] = []
  return {
    ...check,
    account,
    knownPartitions: async () => (options.knownPartitions ?? []).map((id) => ({ id, title: `known ${id}` })),
    warned,
    warn: (message) => void warned.push(message),
    async *memorized({ since, until }) {
      for (const item of options.memorized ?? []) if (item.at >= since && item.at < until) yield item
    },
  }
}

function recordedRequests(signal: AbortSignal): RecordedRequests {
  const sent = new Map<string, number>()
  const held = new Map<string, Date>()
  const spaced = new Map<string, number>()
  return {
    sent,
    held,
    spaced,
    call(api, send) {
      sent.set(api, (sent.get(api) ?? 0) + 1)
      return send(signal)
    },
    async holdUntil(api, at) {
      held.set(api, at)
    },
    async spaceOut(api, intervalMs) {
      spaced.set(api, intervalMs)
    },
  }
}
