import type { SourceItem } from '../../src/connector/connector.ts'
import { digest, sourceItemId } from '../../src/connector/source-item-id.ts'
import { collapseWhitespace } from '../../src/connector/source-text.ts'

/** An event of a calendar, or a series with its changed occurrences. */
export interface FeedEvent {
  /** Names the event in its feed. */
  readonly key: string
  readonly item: SourceItem
  /** When it is over, in milliseconds since 1970; Infinity for a series without an end. */
  readonly endsAt: number
}

const DAY_MS = 86_400_000

/** Whether the text is an iCalendar file (RFC 5545). */
export function isCalendarText(text: string): boolean {
  return /^\s{0,200}BEGIN:VCALENDAR\s/i.test(text.slice(0, 1_000))
}

/**
 * The events of a calendar, each as a file of its own with the time zones that it needs. What changes at every request,
 * such as DTSTAMP, is left out, so that an unchanged event gives the same bytes.
 *
 * @param feed names the feed in ids
 */
export function calendarFeedEvents(text: string, feed: string): FeedEvent[] {
  const unfolded = text.replace(/\r\n?/g, '\n').replace(/\n[ \t]/g, '')
  const zones = blocksOf(unfolded, 'VTIMEZONE').map((block) => ({ block, id: propertyOf(block, 'TZID') ?? '' }))
  const name = collapseWhitespace(unescaped(propertyOf(unfolded, 'X-WR-CALNAME') ?? ''))
  const byUid = Map.groupBy(blocksOf(unfolded, 'VEVENT'), (block) => propertyOf(block, 'UID') ?? digest(block))
  return [...byUid].map(([uid, blocks]) => {
    const master = blocks.find((block) => propertyOf(block, 'RECURRENCE-ID') === undefined) ?? blocks[0]!
    const events = blocks.map(steady)
    const needed = zones.filter(({ id }) => id !== '' && events.some((event) => event.includes(`TZID=${id}`)))
    const title = collapseWhitespace(unescaped(propertyOf(master, 'SUMMARY') ?? '')) || 'Event without a title'
    const body = calendarFile(events.length > 1 ? title : undefined, [...needed.map(({ block }) => block), ...events])
    const key = digest(uid)
    return {
      key,
      endsAt: Math.max(...blocks.map(endOf)),
      item: {
        sourceType: 'calendar',
        itemId: eventId(feed, key),
        title,
        revision: digest(body),
        ...(name !== '' && { where: name }),
        body: Buffer.from(body),
        fileName: 'event.ics',
        contentType: 'text/calendar',
      },
    }
  })
}

export function eventId(feed: string, key: string): string {
  return sourceItemId('ics', feed, key)
}

function calendarFile(name: string | undefined, blocks: readonly string[]): string {
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//recalld//connector//EN']
  const named = name === undefined ? [] : [`X-WR-CALNAME:${name.replace(/[\\;,]/g, '\\$&')}`]
  return `${[...head, ...named, ...blocks, 'END:VCALENDAR'].join('\n')}\n`.replaceAll('\n', '\r\n')
}

/** The components of a kind, with their BEGIN and END. */
function blocksOf(text: string, kind: string): string[] {
  return text.match(new RegExp(`^BEGIN:${kind}\\n[\\s\\S]*?^END:${kind}$`, 'gim')) ?? []
}

/** The value of the first property with this name, whatever its parameters; not of a component inside. */
function propertyOf(block: string, name: string): string | undefined {
  const own = block.replace(/^BEGIN:VALARM\n[\s\S]*?^END:VALARM$/gim, '')
  return new RegExp(`^${name}(?:;[^:\\n]*)?:(.*)$`, 'im').exec(own)?.[1]
}

/** Without alarms, and without what changes although the event does not. */
function steady(block: string): string {
  return block
    .replace(/^BEGIN:VALARM\n[\s\S]*?^END:VALARM\n/gim, '')
    .replace(/^(?:DTSTAMP|LAST-MODIFIED|CREATED|SEQUENCE)(?:;[^:\n]*)?:.*\n/gim, '')
    .replace(/^BEGIN:VEVENT\n/i, 'BEGIN:VEVENT\nDTSTAMP:19700101T000000Z\n')
}

function unescaped(value: string): string {
  return value.replace(/\\n/gi, ' ').replace(/\\([\\;,])/g, '$1')
}

/** A day late rather than early, because time zones and durations are not looked at. */
function endOf(block: string): number {
  const ends = ['DTEND', 'DTSTART', 'RDATE'].map((name) => dayOf(propertyOf(block, name)) ?? 0)
  const last = Math.max(...ends) + DAY_MS
  const rule = propertyOf(block, 'RRULE')
  if (rule === undefined || /COUNT=/i.test(rule)) return last
  const until = /UNTIL=(\d{8})/i.exec(rule)?.[1]
  return until === undefined ? Number.POSITIVE_INFINITY : Math.max(last, (dayOf(until) ?? 0) + DAY_MS)
}

function dayOf(value = ''): number | undefined {
  const [, year, month, day] = /(\d{4})(\d{2})(\d{2})/.exec(value) ?? []
  return year === undefined ? undefined : Date.UTC(Number(year), Number(month) - 1, Number(day))
}
