/**
 * The embedding spaces of configured models: their vectors are stored in addition to those of the built-in model, which
 * are always kept. A space belongs to the whole store; its vectors are read only through `scoped(...).index`. At most
 * one is building and one active; questions use the active one, or that of the built-in model when none is.
 */
export interface Spaces {
  /** Spaces of configured models, oldest first; completely removed ones are omitted. */
  list(): Promise<SpaceRow[]>
  /** `undefined`: questions use that of the built-in model. Takes microseconds. */
  active(): Promise<Pick<NewSpace, 'spaceId' | 'background'> | undefined>
  /**
   * Starts building it, keeping its vectors. Another building or retired space is dropped. An active one stays as it
   * is.
   */
  begin(space: NewSpace): Promise<void>
  /**
   * From this commit on, questions use it, or the space of the built-in model when `undefined`; the previous one is
   * retired, and any other retired one is dropped. Rejects with `conflict` when it is neither building nor retired.
   */
  activate(spaceId: string | undefined): Promise<void>
  /** Its vectors are removed from now on. Rejects with `conflict` when it is active. Ignores unknown ids. */
  drop(spaceId: string): Promise<void>
  /**
   * Removes a batch of dropped vectors, with secure delete. Returns whether there may be more to do now: what others
   * are reading is removed by a later call.
   */
  sweep(): Promise<boolean>
  /** Visible chunks, and how many of them have a vector in the space. Counts rows, so only for people. */
  progress(spaceId: string): Promise<{ readonly chunks: number; readonly filled: number }>
  /** Chunks without a vector in the space, and their length in characters. Reads all texts. */
  estimate(spaceId: string): Promise<{ readonly texts: number; readonly characters: number }>
  /**
   * Acquires or renews the lease for filling the space until `leaseMs` from now. `false`: somebody else has it, or the
   * space is neither building nor active.
   */
  lease(request: { spaceId: string; holder: string; leaseMs: number }): Promise<boolean>
  /** Ends the lease, if `holder` has it. */
  release(request: { spaceId: string; holder: string }): Promise<void>
  /** Texts without a vector, oldest first; bounded work, so it may find none although there are some: see `isLast`. */
  missing(spaceId: string, limit: number): Promise<MissingTexts>
  /**
   * Adds vectors and the progress in one commit. Chunks that were removed or filled meanwhile are skipped. Clears a
   * problem. `gone`: the space is not to be filled any more.
   */
  fill(spaceId: string, filled: FilledVectors): Promise<'stored' | 'gone'>
  /** Why the space cannot be filled at the moment, for people. */
  noteProblem(spaceId: string, problem: { message: string; retryAt: Date }): Promise<void>
}

export type SpaceState = 'building' | 'active' | 'retired' | 'dropping'

export interface NewSpace {
  readonly spaceId: string
  readonly dimensions: number
  /** Display fields of the model, such as `provider` and `model`; never a key. */
  readonly model: Readonly<Record<string, string | number>>
  /** Mean cosine of unrelated texts. */
  readonly background: number
}

export interface SpaceRow extends NewSpace {
  readonly state: SpaceState
  /** When it entered this state. */
  readonly changedAt: Date
  readonly problem?: { readonly message: string; readonly retryAt: Date }
}

export interface MissingTexts {
  readonly texts: readonly { readonly chunkId: number; readonly text: string }[]
  /** When all of these have vectors, everything up to here has; for `fill`. */
  readonly floor: SpaceFloor
  /** No further vector is missing. */
  readonly isLast: boolean
}

/** How far a space is filled: opaque to callers. */
interface SpaceFloor {
  readonly chunkId: number
  readonly epoch: number
}

export interface FilledVectors {
  /** Unit vectors times 127, rounded; empty when the text has no direction. */
  readonly vectors: readonly { readonly chunkId: number; readonly vector: Int8Array }[]
  readonly floor: SpaceFloor
}
