/** What the owner decided about a name of a person. */
export interface NameDecision {
  readonly name: string
  /** Another name of the same person; absent: a separate person. */
  readonly mergedInto?: string
  /** Name of the author. */
  readonly by: string
  readonly at: Date
}

/** Decisions about names. They concern all sources of an account, so only scopes of all sources write them. */
export interface NameDecisions {
  /** Newest first, at most `MOST_NAME_DECISIONS`. Empty for a scope without sources. */
  list(): Promise<NameDecision[]>
  /**
   * Replaces the earlier decision about this name, and returns it.
   * @throws AppError `conflict` when the other name is merged into this one already; `forbidden` for a limited scope
   */
  decide(decision: Omit<NameDecision, 'at'>): Promise<NameDecision | undefined>
  /** Imports a decision unchanged, unless there is one about this name. */
  restore(decision: NameDecision): Promise<void>
  /** Returns whether there was one. */
  undo(name: string): Promise<boolean>
}

/** Limited, because questions that name somebody read them. */
export const MOST_NAME_DECISIONS = 1_000
