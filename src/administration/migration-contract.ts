/** What `recalld migrate-store` needs of the composition root. */
export interface MigrationRequest {
  /** `sqlite`: the file of the home; `postgres`: the database that the settings name; else its address. */
  readonly from?: string
  readonly to: string
  /** Nothing is copied. */
  readonly verifyOnly: boolean
  /** @param rows of all that the step goes through, also in a run before */
  onStep(step: 'copying' | 'indexing' | 'comparing', rows: number): void
  onRows(rows: number): void
}

export interface MigrationReport {
  readonly tables: readonly {
    readonly name: string
    readonly rows: { readonly source: number; readonly target: number }
    readonly is_same: boolean
  }[]
  /** Chunks that are found by other words than before, because an older version had indexed them. */
  readonly other_terms: number
  readonly is_same: boolean
  readonly to: 'sqlite' | 'postgres'
}
