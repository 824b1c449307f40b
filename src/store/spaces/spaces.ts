/**
 * The embedding spaces of plugged-in models: their vectors lie beside those of the built-in model, which are always kept.
 * A space belongs to the whole store; its vectors are read through `scoped(...).index` only. At most one is building and
 * one active; questions are asked in the active one, or in that of the built-in model when none is.
 */
export interface Spaces {
  /** Of plugged-in models, oldest first; those that were removed whole are not there any more. */
  list(): Promise<SpaceRow[]>
  /** `undefined`: questions are asked in that of the built-in model. A read of microseconds. */
  active(): Promise<Pick<NewSpace, 'spaceId' | 'background'> | undefined>
  /**
   * Makes it the one that is building, keeping the vectors it has. What was building or retired beside it is dropped. An
   * active one stays as it is.
   */
  begin(space: NewSpace): Promise<void>
  /**
   * From this commit on questions are asked in it, or in the space of the built-in model when `undefined`; the one before
   * is retired, and any other that was retired is dropped. Rejects with `conflict` when it neither is building nor retired.
   */
  activate(spaceId: string | undefined): Promise<void>
  /** Its vectors are removed from now on. Rejects with `conflict` when it is active. Unknown ids change nothing. */
  drop(spaceId: string): Promise<void>
  /**
   * Removes a batch of what was dropped, overwritten as forgotten text is. Returns whether there may be more to do now: what
   * others read at this moment is removed by a later call.
   */
  sweep(): Promise<boolean>
  /** Chunks shown by their items, and how many of them have a vector in the space. Counts rows: for people who wait. */
  progress(spaceId: string): Promise<{ readonly chunks: number; readonly filled: number }>
  /** Chunks without a vector in the space, as much as they are worth in characters. Reads all texts. */
  estimate(spaceId: string): Promise<{ readonly texts: number; readonly characters: number }>
  /**
   * Whether `holder` alone may fill the space until `leaseMs` from now; renewed by asking again. `false`: somebody else
   * does, or the space is neither building nor active.
   */
  lease(request: { spaceId: string; holder: string; leaseMs: number }): Promise<boolean>
  /** Ends the lease, if `holder` has it. */
  release(request: { spaceId: string; holder: string }): Promise<void>
  /** Texts that lack a vector, oldest first; bounded work, so it may find none although there are some: see `isLast`. */
  missing(spaceId: string, limit: number): Promise<MissingTexts>
  /**
   * Adds vectors, and remembers how far everything is filled, in one commit. Chunks that were removed meanwhile, or have a
   * vector by now, are passed over. Forgets a problem. `gone`: the space is not to be filled any more.
   */
  fill(spaceId: string, filled: FilledVectors): Promise<'stored' | 'gone'>
  /** Why the space cannot be filled at the moment, for people who look. */
  noteProblem(spaceId: string, problem: { message: string; retryAt: Date }): Promise<void>
}

export type SpaceState = 'building' | 'active' | 'retired' | 'dropping'

export interface NewSpace {
  readonly spaceId: string
  readonly dimensions: number
  /** What a person knows the model by, such as `provider` and `model`; never a key. */
  readonly model: Readonly<Record<string, string | number>>
  /** Mean cosine of texts that have nothing to do with each other. */
  readonly background: number
}

export interface SpaceRow extends NewSpace {
  readonly state: SpaceState
  /** When it got into this state. */
  readonly changedAt: Date
  readonly problem?: { readonly message: string; readonly retryAt: Date }
}

export interface MissingTexts {
  readonly texts: readonly { readonly chunkId: number; readonly text: string }[]
  /** When all of these have vectors, everything up to here has; for `fill`. */
  readonly floor: SpaceFloor
  /** Nothing further lacks a vector. */
  readonly isLast: boolean
}

/** How far a space is filled, as it was read: opaque to callers. */
interface SpaceFloor {
  readonly chunkId: number
  readonly epoch: number
}

export interface FilledVectors {
  /** Unit vectors times 127, rounded; empty when the text has no direction. */
  readonly vectors: readonly { readonly chunkId: number; readonly vector: Int8Array }[]
  readonly floor: SpaceFloor
}
