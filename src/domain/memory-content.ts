/** The content object of a memory (specification 2.2): every field is optional because it depends on the source. */
export interface MemoryContent {
  /** First-person account, written for the `user_name` of the upload. */
  readonly narrative?: string
  readonly headline?: string
  /** The passage the memory was made from, verbatim but for redactions. */
  readonly body?: string
  readonly participants?: readonly string[]
  /** Free-text time of the event, e.g. `2026-03-04 10:00` or `12 May 2026, 10:00 to 11:00`. */
  readonly when?: string
  readonly where?: string | null
  /** Extension: the original, where it came from: an address for a browser. */
  readonly url?: string
  readonly tags?: readonly string[]
  readonly other_entities?: readonly OtherEntity[]
}

export interface OtherEntity {
  readonly entity_name: string
  readonly entity_type: string
}
