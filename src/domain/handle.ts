/** The location of a passage: an item, and its first and last chunk. */
export interface Place {
  readonly itemKey: number
  readonly first: number
  readonly last: number
}

/** The form of a handle: `r12.7`, or `r12.7-9` of several chunks. */
export const HANDLE = /^r(\d{1,15})\.(\d{1,9})(?:-(\d{1,9}))?$/

/**
 * A short name of a passage that contains its location, so that no server needs to store it. It stays valid while the
 * item is stored; access is checked on every use.
 */
export function formatHandle({ itemKey, first, last }: Place): string {
  return last === first ? `r${itemKey}.${first}` : `r${itemKey}.${first}-${last}`
}

/** `undefined` when the text is no handle. */
export function parseHandle(text: string): Place | undefined {
  const [, item, from, to] = HANDLE.exec(text) ?? []
  if (item === undefined || from === undefined) return undefined
  const first = Number(from)
  const last = to === undefined ? first : Number(to)
  return last < first ? undefined : { itemKey: Number(item), first, last }
}

/** Most passages before and after the one that a handle names. */
export const MAX_AROUND = 20
export const DEFAULT_AROUND = 3
