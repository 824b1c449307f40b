import type { BeginRequest, DeviceRequest, Grants, PendingGrant, RevokeAnswer } from '../http/app/schemas/grants.ts'
import type {
  ChangeRequest,
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
 * The connections of this server as the app shows and changes them. They sync into one account: people of another one
 * see that (`sources`), or get `forbidden`. The routes decide who may change them. What concerns a connection
 * that there is not is refused with `not_found`.
 */
export interface SourcesService {
  sources(viewer: Viewer): Promise<Sources>
  connection(viewer: Viewer, id: ConnectionId): Promise<ConnectionDetail>
  fields(viewer: Viewer, connector: string): Promise<FieldList>
  /**
   * Adds a connection, and has it run. Before anything is written the source is asked whose it is.
   *
   * @throws AppError `invalid` when a setting is wrong or the source refuses the access; `conflict` when there is one of this
   *   name, and when config.yaml is changed by somebody else meanwhile
   */
  connect(viewer: Viewer, request: ConnectRequest, signal: AbortSignal): Promise<ConnectAnswer>
  /** As `connect`, for one that is there. */
  change(viewer: Viewer, id: ConnectionId, request: ChangeRequest, signal: AbortSignal): Promise<Connection>
  /** What a run would take, with other settings than it has; writes nothing. It ends after a while, or when aborted. */
  preview(viewer: Viewer, id: ConnectionId, request: PreviewRequest, signal: AbortSignal): Promise<Preview>
  /** The same for a connection that there is not yet. */
  previewNew(viewer: Viewer, connector: string, request: PreviewRequest, signal: AbortSignal): Promise<Preview>
  /** @throws AppError `conflict` when it cannot run here and now */
  sync(viewer: Viewer, id: ConnectionId, options: { readonly full: boolean }): Promise<void>
  stop(viewer: Viewer, id: ConnectionId): Promise<void>
  /** How many items are tried again. */
  retry(viewer: Viewer, id: ConnectionId, options: { readonly forgotten: boolean }): Promise<number>
  /**
   * Takes a connection out of config.yaml and, with `forget`, everything that came by it out of the memory. Cut off in
   * between, it is done again.
   */
  remove(viewer: Viewer, id: ConnectionId, options: RemoveOptions): Promise<RemoveAnswer>
}

export interface RemoveOptions {
  readonly forget: boolean
  /** Its grant too, when no other connection is read by it. */
  readonly revoke: boolean
}

/**
 * Access that people grant in a browser, for the sources of this server.
 *
 * A consent is kept in the store for ten minutes, sealed, under a hash of the `state` that the provider hands back, and bound
 * to the person who began it; any process finishes it, once. The browser comes back by a navigation from another site, which carries no cookie of the session
 * (SameSite=Strict): it gets a page of the app, which then sends the address it ended at with the session's cookie. So what
 * comes back counts only in a session of the person who began: somebody who is lured to a consent that another person began
 * gives nothing away, since that person never sees the code; and an answer made up elsewhere has no `state` that is known.
 */
export interface GrantsService {
  /** @param address under which the app is looked at, `http://127.0.0.1:7411` */
  grants(viewer: Viewer, address: string): Promise<Grants>
  begin(viewer: Viewer, request: BeginRequest, address: string): Promise<PendingGrant>
  /** Resolves when there is a code to type; `pending` reports what follows. */
  beginDevice(viewer: Viewer, request: DeviceRequest): Promise<PendingGrant>
  /** @param address the whole address that the browser ended at */
  complete(viewer: Viewer, address: string): Promise<PendingGrant>
  pending(viewer: Viewer, id: string): Promise<PendingGrant>
  giveUp(viewer: Viewer, id: string): Promise<void>
  revoke(viewer: Viewer, id: string): Promise<RevokeAnswer>
}
