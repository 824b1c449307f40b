/** What changed in an account, told to the people who look at it at that moment. Carries no contents of memories. */
export type LiveEvent =
  /** Items came, went or changed their state. */
  | { readonly type: 'items' }
  /** A connection was made, changed, removed, or a run of it began or ended. */
  | { readonly type: 'sources' }
  | { readonly type: 'sync'; readonly connection: string; readonly progress: LiveProgress }
  | { readonly type: 'activity' }
  | { readonly type: 'keys' }
  | { readonly type: 'people' }

/** How far the run of a connection is. */
export interface LiveProgress {
  /** Title of the partition that is read. */
  readonly partition?: string
  readonly partitionsDone: number
  readonly partitionsTotal: number
  readonly memorized: number
  readonly unchanged: number
  readonly removed: number
  readonly failed: number
  /** Waits for a rate limit until then, ISO 8601. */
  readonly waitingUntil?: string
}
