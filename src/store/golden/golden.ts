import type { SourceType } from '../../domain/source-type.ts'

/**
 * A person's own questions with the items that answer them, and how they were answered. Of one account; for scopes with
 * all sources only (`forbidden` otherwise), because a question tells what its items hold.
 */
export interface GoldenQuestions {
  /** Returns its number, which is never given out again. */
  add(question: { question: string; items: readonly GoldenItem[] }): Promise<number>
  /** In the order of their numbers. */
  list(): Promise<GoldenQuestion[]>
  /** Whether there was one. */
  remove(number: number): Promise<boolean>
  /** Keeps the last runs; older ones go. */
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
  /** `isHeld`: the memory has the item now. */
  readonly items: readonly (GoldenItem & { readonly isHeld: boolean })[]
  readonly createdAt: Date
}

/** How all questions were answered at one time. */
export interface GoldenRun {
  readonly ranAt: Date
  /** Of recalld. */
  readonly version: string
  /** Of the pipeline that made the memories. */
  readonly pipelineVersion: string
  /** Space that the questions were asked in. */
  readonly spaceId: string
  readonly ranks: ReadonlyMap<number, GoldenRank>
}

/** Rank of the first right item, from 1; `null`: none was found; `'no item'`: none of its items is stored. */
export type GoldenRank = number | null | 'no item'
