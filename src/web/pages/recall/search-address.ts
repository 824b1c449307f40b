import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { dayAfter, dayBefore, isDay, localDay, startOfDay } from '../../ui/calendar-days.ts'

/** The search, stored in the URL so that back, reload and sharing work. */
export interface Search {
  readonly text: string
  readonly sources: readonly string[]
  readonly time: TimeChoice
  readonly person: string
  /** The id of a connector; empty: any. */
  readonly connector: string
  /** Empty: any. */
  readonly tag: string
  readonly sort: 'relevance' | 'time'
  /** What of the question itself does not restrict its results. */
  readonly ignored: readonly Ignored[]
  /** The question that began the conversation; empty: this one. */
  readonly conversation: string
  /** The result whose source is shown, by `memoryKey`; empty: the first one. */
  readonly hit: string
}

const IGNORABLE = ['time', 'person', 'sources'] as const
export type Ignored = (typeof IGNORABLE)[number]

/** Days are YYYY-MM-DD in the time zone of the browser, both inclusive; empty where open. */
export type TimeChoice =
  | { readonly type: 'any' }
  | { readonly type: 'last'; readonly days: number }
  | { readonly type: 'between'; readonly from: string; readonly to: string }

export const NO_FILTER = { sources: [], connector: '', tag: '', time: { type: 'any' }, person: '' } as const
export const NO_SEARCH: Search = { ...NO_FILTER, text: '', sort: 'relevance', ignored: [], conversation: '', hit: '' }
const LAST_DAYS = /^(\d{1,4})d$/

interface SearchState {
  readonly search: Search
  /** Another search or filter shows its first result again. */
  readonly change: (change: Partial<Search>, options?: { readonly replace?: boolean }) => void
}

export function useSearch(): SearchState {
  const [params, setParams] = useSearchParams()
  return {
    search: useMemo(() => parseSearch(params), [params]),
    change: (change, options) => setParams((now) => searchParams({ ...parseSearch(now), hit: '', ...change }), options),
  }
}

/** Whether any filter is set. */
export function isFiltered({ sources, connector, tag, time, person }: Search): boolean {
  return sources.length > 0 || connector !== '' || tag !== '' || time.type !== 'any' || person !== ''
}

/** The bounds for the service. Days start at midnight in the browser's time zone. */
export function boundsOf(time: TimeChoice, now = new Date()): { readonly since?: string; readonly until?: string } {
  if (time.type === 'any') return {}
  if (time.type === 'last') return { since: startOfDay(dayBefore(localDay(now), time.days)).toISOString() }
  return {
    ...(time.from !== '' && { since: startOfDay(time.from).toISOString() }),
    ...(time.to !== '' && { until: startOfDay(dayAfter(time.to)).toISOString() }),
  }
}

/** A search as its address states it. */
export function parseSearch(params: URLSearchParams): Search {
  return {
    text: params.get('q') ?? '',
    sources: [...new Set((params.get('source') ?? '').split(',').filter((source) => source !== ''))],
    time: parseTime(params.get('since') ?? '', params.get('until') ?? ''),
    person: params.get('person') ?? '',
    connector: params.get('connector') ?? '',
    tag: params.get('tag') ?? '',
    sort: params.get('sort') === 'time' ? 'time' : 'relevance',
    ignored: IGNORABLE.filter((part) => (params.get('ignore') ?? '').split(',').includes(part)),
    conversation: params.get('after') ?? '',
    hit: params.get('hit') ?? '',
  }
}

/** The address of a search with its filters, without what is selected in it or was asked before. */
export function searchQuery(search: Search): string {
  return searchParams({ ...search, hit: '', conversation: '' }).toString()
}

function parseTime(since: string, until: string): TimeChoice {
  const last = LAST_DAYS.exec(since)
  if (last !== null && until === '') return { type: 'last', days: Number(last[1]) }
  const from = isDay(since) ? since : ''
  const to = isDay(until) ? until : ''
  return from === '' && to === '' ? { type: 'any' } : { type: 'between', from, to }
}

function searchParams({
  text,
  sources,
  connector,
  tag,
  time,
  person,
  sort,
  ignored,
  conversation,
  hit,
}: Search): URLSearchParams {
  const params = new URLSearchParams()
  const add = (name: string, value: string) => value !== '' && params.set(name, value)
  add('q', text)
  add('source', sources.join(','))
  add('connector', connector)
  add('tag', tag)
  if (time.type === 'last') add('since', `${time.days}d`)
  if (time.type === 'between') {
    add('since', time.from)
    add('until', time.to)
  }
  add('person', person)
  if (sort === 'time') add('sort', sort)
  add('ignore', ignored.join(','))
  add('after', conversation)
  add('hit', hit)
  return params
}
