import type { GoldenChange } from '../service/golden-report.ts'

/** An embedding model, as commands show it. */
export interface ModelView {
  readonly space_id: string
  /** `openai-compatible nomic-embed-text`, or `the built-in model`. */
  readonly name: string
  readonly is_built_in: boolean
}

/** The embedding spaces and their roles. */
export interface ReindexState {
  /** The configured one; the built-in one when none is configured. */
  readonly configured: ModelView
  /** Used for questions. */
  readonly active: ModelView
  readonly building?: ModelView
  /** Previously active, and available for switching back. */
  readonly previous?: ModelView
}

export interface ReindexEstimate {
  readonly texts: number
  readonly characters: number
  /** Estimated as a quarter of the characters. */
  readonly tokens: number
  /** US dollars; absent when `price` is not configured. */
  readonly dollars?: number
  readonly seconds: number
}

export interface BuildProgress {
  readonly chunks: number
  readonly filled: number
  readonly problem?: string
}

/** Golden questions with an item. */
export interface GoldenScores {
  readonly asked: number
  readonly found_in_5: number
  readonly found_in_10: number
  /** Mean of 1 / rank, 0 where nothing was found. */
  readonly mean_reciprocal_rank: number
  /** Questions without remaining items; excluded from everything else. */
  readonly without_item: number
}

/** How the golden questions of one account are answered in two spaces. */
export interface SpaceComparison {
  readonly account_id: string
  readonly before: GoldenScores
  readonly after: GoldenScores
  readonly questions: readonly (GoldenChange & { readonly question: string })[]
  readonly clearly_worse: boolean
}

export interface GoldenAnswers {
  readonly scores: GoldenScores
  /** Compared with the previous run. */
  readonly questions: readonly (GoldenChange & { readonly question: string })[]
  readonly notice?: string
}

/**
 * What `recalld reindex` and `recalld golden run` use: the service with the configured model, created by the
 * composition root.
 */
export interface ReindexService extends AsyncDisposable {
  state(): Promise<ReindexState>
  /** Sends the configured model some sample sentences to measure its speed; nothing from the memory. */
  estimate(): Promise<ReindexEstimate>
  /**
   * Fills the space of the configured model next to the active one, also while a service does so. Resolves when no
   * vector is missing; rejects with the signal's reason, and with the model's error on the first call.
   */
  build(report: (progress: BuildProgress) => void, signal: AbortSignal): Promise<void>
  /** Texts without a vector of the configured model. */
  missing(): Promise<number>
  /**
   * The golden questions of all accounts, answered in the active space and in that of the configured model. If the
   * active model is unreachable, its last results are used, otherwise the results without it.
   */
  compare(): Promise<SpaceComparison[]>
  /**
   * The golden questions of an account, asked as users do; stored for the next comparison, unless a `notice` says that
   * another space was used.
   */
  askGolden(account: string | undefined): Promise<GoldenAnswers>
  /** Switches questions to the space of the configured model. */
  switchOver(): Promise<void>
  /** Switches questions back to the previous space. Rejects with `conflict` when there is none. */
  rollBack(): Promise<void>
  /** Removes the space that was previously active, or is being built. Returns what was removed. */
  drop(): Promise<readonly ModelView[]>
}
