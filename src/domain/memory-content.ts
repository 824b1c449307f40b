import type { SourceType } from './source-type.ts'

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

/** Content as recall gives it, which knows of other memories. All fields of its own are extensions. */
export interface RecalledContent extends MemoryContent {
  /** Memories that say the same to the word, and are therefore no results of their own. */
  readonly also_in?: readonly MemoryCopy[]
  /** `custom_id` of the memory that holds now instead of this one. */
  readonly superseded_by?: string
  /** What held before this memory, newest first. */
  readonly supersedes?: readonly SupersededMemory[]
}

/** Where a text stands as well. */
export interface Copy {
  readonly item_id: string
  readonly source: SourceType
  readonly when?: string
  readonly title?: string
  readonly url?: string
}

export interface MemoryCopy extends Copy {
  readonly custom_id: string
}

export interface SupersededMemory {
  readonly custom_id: string
  readonly item_id: string
  readonly when?: string
}
