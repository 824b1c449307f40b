import type { AskResult, CallOptions, Citation, RecallQuery } from '../domain/memory.ts'
import type { MemoryCopy, SupersededMemory } from '../domain/memory-content.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { Why } from '../retrieval/explain-recall.ts'
import type { Spans } from '../retrieval/matched-words.ts'
import type { Holdings } from '../store/items/items.ts'
import type { Principal } from './service.ts'

/** Recall and ask for people who look at what is found: with reasons, places and numbers. Counted and billed as the others. */
export interface ExploreUseCases {
  recall(principal: Principal, query: ExploreQuery, options?: CallOptions): Promise<Explored>
  ask(principal: Principal, question: { readonly text: string }, options?: CallOptions): Promise<ExploredAnswer>
  overview(principal: Principal): Promise<Holdings>
}

export interface ExploreQuery extends Omit<RecallQuery, 'source'> {
  /** Absent or empty: all. */
  readonly sources?: readonly SourceType[]
  /** Somebody who says it or takes part in it: a name, a part of it, or how a part begins. */
  readonly person?: string
}

/** A memory as it was found, and why. Absent fields depend on its source. */
export interface ExploredMemory {
  readonly customId: string
  readonly itemId: string
  readonly source: SourceType
  readonly score: number
  /** Of its item. */
  readonly title: string | undefined
  readonly headline: string | undefined
  readonly narrative: string | undefined
  readonly body: string | undefined
  readonly participants: readonly string[]
  readonly when: string | undefined
  readonly at: Date | undefined
  readonly where: string | undefined
  readonly tags: readonly string[]
  readonly url: string | undefined
  readonly copies: readonly MemoryCopy[]
  /** What holds now instead. */
  readonly supersededBy: OtherMemory | undefined
  readonly supersedes: readonly OtherMemory[]
  /** Where the words of the question stand. */
  readonly matches: Readonly<Record<'headline' | 'narrative' | 'body', Spans>>
  readonly why: Why
}

/** A memory, and where it stands. */
export interface OtherMemory extends SupersededMemory {
  readonly source: SourceType
}

/** What was made of the question. */
export interface Understood {
  /** Of the time that it names; either may be open. */
  readonly since: Date | undefined
  readonly until: Date | undefined
  readonly sources: readonly SourceType[]
  readonly words: readonly UnderstoodWord[]
}

export interface UnderstoodWord {
  readonly word: string
  /** Share of the weight of all words. */
  readonly weight: number
  /** Words that are spelt alike and were looked for instead; empty when the word itself occurs. */
  readonly takenAs: readonly string[]
}

export interface Explored {
  readonly traceId: string
  readonly results: readonly ExploredMemory[]
  readonly understood: Understood
  /** Among the results, most first. */
  readonly sources: readonly { readonly source: SourceType; readonly count: number }[]
  readonly people: readonly { readonly name: string; readonly count: number }[]
  readonly notice: string | undefined
}

export interface ExploredAnswer extends Required<Pick<AskResult, 'abstained'>>, Pick<AskResult, 'notice'> {
  /** Without the lines that say where its quotes are from. */
  readonly text: string
  readonly citations: readonly (Citation & {
    /** Of the memory whose passage holds the quote. */
    readonly customId: string | undefined
  })[]
}
