import type { SourceType } from './source-type.ts'

/** Who did something. */
export type ActivityActor =
  /** An agent or a program, identified by its key. */
  | { readonly type: 'key'; readonly id: string; readonly name?: string }
  | { readonly type: 'person'; readonly id: string; readonly name: string }
  /** `slack/acme` */
  | { readonly type: 'connection'; readonly id: string }
  /** The service itself, or the command line. */
  | { readonly type: 'server' }

export const ACTOR_TYPES = ['key', 'person', 'connection', 'server'] as const satisfies readonly ActivityActor['type'][]

/** Parameters of each kind. Names are stored: renaming one is a migration. */
interface ActivityDetails {
  /** `text`: null when it is somebody else's question. */
  recall: { text: string | null; results: number; source?: SourceType }
  ask: { text: string | null; abstained: boolean }
  /** What an agent was shown by a hook; `items` is empty when the asker is somebody else. `tokens` is estimated. */
  shown: {
    when: 'prompt' | 'session-start'
    probability?: number
    tokens: number
    passages: number
    items: readonly { readonly source: SourceType; readonly item_id: string }[]
    host?: string
  }
  /** `agent`: the agent that wrote it with a tool. */
  upload: { source: SourceType; count: number; agent?: string }
  forget: { source: SourceType; item_id: string; memories: number }
  /** Without an item: all failed items. */
  reprocess: { count: number; source?: SourceType; item_id?: string }
  sync: {
    connection: string
    outcome: RunOutcome
    memorized: number
    removed: number
    failed: number
  }
  key_created: KeyDetails
  key_changed: KeyDetails
  key_regenerated: KeyDetails
  key_deleted: KeyDetails
  agent_connected: { name: string; access: 'read' | 'write' }
  /** Without a reason, a person requested it. */
  agent_disconnected: { name: string; reason?: 'revoked_by_agent' | 'token_reused' }
  source_connected: ConnectionDetails
  source_changed: ConnectionDetails
  source_paused: ConnectionDetails
  source_resumed: ConnectionDetails
  /** `forgotten`: items deleted with it. */
  source_disconnected: ConnectionDetails & { forgotten?: number }
  grant_made: GrantDetails
  grant_removed: GrantDetails
  person_invited: PersonDetails
  person_joined: PersonDetails
  person_removed: PersonDetails
  person_role: PersonDetails
  person_admin: { name: string; is_admin: boolean }
  /** A password-reset link was created. */
  person_reset: { name: string }
  account_created: { name: string }
  signed_in: Record<never, never>
  signed_out: Record<never, never>
  signed_out_everywhere: Record<never, never>
  password_changed: Record<never, never>
  passkey_added: Record<never, never>
  passkey_removed: Record<never, never>
  billing: { plan: string; status: string }
  /** `what`: the name of the setting. */
  settings: { what: 'name' | 'time_zone' | 'language_model' | 'embedding_model' | 'reranker' }
  /** `name`: the sign-in name used; `network`: the client's network; without `by` the password was wrong. */
  sign_in_failed: { name: string; network: string; by?: 'passkey' | 'provider' }
  /** Items of a source were deleted by retention. */
  retention: { source: SourceType; days: number; items: number; memories: number }
  account_exported: { items: number }
  /** `items`: new ones. */
  account_imported: { items: number }
  backup: Record<never, never>
  /** The weekly check found damaged pages in the database. */
  database_damaged: { problems: number }
  /** The stored bytes of an item differ from the upload. */
  item_damaged: { source: SourceType; item_id: string }
}

interface KeyDetails {
  key_id: string
  name: string
}
interface ConnectionDetails {
  connection: string
}
interface GrantDetails {
  provider: string
  account: string
}
interface PersonDetails {
  name: string
  role: 'owner' | 'member'
}

export type ActivityKind = keyof ActivityDetails

/** An event, without actor and time. */
export type ActivityEntry = {
  [Kind in ActivityKind]: { readonly kind: Kind } & Readonly<ActivityDetails[Kind]>
}[ActivityKind]

const KINDS: Readonly<Record<ActivityKind, true>> = {
  recall: true,
  ask: true,
  shown: true,
  upload: true,
  forget: true,
  reprocess: true,
  sync: true,
  key_created: true,
  key_changed: true,
  key_regenerated: true,
  key_deleted: true,
  agent_connected: true,
  agent_disconnected: true,
  source_connected: true,
  source_changed: true,
  source_paused: true,
  source_resumed: true,
  source_disconnected: true,
  grant_made: true,
  grant_removed: true,
  person_invited: true,
  person_joined: true,
  person_removed: true,
  person_role: true,
  person_admin: true,
  person_reset: true,
  account_created: true,
  signed_in: true,
  signed_out: true,
  signed_out_everywhere: true,
  password_changed: true,
  passkey_added: true,
  passkey_removed: true,
  billing: true,
  settings: true,
  sign_in_failed: true,
  retention: true,
  account_exported: true,
  account_imported: true,
  backup: true,
  database_damaged: true,
  item_damaged: true,
}

export function isActivityKind(name: string): name is ActivityKind {
  return Object.hasOwn(KINDS, name)
}

/** Everyday events, of which there are many; all others are administrative, and are kept longer. */
export const EVERYDAY_KINDS = [
  'recall',
  'ask',
  'shown',
  'upload',
  'forget',
  'reprocess',
  'sync',
] as const satisfies readonly ActivityKind[]

/** Kinds whose entries hold what somebody asked, or what was found for it. */
export const QUESTION_KINDS = ['recall', 'ask', 'shown'] as const satisfies readonly ActivityKind[]

/**
 * How a run ended. `waiting`: a rate limit; `attention`: the person must do something; `stopped`: too many failures.
 */
export const RUN_OUTCOMES = ['ok', 'partial', 'waiting', 'attention', 'stopped', 'aborted'] as const
export type RunOutcome = (typeof RUN_OUTCOMES)[number]

/** A change in an account, published to the pages that are open on it. Contains no memories. */
export type LiveEvent =
  /** Items were added, deleted or changed their state. */
  | { readonly type: 'items' }
  /** A connection was added, changed or removed, or its run started or ended. */
  | { readonly type: 'sources' }
  | { readonly type: 'sync'; readonly connection: string; readonly progress: LiveProgress }
  | { readonly type: 'activity' }
  | { readonly type: 'keys' }
  | { readonly type: 'people' }

/** Progress of a connection's run. */
export interface LiveProgress {
  /** Title of the partition being read. */
  readonly partition?: string
  readonly partitionsDone: number
  readonly partitionsTotal: number
  readonly memorized: number
  readonly unchanged: number
  readonly removed: number
  readonly failed: number
  /** Items a minute, over the last minute. */
  readonly perMinute?: number
  /** Until the run ends; only when the source states how many items there are. */
  readonly remainingSeconds?: number
  /** In a first sync: everything of so many last days is memorized. */
  readonly recentDays?: number
  /** Waits for a rate limit until then, ISO 8601. */
  readonly waitingUntil?: string
}
