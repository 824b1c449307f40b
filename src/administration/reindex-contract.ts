import type { GoldenChange } from '../service/golden-report.ts'

/** An embedding model, as commands name it. */
export interface ModelView {
  readonly space_id: string
  /** `openai-compatible nomic-embed-text`, or `the built-in model`. */
  readonly name: string
  readonly is_built_in: boolean
}

/** Which models are there, and in which role. */
export interface ReindexState {
  /** In config.yaml; the built-in one when it names none. */
  readonly configured: ModelView
  /** Questions are asked in its space. */
  readonly active: ModelView
  readonly building?: ModelView
  /** Was active before, and can be gone back to. */
  readonly previous?: ModelView
}

export interface ReindexEstimate {
  readonly texts: number
  readonly characters: number
  /** A quarter of the characters. */
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

/** Of golden questions that have an item. */
export interface GoldenScores {
  readonly asked: number
  readonly found_in_5: number
  readonly found_in_10: number
  /** Mean of 1 / rank, 0 where nothing was found. */
  readonly mean_reciprocal_rank: number
  /** Questions whose items were all forgotten; they count in nothing else. */
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
  /** Compared with the last run. */
  readonly questions: readonly (GoldenChange & { readonly question: string })[]
  readonly notice?: string
}

/** What `recalld reindex` and `recalld golden run` work with: the service with the model that is configured; made by the composition
 * root. */
export interface ReindexService extends AsyncDisposable {
  state(): Promise<ReindexState>
  /** Sends the configured model some sentences to see how fast it is; nothing of the memory. */
  estimate(): Promise<ReindexEstimate>
  /**
   * Fills the space of the configured model beside the active one, also while a service does so. Resolves when nothing
   * lacks a vector; rejects with the signal's reason, and with what the model says to the first call.
   */
  build(report: (progress: BuildProgress) => void, signal: AbortSignal): Promise<void>
  /** Texts that lack a vector in the space of the configured model. */
  missing(): Promise<number>
  /**
   * The golden questions of all accounts, as they are answered in the active space and in that of the configured model. When
   * the model of the active one is out of reach: as it answered them the last time, else as they are answered without it.
   */
  compare(): Promise<SpaceComparison[]>
  /**
   * The golden questions of an account, as users ask them; kept to compare the next run with, unless a `notice` says that
   * they were asked in another space than chosen.
   */
  askGolden(account: string | undefined): Promise<GoldenAnswers>
  /** Questions are asked in the space of the configured model from now on. */
  switchOver(): Promise<void>
  /** Switches questions back to the previous space. Rejects with `conflict` when there is none. */
  rollBack(): Promise<void>
  /** Removes the space that was active before, or is building. Returns what was removed. */
  drop(): Promise<readonly ModelView[]>
}
