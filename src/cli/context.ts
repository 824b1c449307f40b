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
import type { EditableMemory } from '../domain/memory.ts'
import type { KnowingMemory } from '../domain/profile.ts'
import type { Machine } from '../lib/machine.ts'
import type { Io } from '../lib/terminal-text.ts'
import type { ModelTrial } from '../models/configured/try-models.ts'

/** Everything a command may use; made by src/main.ts, or by a test. */
export interface Context {
  readonly io: Io
  readonly machine: Machine
  readonly version: string
  /** By --home, RECALLD_HOME or the platform. Nothing is made or read by asking. */
  home(): HomeFiles
  /** @param flags settings typed on the command line, by name */
  config(flags?: Readonly<Record<string, string>>): Config
  /** Settings as if nothing were set, for another home. */
  defaultConfig(home: string): Config
  /** The service behind these credentials, else RECALLD_URL and RECALLD_API_KEY, else credentials.json. */
  memory(credentials?: Credentials): Promise<EditableMemory & KnowingMemory>
  /** Where the service is expected; for commands that only look. */
  serviceUrl(): string
  /** The database of this home, opened beside a service that may be running on it. `create`: made if there is none. */
  administration(options?: { readonly create?: boolean }): Promise<Administration>
  /**
   * The database servers that the settings name, looked at and left as they are; none where everything lies in the home.
   *
   * @throws AppError `unavailable` when the first one does not answer; a replica that does not has that as its problem
   */
  databaseServers(): Promise<readonly DatabaseServer[]>
  /** What is wrong with the built-in embedding model; `undefined` when it answers. */
  modelProblem(): Promise<string | undefined>
  /**
   * Tries each model that config.yaml names.
   *
   * @throws AppError `invalid` when what it says of them is wrong
   */
  tryModels(): Promise<readonly ModelTrial[]>
  /** Synchronization over the ledger of this home; into the service of this home, or the one named by RECALLD_URL. */
  sync(): Promise<SyncService>
  /** Photos that the person picks, for the connections of `photos` of this home. */
  photos(): Promise<PhotosService>
  /** The memory of this home with the embedding model that config.yaml names. */
  reindex(): Promise<ReindexService>
  /** The models of this home that run on this machine. */
  localModels(): Promise<LocalModels>
  /** Whether this home has a database. */
  hasMemory(): Promise<boolean>
  /** Whether a service of this home is running on this machine. */
  isServing(): boolean
  /** Answers the agent on standard input and output until it closes them, or `stop` is aborted. */
  serveMcp(config: Config, stop: AbortSignal): Promise<void>
  startApp(config: Config, start: AppStart): Promise<RunningApp>
  /** Puts a backup in the place of the home's database. */
  restore(backup: string): Promise<RestoreResult>
  /** Moves everything from the home's database to PostgreSQL or back. */
  migrateStore(request: MigrationRequest): Promise<MigrationReport>
  /** Resolves with the name of the first signal that asks the process to stop. */
  stopRequested(): Promise<string>
}
