import type { Readable } from 'node:stream'
import type {
  EmbeddedVectors,
  EmbeddingModelChoice,
  EmbeddingModelTrial,
  LanguageModelChoice,
  ModelsOverview,
  ModelTrial,
  ModelTrials,
  RerankerChoice,
  RerankerTrial,
  ServerOverview,
} from '../http/app/schemas/settings.ts'

/** What the app shows of this server and does with it, independent of an account. */
export interface SettingsService {
  models(viewer: { readonly isAdmin: boolean }): Promise<ModelsOverview>
  /** Tests the built-in model and the configured ones; concurrent callers get the same result. */
  testModels(): Promise<ModelTrials>
  /**
   * Tests a language model; one that works is written to config.yaml and used at once. One with a problem changes
   * nothing. @throws AppError `invalid` for settings that don't fit, `conflict` when config.yaml can't be changed
   */
  chooseLanguageModel(choice: LanguageModelChoice): Promise<ModelTrial>
  /**
   * Switches back to the built-in rules and quotations.
   *
   * @throws AppError `conflict` when config.yaml can't be changed
   */
  removeLanguageModel(): Promise<void>
  /** Tests an embedding model with sample sentences, and estimates what a change to it takes. */
  testEmbeddingModel(choice: EmbeddingModelChoice): Promise<EmbeddingModelTrial>
  /**
   * Tests an embedding model; one that works is written to config.yaml, and the memory is embedded with it. The built-in
   * model is used meanwhile. @throws AppError as `chooseLanguageModel`
   */
  chooseEmbeddingModel(choice: EmbeddingModelChoice): Promise<EmbeddingModelTrial>
  /** What `removeEmbeddingModel` deletes. */
  embeddedVectors(): Promise<EmbeddedVectors>
  /**
   * Switches back to the built-in model.
   *
   * @throws AppError `not_found`, `conflict`
   */
  removeEmbeddingModel(): Promise<void>
  /**
   * Tests a reranker; one that works is written to config.yaml and used at once.
   * @throws AppError as `chooseLanguageModel`
   */
  chooseReranker(choice: RerankerChoice): Promise<RerankerTrial>
  /** Begins to add a local model. @throws AppError `not_found`, `conflict` */
  addLocalModel(name: string): void
  /** Stops offering a local model on the first page. @throws AppError `not_found` */
  declineLocalModel(name: string): void
  /** Removes a local model. @throws AppError `not_found`, `conflict` */
  removeLocalModel(name: string): Promise<void>
  server(viewer: { readonly isAdmin: boolean }): Promise<ServerOverview>
  /** Whether the command line, connectors and agents of this home use it. */
  isHomeAccount(accountId: string): Promise<boolean>
  /**
   * Copies the database. The copy is deleted after its download, when no download starts within a minute, and when the
   * service ends. Rejects with `conflict` while another one is in progress.
   * @returns `token`, which opens it once, for this person
   */
  makeBackup(personId: string): Promise<{ readonly token: string; readonly fileName: string; readonly bytes: number }>
  /** Rejects with `not_found` when the token is not for a copy of this person. */
  openBackup(ref: { readonly personId: string; readonly token: string }): Promise<BackupDownload>
}

export interface BackupDownload {
  readonly fileName: string
  readonly bytes: number
  /** The copy is deleted with it, also when it is destroyed. */
  readonly stream: Readable
}
