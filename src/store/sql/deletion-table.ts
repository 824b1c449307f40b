import type { ActivityActor } from '../../domain/activity.ts'

/** As the migration `account-deletions` makes it. */
export interface DeletionTables {
  account_deletion: {
    account_id: string
    account_key: number
    ledger_key: number | null
    name: string
    actor_type: ActivityActor['type']
    /** Empty: the server. */
    actor_id: string
    actor_name: string | null
    begun_at: number
    items: number | null
    memories: number | null
    bytes: number | null
    bodies_hash: string | null
    ended_at: number | null
    /** JSON: rows by table. */
    remaining: string | null
  }
}
