import type { ActivityActor, ActivityEntry, ActivityKind } from '../../domain/activity.ts'

/** What happened, of all accounts: for whoever writes it. */
export interface ActivityLog {
  /** In the order in which it happened, in one commit. What is of accounts that are not there is left out. */
  add(entries: readonly NewActivity[]): Promise<void>
  /** Erases what is too old or too much, in every account. */
  prune(retention: ActivityRetention): Promise<void>
}

export interface NewActivity {
  readonly accountId: string
  readonly at: Date
  readonly actor: ActivityActor
  readonly entry: ActivityEntry
}

export interface ActivityRetention {
  /** What happened before goes, but for acts of administration. */
  readonly since: Date
  /** Acts of administration before it go. */
  readonly administrationSince: Date
  /** What is not among the newest so many of each account goes, but for acts of administration. */
  readonly most: number
  /** `false`: what was asked goes, however new it is. */
  readonly keepQuestions: boolean
}

/** Of one account; for scopes with all sources only (`forbidden` otherwise). */
export interface ScopedActivity {
  /** Newest first. */
  page(query: ActivityQuery): Promise<ActivityRow[]>
  /** Whoever did something that is still known, under their latest name, who did something last first. */
  actors(): Promise<ActivityActor[]>
}

export interface ActivityQuery {
  /** Numbers below this one. */
  readonly before?: number
  /** Not before. */
  readonly since?: Date
  /** Absent: all. */
  readonly kinds?: readonly ActivityKind[]
  readonly actor?: Pick<ActivityActor, 'type'> & { readonly id?: string }
  readonly limit: number
}

export interface ActivityRow {
  /** Of the account, rising, never given out again. */
  readonly number: number
  readonly at: Date
  readonly actor: ActivityActor
  readonly entry: ActivityEntry
}
