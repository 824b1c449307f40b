import { z } from 'zod'
import { RUN_OUTCOMES } from '../../../domain/activity.ts'
import { CONNECTOR_GROUPS, CONNECTOR_ICONS } from '../../../domain/connector-listing.ts'
import type { LiveProgress } from './activity.ts'

export type { SourceType } from '../../../domain/source-type.ts'

const isoTime = z.string()

const connectorIcon = z.enum(CONNECTOR_ICONS)
export type ConnectorIcon = z.infer<typeof connectorIcon>

/** The noun for a partition, singular and plural. */
const partNoun = z.object({ one: z.string(), many: z.string() })
export type PartNoun = z.infer<typeof partNoun>

/** As in `recalld status`. */
export const connectionState = z.enum([
  'healthy',
  'running',
  'incomplete',
  'waiting',
  'needs attention',
  'paused',
  'never ran',
  'not configured',
])
export type ConnectionState = z.infer<typeof connectionState>

/** What it is doing, more exactly than its state; `problem`: its problem says it. */
export const connectionSituation = z.enum([
  'removing',
  'running',
  'queued',
  'up_to_date',
  'paused',
  'not_synced',
  'yielded',
  'rate_limited',
  'disconnected',
  'interrupted',
  'incomplete',
  'problem',
])
export type ConnectionSituation = z.infer<typeof connectionSituation>

/** The action of the button next to a problem; null: nothing to do. */
export const connectionAction = z.enum(['reauthorize', 'edit', 'retry'])
export type ConnectionAction = z.infer<typeof connectionAction>

/** What to do about a problem; the app has a sentence for each. */
export const connectionRemedy = z.enum([
  'fix_setting',
  'choose_account',
  'reconnect',
  'reconnect_or_edit',
  'edit',
  'new_token',
  'allow_reading',
  'reads_again',
  'continues',
  'retries',
])
export type ConnectionRemedy = z.infer<typeof connectionRemedy>

export const usedGrant = z.object({
  id: z.string(),
  title: z.string(),
  expires_at: isoTime.nullable(),
  /** Why the provider ended it. */
  refusal: z.string().nullable(),
})

export const connection = z.object({
  /** `slack/acme` */
  id: z.string(),
  connector: z.string(),
  name: z.string(),
  /** Of the connector: `Slack`. */
  title: z.string(),
  source_types: z.array(z.string()),
  icon: connectorIcon,
  /** Of the connector: `channel`, `channels`. */
  part_noun: partNoun,
  /** Title of the account at the source, once it is known. */
  account: z.string().nullable(),
  state: connectionState,
  situation: connectionSituation,
  /** In the words of the source or its connector; null also where the remedy says it. */
  problem: z.string().nullable(),
  remedy: connectionRemedy.nullable(),
  action: connectionAction.nullable(),
  warnings: z.array(z.string()),
  /** Cron expression; null when it is not configured. */
  schedule: z.string().nullable(),
  paused: z.boolean(),
  last_run_at: isoTime.nullable(),
  last_success_at: isoTime.nullable(),
  next_run_at: isoTime.nullable(),
  items: z.number(),
  failed: z.number(),
  skipped: z.number(),
  settling: z.number(),
  /** Partitions (channels, repositories, folders) that were read completely, of all that are known. */
  coverage: z.object({ complete: z.number(), total: z.number() }),
  /** `grant: null` with `by: 'grant'`: there is no matching grant, or several. */
  access: z.object({ by: z.enum(['none', 'token', 'grant']), grant: usedGrant.nullable() }),
  /** When its access expires, if the source or the provider states it. */
  expires_at: isoTime.nullable(),
  running: z.boolean(),
  /** Progress of a run in this process. */
  progress: z.custom<LiveProgress>().nullable(),
  /** It is being removed with its items, or that was interrupted: removing it again continues. */
  removing: z.boolean(),
})
export type Connection = z.infer<typeof connection>

export const connectorGrant = z.object({
  provider: z.string(),
  family: z.string(),
  provider_title: z.string(),
})

export const connector = z.object({
  id: z.string(),
  title: z.string(),
  /** What it reads, in one sentence. */
  summary: z.string(),
  icon: connectorIcon,
  group: z.enum(CONNECTOR_GROUPS),
  part_noun: partNoun,
  auth: z.enum(['none', 'token', 'oauth']),
  /** What it needs, in words. */
  needs: z.string(),
  source_types: z.array(z.string()),
  /** Works without settings. */
  standalone: z.boolean(),
  /** Has the setting `paths`: folders on the machine of recalld. */
  takes_paths: z.boolean(),
  /** Can use its own token. */
  takes_token: z.boolean(),
  /** Can use a grant. */
  grant: connectorGrant.nullable(),
  /** Supports the device flow. */
  device: z.boolean(),
  /** The setting that people can fill in from a list of what is there. */
  choosing: z.string().nullable(),
  /** The setting that takes uploaded exports. */
  importing: z.string().nullable(),
  deletions: z.enum(['feed', 'inventory', 'none']),
  default_schedule: z.string(),
  /** How to create a token; empty if unknown. Some steps have several lines. */
  token_steps: z.array(z.string()),
  /** What people enter as its token. */
  secret: z.enum(['token', 'password']),
  /** Items, removal, API and limits, for the details. */
  about: z.object({ item: z.string(), removed: z.string(), api: z.string(), limits: z.string() }),
})
export type Connector = z.infer<typeof connector>

/** `GET /app/api/sources` */
export const sources = z.object({
  connections: z.array(connection),
  connectors: z.array(connector),
  /** Whether the viewer may connect, change and remove. */
  editable: z.boolean(),
  why_not_editable: z.string().nullable(),
  /** A problem in the setup of this server's processes. */
  notice: z.string().nullable(),
  /** Connections sync into another account, so the viewer sees none. */
  memory_of_other: z.boolean(),
})
export type Sources = z.infer<typeof sources>

/** `GET /app/api/sources/attention`: how many connections need the person. */
export const attention = z.object({ connections: z.number() })
export type Attention = z.infer<typeof attention>

export const field = z.object({
  name: z.string(),
  kind: z.enum(['text', 'number', 'boolean', 'list', 'choice', 'yaml']),
  about: z.string(),
  /** For a choice or a list of known entries. */
  options: z.array(z.string()).optional(),
  /**
   * As in config.yaml, with unresolved references to variables; null when it is not set. Never present for a secret.
   * For the kind `yaml` it is YAML text, as are the default and the value sent back.
   */
  value: z.unknown(),
  default: z.unknown(),
  required: z.boolean(),
  secret: z.boolean(),
  is_set: z.boolean(),
  /** Completes "must be ...". */
  expects: z.string(),
})
export type Field = z.infer<typeof field>

/** `GET /app/api/connectors/:id/fields` */
export const fieldList = z.object({ fields: z.array(field) })
export type FieldList = z.infer<typeof fieldList>

export const partition = z.object({
  id: z.string(),
  title: z.string(),
  complete: z.boolean(),
  scanning: z.boolean(),
  last_success_at: isoTime.nullable(),
  error: z.string().nullable(),
  error_at: isoTime.nullable(),
  remedy: connectionRemedy.nullable(),
  items: z.number(),
  failed: z.number(),
  skipped: z.number(),
})
export type Partition = z.infer<typeof partition>

export const sourceFailure = z.object({
  source_type: z.string(),
  item_id: z.string(),
  title: z.string(),
  phase: z.enum(['failed', 'skipped']),
  /** Null: none was recorded. */
  reason: z.string().nullable(),
  next_attempt_at: isoTime.nullable(),
  url: z.string().nullable(),
})
export type SourceFailure = z.infer<typeof sourceFailure>

export const lastReport = z.object({
  started_at: isoTime.nullable(),
  ended_at: isoTime.nullable(),
  outcome: z.enum(RUN_OUTCOMES),
  partitions: z.number(),
  items: z.number(),
  memorized: z.number(),
  unchanged: z.number(),
  removed: z.number(),
  failed: z.number(),
  settling: z.number(),
  requests: z.number(),
  waited_ms: z.number(),
  duration_ms: z.number(),
  problem: z.string().nullable(),
})
export type LastReport = z.infer<typeof lastReport>

/** `GET /app/api/sources/:connector/:name` */
export const connectionDetail = connection.extend({
  partitions: z.array(partition),
  /** The newest 100. */
  failures: z.array(sourceFailure),
  /** Only for administrators: settings can contain secrets, such as the address of a private feed. */
  fields: z.array(field),
  last_report: lastReport.nullable(),
  /** Tombstones: items that somebody deleted here, which `retry` with `forgotten` restores. */
  forgotten: z.number(),
})
export type ConnectionDetail = z.infer<typeof connectionDetail>

const settings = z.record(z.string(), z.unknown())
const token = z.string().min(1).max(10_000)
/** As in the connectors' own schema. */
const connectionName = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u, 'must be letters, digits and . _ -, at most 64')

/** Body of `POST /app/api/sources`; answered with `ConnectAnswer`, 201. */
export const connectRequest = z.strictObject({
  connector: z.string().min(1),
  name: connectionName,
  settings: settings.default({}),
  token: token.optional(),
})
export type ConnectRequest = z.input<typeof connectRequest>

/** Answer of `POST /app/api/sources/check`, whose body is that of connecting. */
export const checkAnswer = z.object({
  /** The source's account; null if checking needs no account. */
  account: z.string().nullable(),
  warnings: z.array(z.string()),
})
export type CheckAnswer = z.infer<typeof checkAnswer>

export const connectAnswer = checkAnswer.extend({ connection })
export type ConnectAnswer = z.infer<typeof connectAnswer>

/** Body of `PATCH /app/api/sources/:connector/:name`; null removes a setting. Answered with the `Connection`. */
export const changeRequest = z.strictObject({
  settings: settings.default({}),
  token: token.optional(),
})
export type ChangeRequest = z.input<typeof changeRequest>

/**
 * Body of `POST /app/api/sources/:connector/:name/preview` (settings that override the current ones; null removes one)
 * and of `POST /app/api/connectors/:id/preview`.
 */
export const previewRequest = z.strictObject({
  name: connectionName.optional(),
  settings: settings.default({}),
  token: token.optional(),
})
export type PreviewRequest = z.input<typeof previewRequest>

export const preview = z.object({
  account: z.string(),
  partitions: z.array(
    z.object({
      partition: z.string(),
      new: z.number(),
      changed: z.number(),
      unchanged: z.number(),
      gone: z.number(),
      failed: z.number(),
      bytes: z.number(),
      /** Titles of some items that would be synced. */
      examples: z.array(z.string()),
      /** Secrets that would be redacted, by kind. */
      secrets: z.record(z.string(), z.number()),
      problem: z.string().nullable(),
    }),
  ),
  duration_ms: z.number(),
  /** It took too long, so not everything was checked. */
  cut_off: z.boolean(),
  problem: z.string().nullable(),
})
export type Preview = z.infer<typeof preview>

/** Answer of `POST .../choices`, whose body is that of a preview: what a person can choose to sync. */
export const choices = z.object({
  /** The setting that takes the values: a list. */
  setting: z.string(),
  choices: z.array(
    z.object({
      value: z.string(),
      group: z.string(),
      /** The value for all of the group, also for those that are created later. */
      group_value: z.string(),
      private: z.boolean(),
      updated_at: isoTime.nullable(),
      /** By these settings. */
      chosen: z.boolean(),
    }),
  ),
})
export type Choices = z.infer<typeof choices>

/** Body of `POST .../sync`, answered 202; `POST .../stop` has none, answered 204. */
export const syncRequest = z.strictObject({ full: z.boolean().default(false) })
/** Body of `POST .../retry` */
export const retryRequest = z.strictObject({ forgotten: z.boolean().default(false) })
export const retryAnswer = z.object({ retried: z.number() })
export type RetryAnswer = z.infer<typeof retryAnswer>

/**
 * Query of `DELETE /app/api/sources/:connector/:name`. Without `forget` its items stay, and the connection stays listed
 * as `not configured` if there are any: there it can be removed again, with its items or from the list.
 */
export const removeQuery = z.object({
  /** Deletes its items too. */
  forget: z.stringbool().default(false),
  /** Revokes its grant too, when no other connection uses it. */
  revoke: z.stringbool().default(false),
})
export const removeAnswer = z.object({
  /** Number of deleted items. */
  forgotten: z.number(),
  /** Whether a grant was revoked with it. */
  revoked: z.boolean(),
})
export type RemoveAnswer = z.infer<typeof removeAnswer>
