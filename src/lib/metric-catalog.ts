/**
 * Every metric of recalld: name, help and labels. Label values are few and known in advance: never ids, names of
 * people, paths or user input.
 */

interface Definition {
  readonly help: string
  readonly labels: readonly string[]
}

interface Distribution extends Definition {
  /** Upper bounds, smallest first. */
  readonly buckets: readonly number[]
}

/** Seconds, for latency that people notice. */
const WAITED = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Seconds, for steps within a request. */
const SHORT = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5]
/** Seconds, for background work. */
const LONG = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 600, 3_600]

export const COUNTERS = {
  recalld_http_requests_total: { help: 'HTTP requests by route and status.', labels: ['method', 'route', 'status'] },
  recalld_connections_ended_total: {
    help: 'Connections that were closed because the process or one address had too many (process_limit, address_limit), or that the system could not accept (system_limit).',
    labels: ['reason'],
  },
  recalld_uploads_total: {
    help: 'Accepted uploads: created, replaced, or unchanged because the same bytes are already stored.',
    labels: ['outcome'],
  },
  recalld_upload_bytes_total: { help: 'Bytes of stored uploads.', labels: [] },
  recalld_bodies_damaged_total: {
    help: 'Reads of stored files that were damaged or missing, in the database or the object storage.',
    labels: ['where'],
  },
  recalld_worker_claims_total: { help: 'Items claimed from the queue by this process.', labels: [] },
  recalld_items_moved_total: {
    help: 'Items that needed more than a second of processor time and were moved to the slow lane.',
    labels: [],
  },
  recalld_worker_threads_lost_total: {
    help: 'Pipeline threads that were ended by a file: memory limit, time limit or crash.',
    labels: [],
  },
  recalld_items_processed_total: {
    help: 'Outcomes of processing items: stored, superseded (deleted or replaced meanwhile, or lease lost), retried, or failed permanently.',
    labels: ['outcome'],
  },
  recalld_item_failures_total: {
    help: 'Failures of items by error code: retried, or final (failed).',
    labels: ['code', 'outcome'],
  },
  recalld_refinements_total: {
    help: 'Results of language-model work on items: stored, superseded, withheld (budget used up or model unavailable) or failed.',
    labels: ['outcome'],
  },
  recalld_sync_runs_total: { help: 'Runs of connections by connector and outcome.', labels: ['connector', 'outcome'] },
  recalld_sync_items_total: {
    help: 'Items processed by runs, by outcome; failed includes permanently skipped ones.',
    labels: ['connector', 'fate'],
  },
  recalld_sync_requests_total: { help: 'Requests to sources.', labels: ['connector'] },
  recalld_sync_waited_seconds_total: {
    help: 'Seconds that runs waited for rate limits and retries.',
    labels: ['connector'],
  },
  recalld_model_calls_total: {
    help: 'Calls of configured models: ok, aborted, or the error code.',
    labels: ['purpose', 'outcome'],
  },
  recalld_model_tokens_total: {
    help: 'Tokens sent and received; estimated for embedding models and rerankers.',
    labels: ['purpose', 'direction'],
  },
  recalld_model_micro_dollars_total: {
    help: 'Cost of calls in millionths of a US dollar, by the configured price.',
    labels: ['purpose'],
  },
  recalld_questions_total: {
    help: 'Answered questions: recall with results (found) or without (empty), ask with an answer (answered) or without (abstained).',
    labels: ['kind', 'outcome'],
  },
  recalld_store_failures_total: {
    help: 'Failed transactions, by write command and error code.',
    labels: ['intent', 'code'],
  },
  recalld_trace_export_failures_total: { help: 'Batches of spans that the collector did not accept.', labels: [] },
  recalld_metrics_failures_total: {
    help: 'Parts of this page that could not be read, for example because the store is unavailable.',
    labels: ['part'],
  },
} as const satisfies Record<string, Definition>

export const HISTOGRAMS = {
  recalld_http_request_seconds: { help: 'Response time by route.', labels: ['method', 'route'], buckets: WAITED },
  recalld_pipeline_stage_seconds: {
    help: 'Duration of each pipeline stage for an item.',
    labels: ['stage'],
    buckets: [0.0005, 0.0025, 0.01, 0.05, 0.25, 1, 5, 30, 120],
  },
  recalld_item_seconds: {
    help: 'Time from the start of the pipeline until an item is stored or has failed.',
    labels: ['outcome'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 5, 30, 120],
  },
  recalld_item_attempts: {
    help: 'Attempts until an item was stored or failed permanently.',
    labels: ['outcome'],
    buckets: [1, 2, 3, 4, 5],
  },
  recalld_sync_run_seconds: { help: 'Duration of a run of a connection.', labels: ['connector'], buckets: LONG },
  recalld_model_call_seconds: { help: 'Duration of a call of a configured model.', labels: ['purpose'], buckets: LONG },
  recalld_question_seconds: {
    help: 'Time to answer a question.',
    labels: ['kind'],
    buckets: WAITED,
  },
  recalld_question_candidates: {
    help: 'Chunks scored for a question, including neighbors.',
    labels: [],
    buckets: [0, 10, 50, 100, 250, 500, 1_000, 2_500],
  },
  recalld_store_transaction_seconds: {
    help: 'Time until a transaction is durable, including its wait.',
    labels: ['intent'],
    buckets: SHORT,
  },
} as const satisfies Record<string, Distribution>

export const GAUGES = {
  recalld_build_info: { help: 'Always 1, with the running version.', labels: ['version'] },
  recalld_role: { help: '1 for each role of this process.', labels: ['role'] },
  recalld_ready: { help: '1 while the check of /v1/ready passes, else 0.', labels: ['check'] },
  recalld_queue_waiting: {
    help: 'Waiting items, by turn: uploads, uploads of low priority, background reprocessing, refinements by a language model.',
    labels: ['turn'],
  },
  recalld_queue_oldest_seconds: {
    help: 'Age of the oldest waiting item, by turn; 0 when the queue is empty.',
    labels: ['turn'],
  },
  recalld_refinement_pauses: {
    help: 'Active pauses of the language model: budget (of an account or one of its sources), away, refused.',
    labels: ['reason'],
  },
  recalld_items: {
    help: 'Items by state: waiting for processing, or settled (ready or failed).',
    labels: ['state'],
  },
  recalld_items_failed: { help: 'Items whose processing has failed permanently.', labels: [] },
  recalld_items_bytes: { help: 'Bytes of stored uploads.', labels: [] },
  recalld_blobs_garbage: {
    help: 'Objects of deleted and replaced uploads that remain in the bucket.',
    labels: [],
  },
  recalld_integrity_problems: {
    help: 'Findings of the last weekly integrity check: damaged database pages, and files that differ from their upload.',
    labels: [],
  },
  recalld_integrity_checked_timestamp_seconds: {
    help: 'Time of the last complete integrity check; absent before the first.',
    labels: [],
  },
  recalld_accounts: { help: 'Accounts.', labels: [] },
  recalld_chunks: { help: 'Chunks in the index.', labels: [] },
  recalld_memories: { help: 'Memories.', labels: [] },
  recalld_vectors_loaded: { help: 'Vectors in memory, if the engine keeps them there.', labels: [] },
  recalld_vectors_loaded_bytes: { help: 'Bytes of the vectors in memory.', labels: [] },
  recalld_store_connections: {
    help: 'Connections to the database server: in_use, idle, and callers waiting for one (waiting).',
    labels: ['state'],
  },
  recalld_store_replica_used: {
    help: 'Whether recall uses the replica (1) or the main server, because the replica is too far behind (0).',
    labels: [],
  },
  recalld_store_replica_lag_seconds: {
    help: 'How far the replica is behind the main server.',
    labels: [],
  },
  recalld_sync_connections: { help: 'Connections that this process runs on schedules.', labels: ['connector'] },
  recalld_sync_attention: { help: 'Connections whose last run needs attention.', labels: ['connector'] },
  recalld_sync_last_success_timestamp_seconds: {
    help: 'Time of the last successful run, of the connection with the oldest one; without any, the start of this process.',
    labels: ['connector'],
  },
  recalld_sync_next_run_seconds: {
    help: 'Seconds until the next run that is due; negative while it is overdue.',
    labels: ['connector'],
  },
  recalld_model_budget_left_ratio: {
    help: 'Remaining share of the budget of the day or month, of the account with least: 1 is all, 0 is nothing.',
    labels: [],
  },
  recalld_home_free_bytes: { help: 'Free bytes on the disk with the home folder.', labels: [] },
  recalld_home_size_bytes: { help: 'Size of the disk with the home folder.', labels: [] },
} as const satisfies Record<string, Definition>
