import { createHash } from 'node:crypto'
import type { SourceItem } from '../../src/connector/connector.ts'
import type { SpoolKind, StreamEntry } from '../../src/connector/stream-spool.ts'
import { startOfZonedDay } from '../../src/connector/zoned-time.ts'

const LONGEST_TITLE = 80

interface Received {
  readonly itemId: string
  readonly at: string
  readonly kind: SpoolKind
  readonly locator: string
}

/** What an entry is memorized as. */
export function streamItem(entry: StreamEntry, { itemId, at, kind, locator }: Received, timeZone: string): SourceItem {
  const body = entry.text ?? entry.body ?? ''
  const { url, author, people, where } = entry
  // What is fed from a file says nothing about now; what comes by the socket has just happened.
  const arrived = kind === 'socket' ? new Date(at) : undefined
  const told = entry.when === undefined ? arrived : instantOf(entry.when, timeZone)
  return {
    sourceType: 'stream',
    itemId,
    locator,
    title: entry.title ?? firstLine(body),
    // With the time, so that what was deleted may come back as it was.
    revision: createHash('sha256')
      .update(`${at}\n${JSON.stringify(entry)}`)
      .digest('hex')
      .slice(0, 32),
    ...(url !== undefined && { url }),
    ...(author !== undefined && { author }),
    ...(people !== undefined && { people }),
    ...(where !== undefined && { where }),
    ...(told && { createdAt: told }),
    ...(arrived && { updatedAt: arrived }),
    body,
  }
}

/** A day without a time is the day where the person is. */
function instantOf(when: string, timeZone: string): Date {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(when) ?? []
  if (day === undefined) return new Date(when)
  return startOfZonedDay({ year: Number(year), month: Number(month), day: Number(day) }, timeZone)
}

function firstLine(text: string): string {
  const line =
    text
      .trim()
      .split('\n', 1)[0]
      ?.replace(/^#+\s+/, '')
      .trim() ?? ''
  const characters = [...line]
  return characters.length > LONGEST_TITLE ? `${characters.slice(0, LONGEST_TITLE - 1).join('')}…` : line || 'Entry'
}
