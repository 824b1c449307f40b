import type { SourceType } from '../../domain/source-type.ts'

/** A memory that somebody corrected or pinned. */
export interface MemoryEdit {
  readonly kind: 'correction' | 'pin'
  readonly sourceType: SourceType
  readonly itemId: string
  /** Hashes of the words of the memory, each once: its index may be another one after its item was processed again. */
  readonly passage: Uint32Array
  /** Of a correction: the item that states it, in the same source, and its first chunk once it is processed. */
  readonly correction?: { readonly itemId: string; readonly firstChunkId?: number }
  /** Name of who made it. */
  readonly by: string
  readonly at: Date
}

/** Names an edit: that of this memory, of this kind. */
export type EditRef = Pick<MemoryEdit, 'kind' | 'sourceType' | 'itemId' | 'passage'>

/** What the owner put right. Within the sources of the scope. */
export interface MemoryEdits {
  /** Newest first, at most `MOST_EDITS`. */
  list(): Promise<MemoryEdit[]>
  /** Pins a memory. Pinned again, nothing changes. */
  pin(edit: Omit<EditRef, 'kind'> & { readonly by: string }): Promise<void>
  /** Brings one from elsewhere as it is, once. */
  restore(edit: MemoryEdit): Promise<void>
  /** Returns whether it was pinned. A correction is undone by deleting its item. */
  unpin(ref: Omit<EditRef, 'kind'>): Promise<boolean>
}

/** Every question reads them. */
export const MOST_EDITS = 1_000

/** Little-endian, as every machine that runs this has them. */
export function passageBytes(passage: Uint32Array): Uint8Array {
  return new Uint8Array(passage.slice().sort().buffer)
}
