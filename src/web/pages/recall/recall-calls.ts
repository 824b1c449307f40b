import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { RecallQuestion } from '../../../http/app/schemas/recall.ts'
import { call } from '../../api/call.ts'
import { boundsOf, type Search } from './search-address.ts'

/** How long answers are cached, so that going back does not search again. */
const CACHE_MS = 30 * 60_000

/** Number of items and memories, and of items still processing. */
export function useOverview() {
  return useQuery({ queryKey: ['items', 'overview'], queryFn: () => call('GET /overview') })
}

/** Search results. Each search counts towards the quota, so it only repeats on request. */
export function useRecall({ text, sources, time, person }: Search) {
  return useQuery({
    queryKey: ['recall', text, sources, time, person],
    queryFn: ({ signal }) => {
      const body = {
        text,
        ...(sources.length > 0 && { sources: [...sources] as NonNullable<RecallQuestion['sources']> }),
        ...boundsOf(time),
        ...(person !== '' && { person }),
      } satisfies RecallQuestion
      return call('POST /recall', { body, signal })
    },
    enabled: text !== '',
    placeholderData: keepPreviousData,
    staleTime: 'static',
    gcTime: CACHE_MS,
    retry: false,
  })
}

/** An answer. It may cost money, so it is requested once. */
export function useAnswer(text: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['ask', text],
    queryFn: ({ signal }) => call('POST /ask', { body: { text }, signal }),
    enabled: isWanted && text !== '',
    staleTime: 'static',
    gcTime: CACHE_MS,
    retry: false,
  })
}

/**
 * One string for one memory: items of two sources may have the same id.
 *
 * @param memory `custom_id` may be missing; its key then matches no memory
 */
export function memoryKey(memory: { readonly source: string; readonly custom_id: string | null }): string {
  return `${memory.source}/${memory.custom_id ?? ''}`
}

/** Path of an item's page. */
export function itemPath(source: string, itemId: string): string {
  return `/library/${encodeURIComponent(source)}/${encodeURIComponent(itemId)}`
}
