import type { MemoryMark } from '../../domain/memory.ts'
import type { SourceType } from '../../domain/source-type.ts'

/** A memory that somebody corrected, annotated, pinned or hid. */
export interface MemoryEdit {
  readonly kind: StatedKind | MemoryMark
  readonly sourceType: SourceType
  readonly itemId: string
  /** Hashes of the distinct words of the memory, because its index may change when the item is processed again. */
  readonly passage: Uint32Array
  /** For a correction: the item that states it. */
  readonly correction?: StatingItem
  /** For a note: the item that states it. */
  readonly note?: StatingItem
  /** Name of the author. */
  readonly by: string
  readonly at: Date
}

/** Edits with a text, which an item states. */
export type StatedKind = 'correction' | 'note'

/** In the source of the memory. */
export interface StatingItem {
  readonly itemId: string
  /** Once it is processed. */
  readonly firstChunkId?: number
}

/** The item that states a correction or a note. */
export function statingItem({ correction, note }: Pick<MemoryEdit, 'correction' | 'note'>): StatingItem | undefined {
  return correction ?? note
}

/** Identifies a pin or a hidden memory. */
export interface MarkRef extends Pick<MemoryEdit, 'sourceType' | 'itemId' | 'passage'> {
  readonly kind: MemoryMark
}

/** Corrections, notes, pins and hidden memories of the owner, within the sources of the scope. */
export interface MemoryEdits {
  /** Newest first, at most `MOST_EDITS`. */
  list(): Promise<readonly MemoryEdit[]>
  /** Pins a memory, or hides it from every answer: see `SearchIndex`. Marking it again changes nothing. */
  mark(edit: MarkRef & { readonly by: string }): Promise<void>
  /** Imports an edit unchanged, once. */
  restore(edit: MemoryEdit): Promise<void>
  /** Returns whether it was marked so. A correction or a note is undone by deleting its item. */
  unmark(ref: MarkRef): Promise<boolean>
}

/** Limited, because every question reads them. */
export const MOST_EDITS = 1_000

/** Little-endian, like every supported machine. */
export function passageBytes(passage: Uint32Array): Uint8Array {
  return new Uint8Array(passage.slice().sort().buffer)
}
