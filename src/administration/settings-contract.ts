import type { Readable } from 'node:stream'
import type { ModelsOverview, ModelTrials, ServerOverview } from '../http/app/schemas/settings.ts'

/** What the app shows of this server and does with it that is not the business of one account. */
export interface SettingsService {
  models(viewer: { readonly isAdmin: boolean }): Promise<ModelsOverview>
  /** Tries the built-in model and each that is configured; who asks meanwhile gets the same result. */
  testModels(): Promise<ModelTrials>
  server(viewer: { readonly isAdmin: boolean }): Promise<ServerOverview>
  /** Whether it is the one that the command line, connectors and agents of this home use. */
  isHomeAccount(accountId: string): Promise<boolean>
  /**
   * Copies the database. The copy is gone when it was downloaded, when nobody began to within a minute, and when the
   * service ends. Rejects with `conflict` while another one is made or downloaded.
   *
   * @returns `token`, which opens it once, for this person
   */
  makeBackup(personId: string): Promise<{ readonly token: string; readonly fileName: string; readonly bytes: number }>
  /** Rejects with `not_found` when the token is not of a copy that waits for this person. */
  openBackup(ref: { readonly personId: string; readonly token: string }): Promise<BackupDownload>
}

export interface BackupDownload {
  readonly fileName: string
  readonly bytes: number
  /** The copy goes with it, also when it is destroyed. */
  readonly stream: Readable
}
