import type {
  Administration,
  AppStart,
  DatabaseServer,
  RestoreResult,
  RunningApp,
} from '../administration/administration.ts'
import type { LocalModels } from '../administration/local-models.ts'
import type { MigrationReport, MigrationRequest } from '../administration/migrate-store.ts'
import type { ReindexService } from '../administration/reindex-contract.ts'
import type { Credentials } from '../config/credentials.ts'
import type { HomeFiles } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import type { PhotosService } from '../connections/photos-service.ts'
import type { SyncService } from '../connections/sync-service.ts'
import type { EditableMemory, TaggableMemory } from '../domain/memory.ts'
import type { NamingMemory } from '../domain/name-decision.ts'
import type { KnowingMemory } from '../domain/profile.ts'
import type { Machine } from '../lib/machine.ts'
import type { Io } from '../lib/terminal-text.ts'
import type { ModelTrial } from '../models/configured/try-models.ts'

/** The dependencies of commands; created by src/main.ts, or by a test. */
export interface Context {
  readonly io: Io
  readonly machine: Machine
  readonly version: string
  /** From --home, RECALLD_HOME or the platform. Reading it has no side effect. */
  home(): HomeFiles
  /** @param flags settings typed on the command line, by name */
  config(flags?: Readonly<Record<string, string>>): Config
  /** The default settings, for another home. */
  defaultConfig(home: string): Config
  /** The service with these credentials, otherwise RECALLD_URL and RECALLD_API_KEY, otherwise credentials.json. */
  memory(credentials?: Credentials): Promise<EditableMemory & KnowingMemory & NamingMemory & TaggableMemory>
  /** The expected address of the service, for commands that only check it. */
  serviceUrl(): string
  /** The database of this home, opened while a service may be running on it. `create`: created if missing. */
  administration(options?: { readonly create?: boolean }): Promise<Administration>
  /**
   * The state of the configured database servers, without changing them; none when everything is in the home.
   * @throws AppError `unavailable` when the primary does not respond; for a replica, that is reported as its problem
   */
  databaseServers(): Promise<readonly DatabaseServer[]>
  /** The problem of the built-in embedding model; `undefined` when it works. */
  modelProblem(): Promise<string | undefined>
  /**
   * Tests each model in config.yaml.
   * @throws AppError `invalid` when its settings are invalid
   */
  tryModels(): Promise<readonly ModelTrial[]>
  /** Synchronization with the ledger of this home; into the service of this home, or the one in RECALLD_URL. */
  sync(): Promise<SyncService>
  /** Picking photos, for the connections of `photos` of this home. */
  photos(): Promise<PhotosService>
  /** The memory of this home with the configured embedding model. */
  reindex(): Promise<ReindexService>
  /** The models of this home that run on this machine. */
  localModels(): Promise<LocalModels>
  /** Whether this home has a database. */
  hasMemory(): Promise<boolean>
  /** Whether a service of this home is running on this machine. */
  isServing(): boolean
  /** Serves the agent on standard input and output until it closes them, or `stop` is aborted. */
  serveMcp(config: Config, stop: AbortSignal): Promise<void>
  startApp(config: Config, start: AppStart): Promise<RunningApp>
  /** Replaces the home's database by a backup. */
  restore(backup: string): Promise<RestoreResult>
  /** Moves everything from the home's database to PostgreSQL or back. */
  migrateStore(request: MigrationRequest): Promise<MigrationReport>
  /** Resolves with the name of the first stop signal. */
  stopRequested(): Promise<string>
}
