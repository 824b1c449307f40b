import { startOfDay } from '../../ui/calendar-days.ts'
import { formatDay } from '../../ui/formats.ts'
import { shownText } from '../../ui/source-text.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'
import { messages } from './messages.ts'
import { parseSearch, type TimeChoice } from './search-address.ts'

/** A search by its address: `outage · Last 30 days · Slack`. */
export function searchTitle(query: string): string {
  const { text, time, person, connector, sources, tag, sort } = parseSearch(new URLSearchParams(query))
  const parts = [
    text,
    time.type === 'any' ? '' : timeTitle(time),
    person,
    connector,
    ...sources.map(sourceTitle),
    tag === '' ? '' : `#${tag}`,
    sort === 'relevance' ? '' : messages.sorts[sort],
  ]
  return parts
    .filter((part) => part !== '')
    .map((part) => shownText(part))
    .join(' · ')
}

/** Of a filter by the last days. */
export function lastDays(days: number): string {
  return days === 365 ? messages.lastYear : messages.lastDays(days)
}

/** Of a filter by date. */
export function timeTitle(time: TimeChoice): string {
  if (time.type === 'any') return messages.anyTime
  if (time.type === 'last') return lastDays(time.days)
  const [from, to] = [time.from, time.to].map((day) => (day === '' ? undefined : formatDay(startOfDay(day))))
  if (from === undefined || to === undefined)
    return from === undefined ? messages.untilDay(to ?? '') : messages.sinceDay(from)
  return from === to ? from : messages.daySpan(from, to)
}
