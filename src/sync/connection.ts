import type { Grants } from '../connector/access-grant.ts'
import type { ConnectionConfig, Connector, SourceMachine } from '../connector/connector.ts'
import type { Memory } from '../domain/memory.ts'
import type { RetentionDays } from '../domain/retention.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import type { Ledger, RunReason } from '../store/ledger/ledger.ts'
import type { SyncProgress } from './run-report.ts'

/** A connector with one entry of the configuration. */
export interface Connection {
  readonly connector: Connector
  /** Parsed by the schema of the connector's manifest. */
  readonly config: ConnectionConfig
}

/** What runs of connections work with; made once by the composition root. */
export interface SyncEnvironment {
  readonly ledger: Ledger
  readonly memory: Memory
  readonly userName: string
  readonly timeZone: string
  readonly grants: Grants
  readonly machine: SourceMachine
  readonly clock: Clock
  readonly log: Log
  /** Absent: nobody reads how runs go but in their reports. */
  readonly telemetry?: Telemetry
  /** Names this process in leases. */
  readonly holder: string
  /** Resolves after this time, at once when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** In [0, 1); for jitter. */
  readonly random: () => number
  /** Kinds of secrets in a text with their number, for dry runs. */
  readonly countSecrets: (text: string) => Readonly<Record<string, number>>
  /** Longest pause that a run waits for a rate limit; when it is longer, the run ends `waiting`. */
  readonly patienceMs: number
  /** What is older than this is not taken. */
  readonly retention?: RetentionDays
}

export interface RunOptions {
  readonly signal: AbortSignal
  /** Every partition is walked from its beginning and compared. */
  readonly full?: boolean
  /** Changed items wait for their quiet period; without, all is taken now. */
  readonly settle?: boolean
  /** Runs only when no other process has for the same reason; absent: in any case. */
  readonly because?: RunReason | undefined
  readonly onProgress?: (progress: SyncProgress) => void
}
