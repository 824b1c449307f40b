import { createHash } from 'node:crypto'
import type { Grants } from '../connector/access-grant.ts'
import type { ConnectionConfig, Connector, PushedRef, SourceMachine } from '../connector/connector.ts'
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

/** The environment of runs; created once by the composition root. */
export interface SyncEnvironment {
  readonly ledger: Ledger
  readonly memory: Memory
  readonly userName: string
  readonly timeZone: string
  readonly grants: Grants
  readonly machine: SourceMachine
  readonly clock: Clock
  readonly log: Log
  /** Absent: only the report describes the run. */
  readonly telemetry?: Telemetry
  /** Names this process in leases. */
  readonly holder: string
  /** Resolves after this time, at once when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** In [0, 1); for jitter. */
  readonly random: () => number
  /** Counts secrets in a text by kind, for previews. */
  readonly countSecrets: (text: string) => Readonly<Record<string, number>>
  /** Longest wait for a rate limit; beyond it, the run ends `waiting`. */
  readonly patienceMs: number
  /** Older content is not read. */
  readonly retention?: RetentionDays
}

export interface RunOptions {
  readonly signal: AbortSignal
  /** Every partition is scanned from its start and compared. */
  readonly full?: boolean
  /** Changed items wait for their quiet period; otherwise everything is read now. */
  readonly settle?: boolean
  /** Runs only if no other process has run it for the same reason; absent: in any case. */
  readonly because?: RunReason | undefined
  readonly onProgress?: (progress: SyncProgress) => void
  /** Only these items are read, and what is due; nothing is listed. */
  readonly pushed?: readonly PushedRef[]
  /** Aborted when others wait: the run ends at its next checkpoint, and continues when it is due again. */
  readonly yieldSignal?: AbortSignal
}

/** A connection as the ledger and messages name it. */
export function connectionName({ connector, config }: Connection): ConnectionName {
  return { connector: connector.manifest.id, name: config.name }
}

/** The cron expression of a connection. */
export function scheduleOf({ connector, config }: Connection): string {
  const { schedule, listening } = connector.manifest
  return config.schedule ?? (listening?.isOn(config) ? listening.schedule : schedule)
}

const STAMP_DIGITS = 8

/** The settings that select and shape items; when they change, everything is compared again. */
export interface Selection {
  readonly hash: string
  /**
   * A revision as stored in the ledger: it includes the selection and the connector version, because others may create
   * a different document from the same revision.
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
