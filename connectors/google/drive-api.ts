import type { drive_v3, MethodOptions } from 'googleapis/build/src/apis/drive/index.js'
import { z } from 'zod'
import type { Clock } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import {
  aboutAnswer,
  changeList,
  commentList,
  type DriveComment,
  type DriveFile,
  driveFile,
  driveList,
  FILE_FIELDS,
  fileList,
  type SharedDrive,
  startToken,
} from './drive-answers.ts'
import { type GoogleRefusal, googleFailure } from './google-failure.ts'
import type { GoogleGateway, GoogleRequest } from './google-gateway.ts'

const TITLE = 'Google Drive'
/** Maximum page sizes (files.list, changes.list: 1,000; drives.list, comments.list: 100). */
const PAGE = 1000
const SMALL_PAGE = 100
/** Long enough for 20 MB at 300 kbit/s. */
const DOWNLOAD_MS = 10 * 60_000
const COMMENT_FIELDS =
  'nextPageToken,comments(author(displayName),content,createdTime,deleted,resolved,quotedFileContent(value),' +
  'replies(author(displayName),content,createdTime,deleted,action))'

/** Which files are listed: those of a shared drive, otherwise the person's. */
export interface DriveScope {
  readonly driveId?: string
}

export interface FilePage {
  readonly files: readonly DriveFile[]
  readonly nextPageToken?: string | undefined
  readonly incompleteSearch?: boolean | undefined
}

/** The requests to Google Drive, version 3. */
export class DriveApi {
  readonly #gateway: GoogleGateway
  readonly #drive: drive_v3.Drive
  readonly #clock: Clock

  static async open(gateway: GoogleGateway, clock: Clock): Promise<DriveApi> {
    const { drive } = await import('googleapis/build/src/apis/drive/index.js')
    return new DriveApi(gateway, drive({ version: 'v3', ...gateway.apiOptions }), clock)
  }

  private constructor(gateway: GoogleGateway, drive: drive_v3.Drive, clock: Clock) {
    this.#gateway = gateway
    this.#drive = drive
    this.#clock = clock
  }

  /** Whose Drive it is. */
  async user(): Promise<z.infer<typeof aboutAnswer>['user'] | undefined> {
    const fields = 'user(permissionId,emailAddress,displayName)'
    const about = await this.#gateway.find({
      title: TITLE,
      asked: 'the owner of the Drive',
      answer: aboutAnswer,
      send: (options) => this.#drive.about.get({ fields }, options),
    })
    return about?.user
  }

  async sharedDrives(): Promise<SharedDrive[]> {
    const found: SharedDrive[] = []
    const fields = 'nextPageToken,drives(id,name)'
    for await (const { drives } of pages((pageToken) =>
      this.#ask('the list of shared drives', driveList, (options) =>
        this.#drive.drives.list({ pageSize: SMALL_PAGE, fields, ...pageToken }, options),
      ),
    )) {
      found.push(...drives)
    }
    return found
  }

  /** The page token for changes from now on. */
  async startToken({ driveId }: DriveScope): Promise<string> {
    const { startPageToken } = await this.#ask('the state of the files', startToken, (options) =>
      this.#drive.changes.getStartPageToken({ supportsAllDrives: true, ...(driveId && { driveId }) }, options),
    )
    return startPageToken
  }

  /** `undefined`: the page token has expired. */
  files(
    { driveId }: DriveScope,
    query: { readonly q: string; readonly orderBy?: string },
    pageToken: string | undefined,
  ): Promise<FilePage | undefined> {
    const params = {
      ...query,
      corpora: driveId === undefined ? 'user' : 'drive',
      ...(driveId && { driveId }),
      spaces: 'drive',
      supportsAllDrives: true,
      includeItemsFromAllDrives: true,
      pageSize: PAGE,
      fields: `nextPageToken,incompleteSearch,files(${FILE_FIELDS})`,
      ...(pageToken && { pageToken }),
    }
    const request = {
      title: TITLE,
      asked: 'the list of files',
      answer: fileList,
      send: (options: MethodOptions) => this.#drive.files.list(params, options),
    }
    if (pageToken === undefined) return this.#gateway.ask(request)
    return this.#gateway.find(request, ({ status }) => status === 400 || status === 410)
  }

  /** @throws SourceError `restart` when the token is rejected: 400 when it is wrong, 404 and 410 when it is too old */
  async changes({ driveId }: DriveScope, pageToken: string): Promise<z.infer<typeof changeList>> {
    const params = {
      pageToken,
      ...(driveId && { driveId }),
      spaces: 'drive',
      includeRemoved: true,
      supportsAllDrives: true,
      includeItemsFromAllDrives: true,
      pageSize: PAGE,
      fields: `nextPageToken,newStartPageToken,changes(changeType,removed,fileId,file(${FILE_FIELDS}))`,
    }
    const page = await this.#gateway.find(
      {
        title: TITLE,
        asked: 'the changes of files',
        answer: changeList,
        send: (options) => this.#drive.changes.list(params, options),
      },
      ({ status }) => status === 400 || status === 404 || status === 410,
    )
    if (page !== undefined) return page
    throw new SourceError('restart', 'Google Drive no longer accepts the state of the last sync.')
  }

  /** `undefined` when it was deleted or access was lost. */
  file(fileId: string): Promise<DriveFile | undefined> {
    return this.#gateway.find(this.#fileRequest(fileId))
  }

  /** A file that another one refers to; `undefined` also when Drive refuses it. */
  visibleFile(fileId: string): Promise<DriveFile | undefined> {
    return this.#gateway.find(this.#fileRequest(fileId), (refusal) => this.isRefused(refusal))
  }

  #fileRequest(fileId: string): GoogleRequest<DriveFile> {
    const params = { fileId, supportsAllDrives: true, fields: FILE_FIELDS }
    return {
      title: TITLE,
      asked: 'a file',
      answer: driveFile,
      send: (options) => this.#drive.files.get(params, options),
    }
  }

  /** Empty where the person may not see comments. */
  async comments({ id: fileId, name }: DriveFile): Promise<DriveComment[]> {
    const found: DriveComment[] = []
    for await (const { comments } of pages(async (pageToken) => {
      const params = { fileId, pageSize: SMALL_PAGE, includeDeleted: false, fields: COMMENT_FIELDS, ...pageToken }
      const request = {
        title: TITLE,
        asked: `the comments on "${name}"`,
        answer: commentList,
        send: (options: MethodOptions) => this.#drive.comments.list(params, options),
      }
      const page = await this.#gateway.find(request, (refusal) => this.isRefused(refusal))
      return page ?? { comments: [] }
    })) {
      found.push(...comments)
    }
    return found
  }

  /** A document exported to another format; Google limits exports to 10 MB. `undefined` when it no longer exists. */
  exported({ id: fileId, name }: DriveFile, mimeType: string): Promise<string | undefined> {
    return this.#gateway.find({
      title: TITLE,
      asked: `the export of "${name}"`,
      answer: z.string(),
      send: (options) => this.#drive.files.export({ fileId, mimeType }, { ...options, responseType: 'text' }),
    })
  }

  /**
   * The content of a file. `undefined` when it no longer exists. @throws SourceError `skip` when larger than
   * `mostBytes`
   */
  download({ id: fileId, name }: DriveFile, mostBytes: number): Promise<Uint8Array | undefined> {
    return this.#gateway.find({
      title: TITLE,
      asked: `the content of "${name}"`,
      timeoutMs: DOWNLOAD_MS,
      answer: z.instanceof(Uint8Array),
      send: async (options) => {
        const params = { fileId, alt: 'media', supportsAllDrives: true }
        const { data } = await this.#drive.files.get(params, { ...options, responseType: 'stream' })
        return { data: await readAtMost(data, mostBytes, name) }
      },
    })
  }

  /** Whether only this object is refused, rather than a rate limit or lost access. */
  isRefused(refusal: GoogleRefusal): boolean {
    const { remedy } = googleFailure(refusal, { title: TITLE, asked: 'a file', now: this.#clock() })
    return remedy === 'skip'
  }

  #ask<T>(asked: string, answer: z.ZodType<T>, send: (options: MethodOptions) => Promise<{ readonly data: unknown }>) {
    return this.#gateway.ask({ title: TITLE, asked, answer, send })
  }
}

/** All pages of a listing. @throws SourceError `retry` when a page repeats */
async function* pages<T extends { readonly nextPageToken?: string | undefined }>(
  ask: (page: { readonly pageToken?: string }) => Promise<T>,
): AsyncGenerator<T> {
  for (let pageToken: string | undefined; ; ) {
    const page = await ask(pageToken === undefined ? {} : { pageToken })
    yield page
    const { nextPageToken: next } = page
    if (!next) return
    if (next === pageToken) throw new SourceError('retry', 'Google Drive returned a list without an end.')
    pageToken = next
  }
}

async function readAtMost(stream: AsyncIterable<unknown>, mostBytes: number, name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = z.instanceof(Uint8Array).parse(chunk)
    size += bytes.length
    if (size > mostBytes) throw tooLarge(name, mostBytes)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

export function tooLarge(name: string, mostBytes: number): SourceError {
  return new SourceError('skip', `"${name}" is larger than ${mostBytes / 1024 / 1024} MB.`, { tooLarge: true })
}
