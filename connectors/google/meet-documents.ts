import type { Clock, Log } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { DriveFile } from './drive-answers.ts'
import { DriveApi } from './drive-api.ts'
import { documentText } from './gdocs-text.ts'
import type { GoogleGateway } from './google-gateway.ts'

/** The documents that Meet saves to Drive, if the grant covers Drive. */
export class MeetDocuments {
  readonly #gateway: GoogleGateway
  readonly #api: DriveApi
  readonly #log: Log
  #isCovered = true

  static async open(gateway: GoogleGateway, clock: Clock, log: Log): Promise<MeetDocuments> {
    return new MeetDocuments(gateway, await DriveApi.open(gateway, clock), log)
  }

  private constructor(gateway: GoogleGateway, api: DriveApi, log: Log) {
    this.#gateway = gateway
    this.#api = api
    this.#log = log
  }

  /** `undefined` when it does not exist or the grant does not cover it. */
  file(id: string): Promise<DriveFile | undefined> {
    return this.#covered(() => this.#api.visibleFile(id))
  }

  text(file: DriveFile): Promise<string | undefined> {
    return this.#covered(() => documentText({ gateway: this.#gateway, api: this.#api }, file))
  }

  /** Documents are optional: after the first missing scope, no more are requested. */
  async #covered<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
    if (!this.#isCovered) return undefined
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof SourceError) || (error.remedy !== 'reconfigure' && error.remedy !== 'skip')) throw error
      if (error.remedy === 'reconfigure') this.#isCovered = false
      // Only the remedy is logged, because the message contains the document's name.
      this.#log.info({ remedy: error.remedy }, 'a meeting document was skipped')
      return undefined
    }
  }
}
