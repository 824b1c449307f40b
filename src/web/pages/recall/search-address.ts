import { useSearchParams } from 'wouter'
import { dayAfter, dayBefore, dayOf, isDay, startOfDay } from './timeline-bins.ts'

/** What is searched for; all of it stands in the address, so that back, reload and sharing work. */
export interface Search {
  readonly text: string
  readonly sources: readonly string[]
  readonly time: TimeChoice
  readonly person: string
  readonly sort: 'relevance' | 'time'
}

/** Days are YYYY-MM-DD in the time zone of the browser, both inclusive; empty where open. */
export type TimeChoice =
  | { readonly type: 'any' }
  | { readonly type: 'last'; readonly days: number }
  | { readonly type: 'between'; readonly from: string; readonly to: string }

export const NO_FILTER = { sources: [], time: { type: 'any' }, person: '' } as const
export const NO_SEARCH: Search = { ...NO_FILTER, text: '', sort: 'relevance' }
const LAST_DAYS = /^(\d{1,4})d$/

export function useSearch(): { readonly search: Search; readonly change: (change: Partial<Search>) => void } {
  const [params, setParams] = useSearchParams()
  const search = searchOf(params)
  return { search, change: (change) => setParams(paramsOf({ ...search, ...change })) }
}

/** Whether something narrows what is found. */
export function isFiltered({ sources, time, person }: Search): boolean {
  return sources.length > 0 || time.type !== 'any' || person !== ''
}

/** As the service takes it. Days begin at midnight here. */
export function boundsOf(time: TimeChoice, now = new Date()): { readonly since?: string; readonly until?: string } {
  if (time.type === 'any') return {}
  if (time.type === 'last') return { since: startOfDay(dayBefore(dayOf(now), time.days)).toISOString() }
  return {
    ...(time.from !== '' && { since: startOfDay(time.from).toISOString() }),
    ...(time.to !== '' && { until: startOfDay(dayAfter(time.to)).toISOString() }),
  }
}

function searchOf(params: URLSearchParams): Search {
  return {
    text: params.get('q') ?? '',
    sources: [...new Set((params.get('source') ?? '').split(',').filter((source) => source !== ''))],
    time: timeOf(params.get('since') ?? '', params.get('until') ?? ''),
    person: params.get('person') ?? '',
    sort: params.get('sort') === 'time' ? 'time' : 'relevance',
  }
}

function timeOf(since: string, until: string): TimeChoice {
  const last = LAST_DAYS.exec(since)
  if (last !== null && until === '') return { type: 'last', days: Number(last[1]) }
  const from = isDay(since) ? since : ''
  const to = isDay(until) ? until : ''
  return from === '' && to === '' ? { type: 'any' } : { type: 'between', from, to }
}

function paramsOf({ text, sources, time, person, sort }: Search): URLSearchParams {
  const params = new URLSearchParams()
  const add = (name: string, value: string) => value !== '' && params.set(name, value)
  add('q', text)
  add('source', sources.join(','))
  if (time.type === 'last') add('since', `${time.days}d`)
  if (time.type === 'between') {
    add('since', time.from)
    add('until', time.to)
  }
  add('person', person)
  if (sort === 'time') add('sort', sort)
  return params
}
