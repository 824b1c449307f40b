import type {
  ItemChunks,
  ItemFacts,
  ItemMemories,
  LibraryList,
  LibrarySort,
} from '../../../http/app/schemas/library.ts'
import { call } from '../../api/call.ts'

export interface ItemRef {
  readonly source: string
  readonly item_id: string
}

export interface LibraryFilter {
  readonly sources: readonly string[]
  readonly states: readonly string[]
  readonly text: string
  readonly sort: LibrarySort
}

/** Rows of one call. */
export const PAGE_SIZE = 100

/** Of an item, below /library of the app and of its API alike. */
export function itemPath({ source, item_id }: ItemRef): string {
  return `/library/${encodeURIComponent(source)}/${encodeURIComponent(item_id)}`
}

/** One string for one item. */
export function itemKey({ source, item_id }: ItemRef): string {
  return `${source}/${item_id}`
}

interface WithSignal {
  readonly signal: AbortSignal
}

export function listQuery(filter: LibraryFilter, page: number) {
  const query = {
    sources: filter.sources.join(','),
    states: filter.states.join(','),
    text: filter.text,
    sort: filter.sort,
    offset: page * PAGE_SIZE,
    limit: PAGE_SIZE,
  }
  return {
    queryKey: ['items', 'list', query],
    queryFn: ({ signal }: WithSignal) => call<LibraryList>('/library', { query, signal }),
    // Pages that were scrolled past are let go soon: there may be a thousand.
    gcTime: 30_000,
  }
}

export function itemQuery(ref: ItemRef) {
  return {
    queryKey: ['items', 'one', itemKey(ref)],
    queryFn: ({ signal }: WithSignal) => call<ItemFacts>(itemPath(ref), { signal }),
  }
}

export function chunksQuery(ref: ItemRef, page: number) {
  const query = { offset: page * PAGE_SIZE, limit: PAGE_SIZE }
  return {
    queryKey: ['items', 'chunks', itemKey(ref), page],
    queryFn: ({ signal }: WithSignal) => call<ItemChunks>(`${itemPath(ref)}/chunks`, { query, signal }),
  }
}

export function memoriesQuery(ref: ItemRef, page: number) {
  const query = { offset: page * PAGE_SIZE, limit: PAGE_SIZE }
  return {
    queryKey: ['items', 'memories', itemKey(ref), page],
    queryFn: ({ signal }: WithSignal) => call<ItemMemories>(`${itemPath(ref)}/memories`, { query, signal }),
  }
}
