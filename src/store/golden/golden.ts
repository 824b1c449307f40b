import type { SourceType } from '../../domain/source-type.ts'

/**
 * A person's own questions with the items that answer them, and the results. For one account, and only for scopes with
 * all sources (`forbidden` otherwise), because a question reveals the content of its items.
 */
export interface GoldenQuestions {
  /** Returns its number, which is never reused. */
  add(question: { question: string; items: readonly GoldenItem[] }): Promise<number>
  /** In the order of their numbers. */
  list(): Promise<GoldenQuestion[]>
  /** Whether there was one. */
  remove(number: number): Promise<boolean>
  /** Adds a run and deletes the oldest ones. */
  saveRun(run: GoldenRun): Promise<void>
  /** Newest first. */
  runs(limit: number): Promise<GoldenRun[]>
}

export interface GoldenItem {
  readonly itemId: string
  readonly sourceType: SourceType
}

export interface GoldenQuestion {
  readonly number: number
  readonly question: string
  /** `isHeld`: the memory currently has the item. */
  readonly items: readonly (GoldenItem & { readonly isHeld: boolean })[]
  readonly createdAt: Date
}

/** One run of all questions. */
export interface GoldenRun {
  readonly ranAt: Date
  /** Of recalld. */
  readonly version: string
  /** Version of the pipeline that created the memories. */
  readonly pipelineVersion: string
  /** Embedding space of the questions. */
  readonly spaceId: string
  readonly ranks: ReadonlyMap<number, GoldenRank>
}

/** Rank of the first right item, from 1; `null`: none was found; `'no item'`: none of its items is stored. */
export type GoldenRank = number | null | 'no item'
