import type { AlertsOverview, AlertTests } from '../domain/alerts.ts'
import type { BeginRequest, DeviceRequest, Grants, PendingGrant, RevokeAnswer } from '../http/app/schemas/grants.ts'
import type { BegunImport, ImportedFile, ImportRequest } from '../http/app/schemas/imports.ts'
import type {
  Attention,
  ChangeRequest,
  CheckAnswer,
  Choices,
  ConnectAnswer,
  Connection,
  ConnectionDetail,
  ConnectRequest,
  FieldList,
  Preview,
  PreviewRequest,
  RemoveAnswer,
  Sources,
} from '../http/app/schemas/sources.ts'
import type { Viewer } from '../service/principal.ts'

export interface ConnectionId {
  readonly connector: string
  readonly name: string
}

/**
 * The connections of this server as the app shows and changes them. They sync into one account; other accounts see this
 * (`sources`), or get `forbidden`. The routes check permissions. Methods for a missing connection reject with
 * `not_found`.
 */
export interface SourcesService {
  sources(viewer: Viewer): Promise<Sources>
  /** The number for the badge, shown on every page. */
  attention(viewer: Viewer): Promise<Attention>
  connection(viewer: Viewer, id: ConnectionId): Promise<ConnectionDetail>
  fields(viewer: Viewer, connector: string): Promise<FieldList>
  /**
   * Whether a new connection can reach its source; saves nothing.
   * @throws AppError as `connect`
   */
  check(viewer: Viewer, request: ConnectRequest, signal: AbortSignal): Promise<CheckAnswer>
  /**
   * Adds a connection and starts it. Its source is checked before anything is saved.
   * @throws AppError `invalid` when a setting is wrong or the source rejects the access; `conflict` for a duplicate
   * name, or when config.yaml was changed meanwhile
   */
  connect(viewer: Viewer, request: ConnectRequest, signal: AbortSignal): Promise<ConnectAnswer>
  /** As `connect`, for an existing one. */
  change(viewer: Viewer, id: ConnectionId, request: ChangeRequest, signal: AbortSignal): Promise<Connection>
  /** What a run would sync with changed settings; saves nothing. Ends after a time limit, or when aborted. */
  preview(viewer: Viewer, id: ConnectionId, request: PreviewRequest, signal: AbortSignal): Promise<Preview>
  /** The same for a new connection. */
  previewNew(viewer: Viewer, connector: string, request: PreviewRequest, signal: AbortSignal): Promise<Preview>
  /** What the person can choose to sync with these settings. */
  choices(viewer: Viewer, id: ConnectionId, request: PreviewRequest, signal: AbortSignal): Promise<Choices>
  /** The same for a new connection. */
  choicesNew(viewer: Viewer, connector: string, request: PreviewRequest, signal: AbortSignal): Promise<Choices>
  /**
   * Begins the upload of an app's export, which is received in pieces.
   * @throws AppError `invalid` for a file that is none, `too_large`, `unavailable` without room
   */
  beginImport(viewer: Viewer, request: ImportRequest): Promise<BegunImport>
  /** @param piece what follows `at` bytes; can be sent again */
  appendImport(viewer: Viewer, id: string, piece: ImportPiece): Promise<void>
  /**
   * Finds out which connector takes the file. It is deleted when none does, or when no connection names it within a day.
   * @throws AppError `invalid` for a file that is no known export, damaged, or too large when unpacked
   */
  completeImport(viewer: Viewer, id: string, request: ImportRequest): Promise<ImportedFile>
  /** Deletes what was received. @throws AppError `conflict` when a connection names it */
  dropImport(viewer: Viewer, id: string): Promise<void>
  /** @throws AppError `conflict` when it cannot run here now */
  sync(viewer: Viewer, id: ConnectionId, options: { readonly full: boolean }): Promise<void>
  stop(viewer: Viewer, id: ConnectionId): Promise<void>
  /** Returns how many items are retried. */
  retry(viewer: Viewer, id: ConnectionId, options: { readonly forgotten: boolean }): Promise<number>
  /** Where alerts about sources go, and what failed. */
  alerts(): Promise<AlertsOverview>
  /** Sends a test by each channel. */
  testAlerts(): Promise<AlertTests>
  /**
   * Removes a connection from config.yaml and, with `forget`, all of its items from the memory. Can be repeated after
   * an interruption.
   */
  remove(viewer: Viewer, id: ConnectionId, options: RemoveOptions): Promise<RemoveAnswer>
}

export interface ImportPiece {
  readonly at: number
  readonly body: AsyncIterable<Uint8Array>
}

export interface RemoveOptions {
  readonly forget: boolean
  /** Including its grant, when no other connection uses it. */
  readonly revoke: boolean
}

/**
 * Grants by browser, for the sources of this server.
 * A consent is stored for ten minutes, encrypted, under a hash of the `state` that the provider returns, and bound to
 * the person who started it; any process can finish it, once. The provider's redirect is a cross-site navigation
 * without the session cookie (SameSite=Strict): it loads a page of the app, which then sends its address with the
 * cookie. So a response only counts in a session of the person who started: somebody who is lured into another person's
 * consent gives nothing away, because that person never sees the code; and a forged response has no known `state`.
 */
export interface GrantsService {
  /** @param address the address of the app, `http://127.0.0.1:7411` */
  grants(viewer: Viewer, address: string): Promise<Grants>
  begin(viewer: Viewer, request: BeginRequest, address: string): Promise<PendingGrant>
  /** Resolves when there is a code to enter; `pending` reports the outcome. */
  beginDevice(viewer: Viewer, request: DeviceRequest): Promise<PendingGrant>
  /** @param address the whole address in the browser */
  complete(viewer: Viewer, address: string): Promise<PendingGrant>
  pending(viewer: Viewer, id: string): Promise<PendingGrant>
  giveUp(viewer: Viewer, id: string): Promise<void>
  revoke(viewer: Viewer, id: string): Promise<RevokeAnswer>
}
