import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ForgetReceipt, ItemExport, LibrarySort } from '../../../http/app/schemas/library.ts'
import { address, CallError, call, callError, sessionHeaders } from '../../api/call.ts'
import { uiMessages } from '../../ui/messages.ts'
import { useToast } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'

export interface ItemRef {
  readonly source: string
  readonly item_id: string
}

export interface LibraryFilter {
  readonly sources: readonly string[]
  readonly states: readonly string[]
  readonly text: string
  /** Empty: any. */
  readonly tag: string
  /** Only items that the connector with this ID read; empty: all. */
  readonly connector: string
  readonly sort: LibrarySort
}

/** Rows of one call. */
export const PAGE_SIZE = 100

/** Path of an item, below /library of the app and of its API. */
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
    tag: filter.tag,
    connector: filter.connector,
    sort: filter.sort,
    offset: page * PAGE_SIZE,
    limit: PAGE_SIZE,
  }
  return {
    queryKey: ['items', 'list', query],
    queryFn: ({ signal }: WithSignal) => call('GET /library', { query, signal }),
    // Drop scrolled-past pages soon: there may be a thousand.
    gcTime: 30_000,
  }
}

export function itemQuery(ref: ItemRef) {
  return {
    queryKey: ['items', 'one', itemKey(ref)],
    queryFn: ({ signal }: WithSignal) => call('GET /library/:source/:item_id', { params: ref, signal }),
  }
}

/** @param terms indexed words whose places are returned */
export function chunksQuery(ref: ItemRef, page: number, terms: readonly string[] = []) {
  const joined = terms.filter((term) => !term.includes(',')).join(',')
  const query = { offset: page * PAGE_SIZE, limit: PAGE_SIZE, ...(joined !== '' && { terms: joined }) }
  return {
    queryKey: ['items', 'chunks', itemKey(ref), page, joined],
    queryFn: ({ signal }: WithSignal) => call('GET /library/:source/:item_id/chunks', { params: ref, query, signal }),
  }
}

export function memoriesQuery(ref: ItemRef, page: number) {
  const query = { offset: page * PAGE_SIZE, limit: PAGE_SIZE }
  return {
    queryKey: ['items', 'memories', itemKey(ref), page],
    queryFn: ({ signal }: WithSignal) => call('GET /library/:source/:item_id/memories', { params: ref, query, signal }),
  }
}

/** Queues items for processing. */
export function useReprocess() {
  const refresh = useRefresh()
  const toast = useToast()
  return useMutation({
    mutationFn: (items: readonly ItemRef[]) =>
      call('POST /library/reprocess', { body: { items: items.map(plainRef) } }),
    onSuccess: ({ queued }, items) => {
      const others = items.length - queued
      toast(
        queued === 0 ? messages.alreadyQueued : messages.reprocessing(queued),
        others > 0 && queued > 0 ? messages.othersQueued(others) : undefined,
      )
      refresh()
    },
  })
}

export const connectorsQuery = {
  queryKey: ['items', 'connectors'],
  queryFn: ({ signal }: WithSignal) => call('GET /library/connectors', { signal }),
}

export const tagsQuery = {
  queryKey: ['items', 'tags'],
  queryFn: ({ signal }: WithSignal) => call('GET /library/tags', { signal }),
}

/** Adds and removes tags of items. */
export function useTagging() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ items, ...change }: { items: readonly ItemRef[]; add?: string[]; remove?: string[] }) =>
      call('POST /library/tags', { body: { items: items.map(plainRef), ...change } }),
    onSuccess: refresh,
  })
}

/** Queues all failed items. */
export function useRetryFailed() {
  const refresh = useRefresh()
  const toast = useToast()
  return useMutation({
    mutationFn: () => call('POST /library/retry-failed'),
    onSuccess: ({ queued }) => {
      toast(messages.reprocessing(queued))
      refresh()
    },
  })
}

/** Saves the items as one file. @throws CallError with a message for the user */
export async function exportItems(items: readonly ItemRef[], format: ItemExport['format']): Promise<void> {
  const response = await fetch(address('/library/export'), {
    method: 'POST',
    headers: { ...sessionHeaders(), 'content-type': 'application/json' },
    body: JSON.stringify({ items: items.map(plainRef), format }),
  }).catch(() => {
    throw new CallError(0, uiMessages.serverUnreachable)
  })
  if (!response.ok) throw callError(response.status, await response.json().catch(() => undefined))
  const file = await response.blob().catch(() => {
    throw new CallError(0, messages.exportBrokeOff)
  })
  saveFile(file, format === 'jsonl' ? 'recalld-items.jsonl' : 'recalld-items.md')
}

/** Saves a file as a download. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

interface DeletionOptions {
  /** The account of the items. */
  readonly accountId: string
  /** Called after each deletion. */
  readonly onReceipt: (receipt: ForgetReceipt) => void
  /** Called if the item was already deleted. */
  readonly onGone: (ref: ItemRef) => void
  readonly signal?: AbortSignal
}

/** Deletes items one by one, each with a receipt and also if the page is closed meanwhile. Skips those already deleted. */
export async function deleteItems(
  refs: readonly ItemRef[],
  { accountId, onReceipt, onGone, signal }: DeletionOptions,
): Promise<void> {
  for (const ref of refs) {
    if (signal?.aborted) return
    try {
      onReceipt(await call('DELETE /library/:source/:item_id', { params: ref, keepalive: true, accountId }))
    } catch (error) {
      if (!(error instanceof CallError && error.status === 404)) throw error
      onGone(ref)
    }
  }
}

function useRefresh() {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ queryKey: ['items'] })
}

/** An item without anything but its reference. */
export function plainRef({ source, item_id }: ItemRef): ItemRef {
  return { source, item_id }
}
