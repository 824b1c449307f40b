import { createHash } from 'node:crypto'
import type { HomeFiles } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import type { OAuthProvider } from '../connector/oauth-provider.ts'
import { AppError } from '../domain/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Viewer } from '../service/principal.ts'
import type { Service } from '../service/service.ts'
import type { ConnectionName, Ledger } from '../store/ledger/ledger.ts'
import { type Connection, connectionName, type SyncEnvironment, scheduleOf, selectionOf } from '../sync/connection.ts'
import type { WantedRun } from '../sync/scheduler.ts'
import type { ConnectorRegistry } from './configured-connections.ts'
import type { ImportFiles } from './imports/import-files.ts'
import type { Consents } from './oauth/consents.ts'
import type { OAuthGrants } from './oauth/oauth-grants.ts'
import type { LiveRuns } from './run-activity.ts'
import type { SourceSettings } from './source-settings.ts'
import type { RunningScheduler } from './start-scheduler.ts'

/** The memory that the connections of this home write to, and the environment of runs. */
export interface SourcesHome {
  /** Absent for another service. */
  readonly accountId: string | undefined
  readonly environment: SyncEnvironment
  readonly grants: OAuthGrants
  readonly consents: Consents
  readonly runs: LiveRuns
  readonly shared: SharedConnections
}

/** Shared by the web app's services for sources and grants. */
export interface SourcesContext {
  readonly config: Config
  readonly files: HomeFiles
  readonly service: Service
  readonly log: Log
  readonly registry: ConnectorRegistry
  providers(): Promise<readonly OAuthProvider[]>
  readonly settings: SourceSettings
  readonly imports: ImportFiles
  /** Opened on first use. @throws AppError `conflict` when there is no memory to write to */
  home(): Promise<SourcesHome>
  /** The scheduler of this process; `undefined` if another process has the role, or it has not started yet. */
  scheduler(): RunningScheduler | undefined
  /**
   * Requests a run of a connection: here, or in the process with the scheduler role, which polls for requests every few
   * seconds. `again` as for `Scheduler.runNow`. `false`: this process does not run it.
   */
  runSoon(name: ConnectionName, run: WantedRun): Promise<boolean>
  /** Aborted when the process ends. */
  readonly stopping: AbortSignal
  /** Whether this process has the scheduler role. */
  readonly runsHere: boolean
  /** Reloads config.yaml, applies it, and publishes the change. */
  reload(): Promise<void>
  /** Runs changes one after the other: each starts from the result of the previous one. */
  serialize<T>(work: () => Promise<T>): Promise<T>
  /** Publishes to the app that the sources of the account have changed. */
  publish(): Promise<void>
}

/** Shown when another account than the synced one is selected. */
export const OTHER_ACCOUNT = 'Sources on this server sync into a different account.'

/** @throws AppError `forbidden` when the viewer has selected another account than the one that connections write to */
export async function homeOf(context: SourcesContext, { principal }: Viewer): Promise<SourcesHome> {
  const home = await context.home()
  if (home.accountId === principal.accountId) return home
  throw new AppError('forbidden', OTHER_ACCOUNT)
}

export function idOf({ connector, name }: ConnectionName): string {
  return `${connector}/${name}`
}

export function isOf(one: ConnectionName, other: ConnectionName): boolean {
  return one.connector === other.connector && one.name === other.name
}

/** Why this person cannot change sources here. */
export function lockedReason({ settings }: SourcesContext, { isAdmin }: Viewer): string | undefined {
  if (!isAdmin) return 'Only administrators can connect and change sources.'
  return settings.lockedReason()
}

/** The connections that the schedulers of a ledger run, to detect processes with different config.yaml files. */
interface SharedConnections {
  /** Records what this process runs, and warns when another one runs something else. */
  note(connections: readonly Connection[]): Promise<void>
  /** Whether other connections are run than these. While nothing was ever run, nothing differs. */
  differFrom(connections: readonly Connection[]): Promise<boolean>
}

const FACT = 'connections'

export function sharedConnections(ledger: Pick<Ledger, 'readFact' | 'writeFact'>, log: Log): SharedConnections {
  let noted: string | undefined
  return {
    async note(connections) {
      const mine = digestOf(connections)
      const known = await ledger.readFact(FACT)
      // The previous record of this process was changed intentionally.
      if (known !== undefined && known !== mine && known !== noted) {
        log.warn(
          { connections: connections.length },
          'config.yaml names different connections than the process that synchronized last; use the same file everywhere',
        )
      }
      noted = mine
      if (known !== mine) await ledger.writeFact(FACT, mine)
    },
    async differFrom(connections) {
      const known = await ledger.readFact(FACT)
      return known !== undefined && known !== digestOf(connections)
    },
  }
}

/** A digest of names, schedules and selections, but not of tokens, which may differ. */
function digestOf(connections: readonly Connection[]): string {
  const all = connections.map((connection) => {
    const { connector, name } = connectionName(connection)
    const { paused = false } = connection.config
    return JSON.stringify([connector, name, scheduleOf(connection), paused, selectionOf(connection).hash])
  })
  return createHash('sha256').update(all.sort().join('\n')).digest('hex').slice(0, 32)
}
