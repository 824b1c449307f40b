import type { LibraryRef } from '../library/library.ts'

/** Tags that people gave items, within the sources of a scope. Compared by `foldTag`, shown as written first. */
export interface ItemTags {
  /** All tags, with how many items have them: most frequent first. */
  list(): Promise<TagCount[]>
  /** By key of the item, in the order of the alphabet; items without tags are omitted. */
  of(itemKeys: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>>
  /**
   * Adds and removes tags of several items in one commit; those that are gone are skipped.
   * @throws AppError `invalid` when an item would have more than `MOST_TAGS`; nothing is changed then
   */
  change(refs: readonly LibraryRef[], change: TagChange): Promise<TaggedItem[]>
}

export interface TagChange {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

export interface TagCount {
  readonly tag: string
  readonly items: number
}

/** An item with its tags after a change. */
export interface TaggedItem extends LibraryRef {
  readonly tags: readonly string[]
}
