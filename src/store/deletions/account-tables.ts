import type { Database } from '../schema.ts'

/** How a table identifies the rows of an account. */
export type Belonging =
  /** By `account_key`, which is indexed, or the table is small. */
  | { readonly by: 'account' }
  /** By `account_key`, in a large table that is counted in slices of its key. */
  | { readonly by: 'account'; readonly inOrderOf: string }
  /** By its parent row; a row without its parent is left over. */
  | { readonly by: 'parent'; readonly column: string; readonly parent: keyof Database }
  | { readonly by: 'ledger' }
  /** By `memory_id`. */
  | { readonly by: 'memory' }
  /** Rows that belong to no account: people, the server, deletions. */
  | { readonly by: 'nobody' }

const ACCOUNT = { by: 'account' } as const

const NOBODY = { by: 'nobody' } as const

/**
 * Every table. When you add one, declare its rows here and remove them in `sweepDeletion`; then they
 * are counted afterwards.
 */
export const ACCOUNT_TABLES: Readonly<Record<keyof Database, Belonging>> = {
  account: ACCOUNT,
  user: ACCOUNT,
  api_key: ACCOUNT,
  usage: ACCOUNT,
  item: ACCOUNT,
  body: { by: 'parent', column: 'item_key', parent: 'item' },
  blob_write: ACCOUNT,
  blob_garbage: ACCOUNT,
  job: ACCOUNT,
  chunk: { by: 'account', inOrderOf: 'chunk_id' },
  chunk_text: { by: 'parent', column: 'chunk_id', parent: 'chunk' },
  chunk_vector: { by: 'account', inOrderOf: 'vector_key' },
  memory: { by: 'account', inOrderOf: 'memory_key' },
  qa: { by: 'account', inOrderOf: 'qa_key' },
  hidden_range: ACCOUNT,
  vocabulary: ACCOUNT,
  golden_question: ACCOUNT,
  golden_item: { by: 'parent', column: 'golden_key', parent: 'golden_question' },
  golden_run: ACCOUNT,
  memory_edit: ACCOUNT,
  item_tag: ACCOUNT,
  name_decision: ACCOUNT,
  refinement: { by: 'account', inOrderOf: 'refinement_id' },
  refinement_part: { by: 'parent', column: 'item_key', parent: 'item' },
  refinement_spend: ACCOUNT,
  refinement_pause: ACCOUNT,
  activity: ACCOUNT,
  membership: ACCOUNT,
  oauth_authorization: ACCOUNT,
  oauth_token: { by: 'parent', column: 'authorization_key', parent: 'oauth_authorization' },
  sign_in_link: ACCOUNT,
  ledger: { by: 'memory' },
  ledger_connection: { by: 'ledger' },
  ledger_partition: { by: 'parent', column: 'connection_key', parent: 'ledger_connection' },
  ledger_item: { by: 'ledger' },
  ledger_budget: { by: 'ledger' },
  ledger_fact: { by: 'ledger' },
  access_grant: { by: 'memory' },
  person: NOBODY,
  oauth_client: NOBODY,
  web_session: NOBODY,
  passkey: NOBODY,
  outside_identity: NOBODY,
  counter: NOBODY,
  space: NOBODY,
  account_deletion: NOBODY,
  consent: { by: 'memory' },
  daily_task: NOBODY,
  database_identity: NOBODY,
  failed_sign_in: NOBODY,
  request_count: NOBODY,
}
