import { createHash } from 'node:crypto'
import type { Grants } from '../connector/access-grant.ts'
import type { ConnectionConfig, Connector, SourceMachine } from '../connector/connector.ts'
import type { Memory } from '../domain/memory.ts'
import type { RetentionDays } from '../domain/retention.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import type { ConnectionName, Ledger, RunReason } from '../store/ledger/ledger.ts'
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
  /** Absent: runs are only described in their reports. */
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
  /** Older content is not read. */
  readonly retention?: RetentionDays
}

export interface RunOptions {
  readonly signal: AbortSignal
  /** Every partition is scanned from its beginning and compared. */
  readonly full?: boolean
  /** Changed items wait for their quiet period; without, all is taken now. */
  readonly settle?: boolean
  /** Runs only when no other process has for the same reason; absent: in any case. */
  readonly because?: RunReason | undefined
  readonly onProgress?: (progress: SyncProgress) => void
}

/** A connection as the ledger and messages name it. */
export function connectionName({ connector, config }: Connection): ConnectionName {
  return { connector: connector.manifest.id, name: config.name }
}

/** The cron expression that a connection runs by. */
export function scheduleOf({ connector, config }: Connection): string {
  return config.schedule ?? connector.manifest.schedule
}

const STAMP_DIGITS = 8

/** The settings that select and shape items; when they change, everything is compared again. */
export interface Selection {
  readonly hash: string
  /**
   * A revision as the ledger keeps it: it holds for this selection only, because other settings or another version of
   * the connector can make another document of the same revision.
   */
  stamp(revision: string): string
  /** The revision in a stamp of any selection. */
  unstamp(stamped: string): string
}

export function selectionOf({ connector, config }: Connection): Selection {
  const { version } = connector.manifest
  const rules = JSON.stringify([version, connector.manifest.selection(config)])
  const hash = createHash('sha256').update(rules).digest('hex')
  const prefix = `${hash.slice(0, STAMP_DIGITS)}:`
  return {
    hash,
    stamp: (revision) => prefix + revision,
    unstamp: (stamped) => stamped.slice(prefix.length),
  }
}
