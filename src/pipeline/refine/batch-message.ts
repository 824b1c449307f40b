import { createHash } from 'node:crypto'
import type { RefinableChunk, RefinableItem } from '../../domain/refinement.ts'
import { wallClockFormat } from '../../lib/wall-clock-format.ts'

const MARKER_LENGTH = 16
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

/**
 * What a language model is sent of one batch. Each passage stands in a fence whose marker is a hash of all of it, so that
 * no passage can close its own fence, and the same batch is the same message.
 *
 * @param before passages that come right before, to understand by, not to be made into memories
 */
export function batchMessage(
  item: Pick<RefinableItem, 'userName' | 'sourceType' | 'kind' | 'title' | 'timeZone' | 'uploadedAt'>,
  before: readonly RefinableChunk[],
  chunks: readonly RefinableChunk[],
): string {
  const { userName, sourceType, kind, title, timeZone, uploadedAt } = item
  const about = {
    user: userName,
    source: sourceType,
    kind,
    ...(title !== undefined && { title }),
    time_zone: timeZone,
    // Only where nothing else tells what "yesterday" is: what is uploaded again is then the same message, and costs nothing.
    ...(chunks.every(({ at }) => at === undefined) && { uploaded: localTime(uploadedAt, timeZone) }),
  }
  const passages = [
    ...before.map((chunk) => ['before', passageText(chunk, timeZone)] as const),
    ...chunks.map((chunk) => ['passage', passageText(chunk, timeZone)] as const),
  ]
  const content = JSON.stringify([about, passages])
  const marker = createHash('sha256').update(content).digest('hex').slice(0, MARKER_LENGTH)
  const fenced = (name: string, text: string) => `<${name}:${marker}>\n${text}\n</${name}:${marker}>`
  return [
    `The marker is ${marker}.`,
    fenced('about', JSON.stringify(about)),
    ...passages.map(([name, text]) => fenced(name, text)),
  ].join('\n')
}

function passageText(chunk: RefinableChunk, timeZone: string): string {
  const { ordinal, speaker, at, heading, text } = chunk
  const head = {
    n: ordinal,
    ...(speaker !== undefined && { speaker }),
    ...(at !== undefined && { at: localTime(at, timeZone) }),
    ...(heading !== undefined && { heading }),
  }
  return `${JSON.stringify(head)}\n${text}`
}

/** `Wed 2026-03-04 10:12` */
function localTime(instant: Date, timeZone: string): string {
  const parts = wallClockFormat(timeZone).formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value)
  const wall = new Date(Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute')))
  return `${DAYS[wall.getUTCDay()]} ${wall.toISOString().slice(0, 16).replace('T', ' ')}`
}
