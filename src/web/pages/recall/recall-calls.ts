import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FoundMemory, RecallAnswer, RecallQuestion } from '../../../http/app/schemas/recall.ts'
import { CallError, call } from '../../api/call.ts'
import { ask } from '../../api/streamed-call.ts'
import { useToday } from '../days/days-calls.ts'
import { boundsOf, type Search } from './search-address.ts'

/** What the service returns unless more are asked for. */
export const DEFAULT_LIMIT = 30
/** How long answers are cached, so that going back does not search again; never to the next day, when "yesterday" is another one. */
const CACHE_MS = 30 * 60_000

/** Pause between two attempts to search without the service, also where it was away too shortly for the banner. */
const LOST_MS = 3_000

/** Most that the service returns. */
export const MOST_RESULTS = 100

interface RecallOptions {
  readonly limit: number
  /** While somebody types, and beside an answer, which counts itself: neither counted nor in the activity. */
  readonly isPreview: boolean
  /** Earlier turns of the conversation; empty: none. */
  readonly context: string
}

/**
 * Search results. Each search counts towards the quota, so it only repeats on request; looking them up while typing, more
 * results of the same search, and those of a question that is answered do not count.
 */
export function useRecall(
  { text, sources, connector, tag, time, person, ignored }: Search,
  { limit, isPreview, context }: RecallOptions,
) {
  const today = useToday()
  const isUncounted = isPreview || limit > DEFAULT_LIMIT
  const query = useQuery({
    queryKey: ['recall', text, sources, connector, tag, time, person, ignored, limit, isUncounted, context, today],
    queryFn: ({ signal }) => {
      const body = {
        text,
        ...(context !== '' && { context }),
        ...(sources.length > 0 && { sources: [...sources] as NonNullable<RecallQuestion['sources']> }),
        ...(connector !== '' && { connector }),
        ...(tag !== '' && { tag }),
        ...boundsOf(time),
        ...(person !== '' && { person }),
        ...(ignored.length > 0 && { ignore: [...ignored] }),
        ...(limit > DEFAULT_LIMIT && { limit }),
        ...(isUncounted && { preview: true }),
      } satisfies RecallQuestion
      return call('POST /recall', { body, signal })
    },
    enabled: text !== '',
    placeholderData: keepPreviousData,
    staleTime: 'static',
    gcTime: CACHE_MS,
    retry: false,
    refetchInterval: ({ state }) => isLost(state.error) && LOST_MS,
  })
  return useKept(query)
}

/** Without the service, what was found before stays until the search was repeated. */
function useKept<Query extends ShownQuery>(query: Query) {
  const { data, error, isPlaceholderData } = query
  const [kept, setKept] = useState(data)
  const [wasLost, setLost] = useState(false)
  const isFound = data !== undefined && !isPlaceholderData
  if (isFound && data !== kept) setKept(data)
  const lost = isLost(error) || (wasLost && !isFound && error === null)
  if (lost !== wasLost) setLost(lost)
  return lost ? { ...query, data: kept, error: null, isLost: lost } : { ...query, isLost: lost }
}

interface ShownQuery {
  readonly data: RecallAnswer | undefined
  readonly error: Error | null
  readonly isPlaceholderData: boolean
}

/** Whether the service could not be reached, which a banner says. */
function isLost(error: Error | null): boolean {
  return error instanceof CallError && error.status === 0
}

interface AnswerQuestion {
  readonly text: string
  readonly context: string
}

/** An answer, with what a language model has written of it so far. It may cost money, so it is requested once. */
export function useAnswer({ text, context }: AnswerQuestion, isWanted: boolean) {
  const queries = useQueryClient()
  const queryKey = ['ask', text, context, useToday()]
  const name = queryKey.join('\n')
  const [draft, setDraft] = useState({ name: '', sentences: '' })
  const query = useQuery({
    queryKey,
    queryFn({ signal }) {
      setDraft({ name, sentences: '' })
      const body = { text, ...(context !== '' && { context }) }
      return ask({ body, signal, onDraft: (sentences) => setDraft({ name, sentences }) })
    },
    enabled: isWanted && text !== '',
    staleTime: 'static',
    gcTime: CACHE_MS,
    retry: false,
  })
  return {
    ...query,
    draft: draft.name === name && query.isFetching ? draft.sentences : '',
    stop: () => queries.cancelQueries({ queryKey }),
  }
}

/** Path of an item's page, at the passage that was found. */
export function hitPath(found: Pick<FoundMemory, 'source' | 'item_id'> & Partial<Pick<FoundMemory, 'hit'>>): string {
  const path = itemPath(found.source, found.item_id)
  return found.hit == null ? path : `${path}?passage=${found.hit.ordinal + 1}`
}

/** Path of an item's page. */
export function itemPath(source: string, itemId: string): string {
  return `/library/${encodeURIComponent(source)}/${encodeURIComponent(itemId)}`
}
