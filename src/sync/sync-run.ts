import type { ConnectionConfig, Context, Manifest, Partition } from '../connector/connector.ts'
import type { ConnectionName, Ledger } from '../store/ledger/ledger.ts'
import type { RunOptions, SyncEnvironment } from './connection.ts'
import type { FailureMonitor } from './failure-monitor.ts'
import type { MemoryPort } from './memory-port.ts'
import type { Selection } from './selection.ts'
import type { Source } from './source.ts'
import type { Tally } from './tally.ts'

/** What reading needs. */
export interface Reading {
  readonly name: ConnectionName
  readonly manifest: Manifest
  readonly ledger: Ledger
  readonly environment: SyncEnvironment
  readonly options: RunOptions
  readonly source: Source
  readonly context: Context<ConnectionConfig>
  readonly selection: Selection
}

/** What decides about items; a preview has no memory but in name. */
export interface Evaluation extends Reading {
  readonly memory: Pick<MemoryPort, 'holds'>
}

/** What the steps of one run share. */
export interface SyncRun extends Evaluation {
  /** Aborted by the caller, and when the lease was lost. */
  readonly signal: AbortSignal
  readonly memory: MemoryPort
  readonly tally: Tally
  readonly monitor: FailureMonitor
}

/** Where items are met, and how. */
export interface Place {
  readonly partition: Partition
  /** Of the walk that sees them; 0 leaves what is known. */
  readonly walk: number
  /** They exist now, as in a complete walk; else they may be echoes of an overlap, older than a deletion. */
  readonly current: boolean
}
