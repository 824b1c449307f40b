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
  recalld_http_requests_total: { help: 'Requests by route and status.', labels: ['method', 'route', 'status'] },
  recalld_connections_ended_total: {
    help: 'Connections that were closed because the process or one address had too many (process_limit, address_limit), or that the system could not accept (system_limit).',
    labels: ['reason'],
  },
  recalld_uploads_total: {
    help: 'Uploads that were accepted: created, replaced, or unchanged because the same bytes are held already.',
    labels: ['outcome'],
  },
  recalld_upload_bytes_total: { help: 'Bytes of uploads that were stored.', labels: [] },
  recalld_bodies_damaged_total: {
    help: 'Reads of stored bytes that were damaged or missing, in the database or in the object storage.',
    labels: ['where'],
  },
  recalld_worker_claims_total: { help: 'Items that this process has taken from the queue.', labels: [] },
  recalld_items_moved_total: {
    help: 'Items that needed more than a second of processor time and were moved to the slow lane.',
    labels: [],
  },
  recalld_worker_threads_lost_total: {
    help: 'Pipeline threads that ended on a file: by its memory, its time or a crash.',
    labels: [],
  },
  recalld_items_processed_total: {
    help: 'Ends of the processing of an item: stored, superseded (deleted or replaced meanwhile, or the lease lost), retried, or failed for good.',
    labels: ['outcome'],
  },
  recalld_item_failures_total: {
    help: 'Failures of items by error code: those that are tried again (retried), and those that are final (failed).',
    labels: ['code', 'outcome'],
  },
  recalld_refinements_total: {
    help: 'Results of language-model work on items: stored, superseded, withheld (budget used up or model unavailable) or failed.',
    labels: ['outcome'],
  },
  recalld_sync_runs_total: { help: 'Runs of connections by connector and outcome.', labels: ['connector', 'outcome'] },
  recalld_sync_items_total: {
    help: 'Items that runs have looked at, by what became of them; failed ones include those that are skipped for good.',
    labels: ['connector', 'fate'],
  },
  recalld_sync_requests_total: { help: 'Requests to sources.', labels: ['connector'] },
  recalld_sync_waited_seconds_total: {
    help: 'Seconds that runs have waited for rate limits and for another try.',
    labels: ['connector'],
  },
  recalld_model_calls_total: {
    help: 'Calls of plugged-in models: ok, aborted, or the code of the error.',
    labels: ['purpose', 'outcome'],
  },
  recalld_model_tokens_total: {
    help: 'Tokens sent and received; those of embedding models and rerankers are estimated.',
    labels: ['purpose', 'direction'],
  },
  recalld_model_micro_dollars_total: {
    help: 'Millionths of a US dollar that calls have cost, by the configured price.',
    labels: ['purpose'],
  },
  recalld_questions_total: {
    help: 'Questions that were answered: recall with results (found) or without (empty), ask with an answer (answered) or without (abstained).',
    labels: ['kind', 'outcome'],
  },
  recalld_store_failures_total: {
    help: 'Transactions that failed, by write command and error code.',
    labels: ['intent', 'code'],
  },
  recalld_trace_export_failures_total: { help: 'Batches of spans that the collector did not take.', labels: [] },
  recalld_metrics_failures_total: {
    help: 'Parts of this page that could not be read, such as those of an unavailable store.',
    labels: ['part'],
  },
} as const satisfies Record<string, Definition>

export const HISTOGRAMS = {
  recalld_http_request_seconds: { help: 'Time to answer, by route.', labels: ['method', 'route'], buckets: WAITED },
  recalld_pipeline_stage_seconds: {
    help: 'Time of each stage of the pipeline for an item.',
    labels: ['stage'],
    buckets: [0.0005, 0.0025, 0.01, 0.05, 0.25, 1, 5, 30, 120],
  },
  recalld_item_seconds: {
    help: 'Time from the beginning of the pipeline until an item is stored or has failed.',
    labels: ['outcome'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 5, 30, 120],
  },
  recalld_item_attempts: {
    help: 'Attempts that an item took until it was stored or given up.',
    labels: ['outcome'],
    buckets: [1, 2, 3, 4, 5],
  },
  recalld_sync_run_seconds: { help: 'Time of a run of a connection.', labels: ['connector'], buckets: LONG },
  recalld_model_call_seconds: { help: 'Time of a call of a plugged-in model.', labels: ['purpose'], buckets: LONG },
  recalld_question_seconds: {
    help: 'Time to find, and for ask to word, an answer.',
    labels: ['kind'],
    buckets: WAITED,
  },
  recalld_question_candidates: {
    help: 'Chunks that were scored for a question, with their neighbours.',
    labels: [],
    buckets: [0, 10, 50, 100, 250, 500, 1_000, 2_500],
  },
  recalld_store_transaction_seconds: {
    help: 'Time until a transaction is durable, with its wait for its turn.',
    labels: ['intent'],
    buckets: SHORT,
  },
} as const satisfies Record<string, Distribution>

export const GAUGES = {
  recalld_build_info: { help: '1; what is running.', labels: ['version'] },
  recalld_role: { help: '1 for each role of this process.', labels: ['role'] },
  recalld_ready: { help: '1 while the check of /v1/ready passes, else 0.', labels: ['check'] },
  recalld_queue_waiting: {
    help: 'Items that wait, by turn: uploads, items made again in the background, refinements by a language model.',
    labels: ['turn'],
  },
  recalld_queue_oldest_seconds: { help: 'Age of what waits longest, by turn; 0 when nothing waits.', labels: ['turn'] },
  recalld_refinement_pauses: {
    help: 'Pauses of the language model in force: budget (of an account or one of its sources), away, refused.',
    labels: ['reason'],
  },
  recalld_items: {
    help: 'Items by state: waiting for processing, or settled (ready or failed).',
    labels: ['state'],
  },
  recalld_items_failed: { help: 'Items whose processing has failed for good.', labels: [] },
  recalld_items_bytes: { help: 'Bytes of uploads held.', labels: [] },
  recalld_blobs_garbage: {
    help: 'Objects of deleted and replaced uploads that are still to be removed from the bucket.',
    labels: [],
  },
  recalld_integrity_problems: {
    help: 'What the last weekly check of the stored data found: damaged pages of the database, and files that are not what was uploaded.',
    labels: [],
  },
  recalld_integrity_checked_timestamp_seconds: {
    help: 'When the stored data was checked last to the end; absent before.',
    labels: [],
  },
  recalld_accounts: { help: 'Accounts.', labels: [] },
  recalld_chunks: { help: 'Chunks in the index.', labels: [] },
  recalld_memories: { help: 'Memories.', labels: [] },
  recalld_vectors_loaded: { help: 'Vectors in memory, where the engine keeps them there.', labels: [] },
  recalld_vectors_loaded_bytes: { help: 'Bytes of the vectors in memory.', labels: [] },
  recalld_store_connections: {
    help: 'Connections to the database server: in_use, idle, and callers that wait for one (waiting).',
    labels: ['state'],
  },
  recalld_sync_connections: { help: 'Connections that run here on schedules.', labels: ['connector'] },
  recalld_sync_attention: { help: 'Connections whose last run needs a person.', labels: ['connector'] },
  recalld_sync_last_success_timestamp_seconds: {
    help: 'When the last run ended well, of the connection for which that is longest ago; of one without, the start of this process.',
    labels: ['connector'],
  },
  recalld_sync_next_run_seconds: {
    help: 'Seconds until the next run that is due; negative while it is overdue.',
    labels: ['connector'],
  },
  recalld_model_budget_left_ratio: {
    help: 'What is left of the budget of the day, of the account with least: 1 is all, 0 is nothing.',
    labels: [],
  },
  recalld_home_free_bytes: { help: 'Free bytes of the disk with the home folder.', labels: [] },
  recalld_home_size_bytes: { help: 'Size of the disk with the home folder.', labels: [] },
} as const satisfies Record<string, Definition>
