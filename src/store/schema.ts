import type { Generated, Kysely } from 'kysely'
import type { RunOutcome } from '../domain/activity.ts'
import type { ErrorCode } from '../domain/errors.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { BillingStatus, UsageCount } from './accounts/accounts.ts'
import type { ItemPhase } from './ledger/ledger.ts'
import type { PauseReason, Spending } from './refinements/refinements.ts'
import type {
  ActivityTables,
  AuthorizationTables,
  BetweenProcessesTables,
  DailyTaskTables,
  DeletionTables,
  IdentityTables,
  PeopleTables,
} from './schema-server.ts'
import type { SpaceState } from './spaces/spaces.ts'

/**
 * The tables of both engines; `migrations/<engine>` explains each column. Times are milliseconds since the epoch,
 * booleans 0 and 1.
 */
export interface Database
  extends ActivityTables,
    AuthorizationTables,
    BetweenProcessesTables,
    BlobTables,
    DailyTaskTables,
    DeletionTables,
    IdentityTables,
    PeopleTables,
    RefinementTables {
  counter: { name: 'chunk' | 'commit'; value: number }
  account: AccountTable
  user: { account_key: number; user_id: string; name: string }
  api_key: ApiKeyTable
  usage: { account_key: number; day: string; metric: UsageCount['metric']; key_id: string; count: number }
  item: ItemTable
  body: { item_key: number; account_key?: number; bytes: Uint8Array; blob_key: Generated<string | null> }
  job: JobTable
  space: SpaceTable
  chunk_vector: {
    vector_key: Generated<number>
    chunk_id: number
    space_key: number
    account_key: number
    vector: Uint8Array
  }
  chunk: ChunkTable
  chunk_text: { chunk_id: number; account_key?: number; speaker: string | null; heading: string | null; text: string }
  memory: MemoryTable
  qa: {
    qa_key: Generated<number>
    account_key: number
    item_key: number
    chunk_id: number
    question: string
    answer: string
  }
  hidden_range: { first_chunk_id: number; last_chunk_id: number; account_key: number; lease_token: string | null }
  vocabulary: { account_key: number; length: number; term: string; reversed: string }
  golden_question: {
    golden_key: Generated<number>
    account_key: number
    number: number
    question: string
    created_at: number
  }
  golden_item: { golden_key: number; source_type: SourceType; item_id: string }
  golden_run: GoldenRunTable
  memory_edit: MemoryEditTable
  item_tag: { item_key: number; folded: string; account_key: number; tag: string }
  name_decision: NameDecisionTable
  ledger: { ledger_key: Generated<number>; memory_id: string }
  ledger_connection: LedgerConnectionTable
  ledger_partition: LedgerPartitionTable
  ledger_item: LedgerItemTable
  ledger_budget: {
    ledger_key: number
    provider: string
    account: string
    api: string
    not_before: number | null
    interval_ms: number
    last_request_at: number | null
  }
  ledger_fact: { ledger_key: number; name: string; value: string }
  access_grant: AccessGrantTable
}

interface AccountTable {
  account_key: Generated<number>
  account_id: string
  user_id: string
  name: string
  time_zone: string
  plan: string
  billing_status: BillingStatus
  created_at: number
  item_count: Generated<number>
  byte_count: Generated<number>
  memory_count: Generated<number>
  chunk_count: Generated<number>
  body_term_count: Generated<number>
  golden_count: Generated<number>
  activity_count: Generated<number>
  deleting_since: Generated<number | null>
}

interface ApiKeyTable {
  account_key: number
  key_id: string
  user_id: string
  name: string
  /** `all`, or a JSON array of source types. */
  sources: string
  is_default: 0 | 1
  hash: Uint8Array
  created_at: number
  last_used_at: number | null
}

interface ItemTable {
  item_key: Generated<number>
  account_key: number
  source_type: SourceType
  item_id: string
  user_id: string
  user_name: string
  file_name: string
  content_type: string
  size_bytes: number
  body_hash: string
  execution_id: string
  state: 'new' | 'ready' | 'failed'
  error_code: ErrorCode | null
  error: string | null
  created_at: number
  uploaded_at: number
  updated_at: number
  first_chunk_id: number | null
  last_chunk_id: number | null
  memory_span: Generated<number>
  memory_count: Generated<number>
  body_term_count: Generated<number>
  commit_number: number | null
  made_by: string | null
  kind: string | null
  title: string | null
  told_from: number | null
  told_until: number | null
  skips: string | null
  url: string | null
  place: string | null
  agent: string | null
  /** A connector, or the app of an export. */
  connector: string | null
  refined_by: string | null
  refinement_skips: string | null
}

interface JobTable {
  job_id: Generated<number>
  account_key: number
  item_key: number
  turn: JobTurn
  attempts: Generated<number>
  ready_at: number
  queued_at: number
  lease_token: string | null
  lease_owner: string | null
}

interface ChunkTable {
  chunk_id: number
  account_key: number
  item_key: number
  ordinal: number
  kind: 'turn' | 'prose'
  /** `sourceCode` of the item's source type. */
  source: number
  space_key: number
  at: number | null
  body_terms: number
  meta_terms: number
  vector_bytes: number
  /** See `packFeatures`. */
  features: Uint8Array
}

interface SpaceTable {
  space_key: Generated<number>
  space_id: string
  state: SpaceState | null
  dimensions: number | null
  /** JSON of `NewSpace.model`. */
  model: string | null
  background: number | null
  changed_at: number | null
  floor: Generated<number>
  floor_epoch: Generated<number>
  lease_holder: string | null
  lease_until: number | null
  problem: string | null
  retry_at: number | null
}

interface GoldenRunTable {
  run_key: Generated<number>
  account_key: number
  ran_at: number
  version: string
  made_by: string
  space_id: string
  /** JSON: `GoldenRank` by number of the question. */
  ranks: string
}

interface MemoryEditTable {
  edit_key: Generated<number>
  account_key: number
  kind: 'correction' | 'note' | 'pin' | 'hide'
  source_type: SourceType
  item_id: string
  passage: Uint8Array
  correction_id: string | null
  made_by: string
  made_at: number
}

interface NameDecisionTable {
  account_key: number
  /** The name without case, accents and titles. */
  name_key: string
  name: string
  merged_into: string | null
  made_by: string
  made_at: number
}

interface MemoryTable {
  memory_key: Generated<number>
  account_key: number
  item_key: number
  memory_index: number
  first_chunk_id: number
  last_chunk_id: number
  at: number | null
  /** JSON of `MemoryContent`. */
  content: string
}

interface LedgerConnectionTable {
  connection_key: Generated<number>
  ledger_key: number
  connector: string
  name: string
  account: string | null
  account_title: string | null
  selection: string | null
  outcome: RunOutcome | null
  problem: string | null
  remedy: string | null
  warnings: string | null
  expires_at: number | null
  last_started_at: number | null
  last_ended_at: number | null
  last_success_at: number | null
  next_run_at: number | null
  asked: 'changes' | 'full' | null
  report: string | null
  lease_holder: string | null
  lease_until: number | null
}

interface LedgerPartitionTable {
  partition_key: Generated<number>
  connection_key: number
  partition_id: string
  title: string
  cursor: string | null
  cursor_at: number | null
  walk: Generated<number>
  walking: Generated<0 | 1>
  last_success_at: number | null
  last_inventory_at: number | null
  error: string | null
  error_at: number | null
  remedy: string | null
  gone: Generated<0 | 1>
}

interface LedgerItemTable {
  ledger_key: number
  source_type: SourceType
  item_id: string
  connection_key: number
  partition_key: number
  phase: ItemPhase
  content_hash: string | null
  revision: string | null
  walk: number
  attempts: number
  next_attempt_at: number | null
  error_code: ErrorCode | null
  error: string | null
  locator: string | null
  title: string | null
  url: string | null
  told_at: number | null
  changed_at: number
}

interface AccessGrantTable {
  grant_key: Generated<number>
  grant_id: string
  memory_id: string
  provider: string
  family: string
  account: string
  account_title: string
  scopes: string
  place: string
  sealed: Uint8Array
  access_expires_at: number | null
  expires_at: number | null
  granted_at: number
  renewed_at: number | null
  refusal: string | null
  version: Generated<number>
  lease_holder: string | null
  lease_until: number | null
}

/** The values of `job.turn`: 0 and 2 are uploads, 4 and 5 uploads of low priority, 1 and 3 background; 2, 3 and 5 are slow. */
export type JobTurn = 0 | 1 | 2 | 3 | 4 | 5

/** As created by the migration `refinements`. */
interface RefinementTables {
  refinement: {
    refinement_id: Generated<number>
    account_key: number
    item_key: number
    source_type: SourceType
    state: 'waiting' | 'given_up'
    attempts: Generated<number>
    failures: Generated<number>
    ready_at: number
    queued_at: number
    lease_token: string | null
    error_code: ErrorCode | null
    error: string | null
  }
  refinement_part: { item_key: number; hash: string; answer: string }
  refinement_spend: {
    account_key: number
    day: string
    source_type: Spending['sourceType']
    model: string
    calls: number
    input_tokens: number
    output_tokens: number
    micro_dollars: number
  }
  refinement_pause: {
    /** 0: all. */
    account_key: number
    /** Empty: all. */
    source_type: SourceType | ''
    reason: PauseReason
    until_at: number | null
    message: string
  }
}

/** As created by the migration `blobs`. */
interface BlobTables {
  blob_write: BlobRow
  blob_garbage: BlobRow
}

interface BlobRow {
  key: string
  account_key: number
  at: number
}

/** A changed column: `undefined` keeps the value; `null` clears it. */
export function toTime(at: Date | null | undefined): number | null | undefined {
  return at === undefined || at === null ? at : at.getTime()
}

export function toDate(at: number | null): Date | undefined {
  return at === null ? undefined : new Date(at)
}

/** A connection or transaction for statements. */
export type Db = Kysely<Database>
