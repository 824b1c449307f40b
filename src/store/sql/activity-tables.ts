import type { ActivityActor, ActivityKind } from '../../domain/activity.ts'

/** As the migration `activity` makes them. */
export interface ActivityTables {
  activity: {
    account_key: number
    number: number
    at: number
    kind: ActivityKind
    actor_type: ActivityActor['type']
    /** Empty: the server. */
    actor_id: string
    actor_name: string | null
    details: string
  }
}
