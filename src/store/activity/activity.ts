import type { ActivityActor, ActivityEntry, ActivityKind } from '../../domain/activity.ts'

/** Writes the activity of all accounts. */
export interface ActivityLog {
  /** Adds entries in order, in one commit. Skips deleted accounts. */
  add(entries: readonly NewActivity[]): Promise<void>
  /** Deletes old and excess entries, in every account. */
  prune(retention: ActivityRetention): Promise<void>
}

export interface NewActivity {
  readonly accountId: string
  readonly at: Date
  readonly actor: ActivityActor
  readonly entry: ActivityEntry
}

export interface ActivityRetention {
  /** Deletes earlier entries, except administrative ones. */
  readonly since: Date
  /** Deletes earlier administrative entries. */
  readonly administrationSince: Date
  /** Keeps this many of the newest entries per account, besides administrative ones. */
  readonly most: number
  /** `false`: deletes all questions. */
  readonly keepQuestions: boolean
}

/** Activity of one account; only for scopes with all sources (`forbidden` otherwise). */
export interface ScopedActivity {
  /** Newest first. */
  page(query: ActivityQuery): Promise<ActivityRow[]>
  /** Everyone with recorded activity, under their latest name, most recently active first. */
  actors(): Promise<ActivityActor[]>
}

export interface ActivityQuery {
  /** Only entries with lower numbers. */
  readonly before?: number
  /** Not before. */
  readonly since?: Date
  /** Absent: all. */
  readonly kinds?: readonly ActivityKind[]
  readonly actor?: Pick<ActivityActor, 'type'> & { readonly id?: string }
  readonly limit: number
}

export interface ActivityRow {
  /** Increases within the account and is never reused. */
  readonly number: number
  readonly at: Date
  readonly actor: ActivityActor
  readonly entry: ActivityEntry
}
