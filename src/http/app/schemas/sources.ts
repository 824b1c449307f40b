import { z } from 'zod'
import { RUN_OUTCOMES } from '../../../domain/activity.ts'
import { CONNECTOR_GROUPS, CONNECTOR_ICONS } from '../../../domain/connector-listing.ts'
import type { LiveProgress } from './live-event.ts'

export type { SourceType } from '../../../domain/source-type.ts'

const isoTime = z.string()

const connectorIcon = z.enum(CONNECTOR_ICONS)
export type ConnectorIcon = z.infer<typeof connectorIcon>

/** What one partition is called, and several. */
const partNoun = z.object({ one: z.string(), many: z.string() })
export type PartNoun = z.infer<typeof partNoun>

/** As of the command line's `status`. */
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

/** What the button beside a problem does; null: nothing has to be done. */
export const connectionAction = z.enum(['reauthorize', 'edit', 'retry'])
export type ConnectionAction = z.infer<typeof connectionAction>

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
  /** Title of the account at the source, once it was reached. */
  account: z.string().nullable(),
  state: connectionState,
  /** One sentence for people: how it stands. */
  words: z.string(),
  problem: z.string().nullable(),
  remedy: z.string().nullable(),
  action: connectionAction.nullable(),
  warnings: z.array(z.string()),
  /** Cron expression; null when it is not configured. */
  schedule: z.string().nullable(),
  /** `every 15 minutes`, `every day at 06:00`. */
  schedule_words: z.string().nullable(),
  paused: z.boolean(),
  last_run_at: isoTime.nullable(),
  last_success_at: isoTime.nullable(),
  next_run_at: isoTime.nullable(),
  items: z.number(),
  failed: z.number(),
  skipped: z.number(),
  settling: z.number(),
  /** Partitions (channels, repositories, folders) that were read to their end, of all that are known. */
  coverage: z.object({ complete: z.number(), total: z.number() }),
  /** `grant: null` with `by: 'grant'`: what it needs was not granted yet, or several grants fit. */
  access: z.object({ by: z.enum(['none', 'token', 'grant']), grant: usedGrant.nullable() }),
  /** When its access ends, where the source or the provider tells. */
  expires_at: isoTime.nullable(),
  running: z.boolean(),
  /** Of the run of this process. */
  progress: z.custom<LiveProgress>().nullable(),
  /** Its removal with all it brought is under way, or was cut off: removing it once more goes on. */
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
  /** What the person needs, in words. */
  needs: z.string(),
  source_types: z.array(z.string()),
  /** Works without settings. */
  standalone: z.boolean(),
  /** Has the setting `paths`: folders of the machine that recalld runs on. */
  takes_paths: z.boolean(),
  /** May be read with a token of its own. */
  takes_token: z.boolean(),
  /** May be read with a grant of the browser. */
  grant: connectorGrant.nullable(),
  /** A token can be had by typing a code at the provider. */
  device: z.boolean(),
  deletions: z.enum(['feed', 'inventory', 'none']),
  default_schedule: z.string(),
  schedule_words: z.string(),
  /** Steps by which a person gets a token; empty where none are known. Some hold several lines. */
  token_steps: z.array(z.string()),
  /** What a connection takes, how deletions are noticed, which interface is read, and its limits. */
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
  /** What is wrong with how the processes of this server are set up. */
  notice: z.string().nullable(),
  /** What is connected fills another account: the viewer sees no connections. */
  memory_of_other: z.boolean(),
})
export type Sources = z.infer<typeof sources>

export const field = z.object({
  name: z.string(),
  kind: z.enum(['text', 'number', 'boolean', 'list', 'choice', 'yaml']),
  about: z.string(),
  /** For a choice or a list of known entries. */
  options: z.array(z.string()).optional(),
  /**
   * As config.yaml has it, references to variables unresolved; null when it is not set. A secret never has one. Of the kind
   * `yaml` it is YAML text, as is the default, and what is sent back.
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
  walking: z.boolean(),
  last_success_at: isoTime.nullable(),
  error: z.string().nullable(),
  error_at: isoTime.nullable(),
  remedy: z.string().nullable(),
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
  reason: z.string(),
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
  /** For administrators alone: settings may hold secrets, as the address of a private feed does. */
  fields: z.array(field),
  last_report: lastReport.nullable(),
  /** Tombstones: items that somebody forgot here, which `retry` with `forgotten` brings back. */
  forgotten: z.number(),
})
export type ConnectionDetail = z.infer<typeof connectionDetail>

const settings = z.record(z.string(), z.unknown())
const token = z.string().min(1).max(10_000)
/** As the connectors' own schema has it. */
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

export const connectAnswer = z.object({
  connection,
  /** Whose source it is; null where checking needs no account. */
  account: z.string().nullable(),
  warnings: z.array(z.string()),
})
export type ConnectAnswer = z.infer<typeof connectAnswer>

/** Body of `PATCH /app/api/sources/:connector/:name`; null removes a setting. Answered with the `Connection`. */
export const changeRequest = z.strictObject({
  settings: settings.default({}),
  token: token.optional(),
})
export type ChangeRequest = z.input<typeof changeRequest>

/**
 * Body of `POST /app/api/sources/:connector/:name/preview` (settings are laid over those it has; null takes one out) and of
 * `POST /app/api/connectors/:id/preview`.
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
      /** Titles of a few items that would be taken. */
      examples: z.array(z.string()),
      /** Secrets that would be redacted, by kind. */
      secrets: z.record(z.string(), z.number()),
      problem: z.string().nullable(),
    }),
  ),
  duration_ms: z.number(),
  /** It took too long, so that not everything was looked at. */
  cut_off: z.boolean(),
  problem: z.string().nullable(),
})
export type Preview = z.infer<typeof preview>

/** Body of `POST .../sync`, answered 202; `POST .../stop` has none, answered 204. */
export const syncRequest = z.strictObject({ full: z.boolean().default(false) })
/** Body of `POST .../retry` */
export const retryRequest = z.strictObject({ forgotten: z.boolean().default(false) })
export const retryAnswer = z.object({ retried: z.number() })
export type RetryAnswer = z.infer<typeof retryAnswer>

/**
 * Query of `DELETE /app/api/sources/:connector/:name`. Without `forget` what it brought stays remembered, and the connection
 * stays listed as `not configured` when there is any: there it can be removed once more, with its items or from the list.
 */
export const removeQuery = z.object({
  /** Its items are forgotten with it. */
  forget: z.stringbool().default(false),
  /** Its grant is withdrawn too, when no other connection uses it. */
  revoke: z.stringbool().default(false),
})
export const removeAnswer = z.object({
  /** Items of it that were forgotten. */
  forgotten: z.number(),
  /** Whether a grant was withdrawn with it. */
  revoked: z.boolean(),
})
export type RemoveAnswer = z.infer<typeof removeAnswer>
