import type { MomentRange } from '../../domain/document.ts'
import { wallTime } from '../parse/zoned-time.ts'
import { dateIn } from './dates.ts'
import { splitEvent } from './event-text.ts'
import { namedDays } from './named-days.ts'
import type { Passage } from './passage.ts'
import { lastHeading } from './quoting.ts'
import { sentencesOf } from './sentences.ts'
import type { Telling } from './telling.ts'

const BRIEF = 1_500

/** When it was said or written: the times of the turns, else the time of the document. */
export function toldAt(passage: Passage, { document, file, isTimed }: Telling): MomentRange | undefined {
  const first = passage.told[0]
  const last = passage.told.at(-1)
  if (!isTimed || first?.at === undefined || (document.kind === 'calendar' && document.meta.when))
    return document.meta.when
  const end = last?.at && last.at > first.at ? { end: last.at } : {}
  // An event of a whole day is written without a time; turns of which only the day is known are at its first second.
  const isWholeDay =
    document.kind === 'calendar'
      ? !splitEvent(first.text).when?.includes(':')
      : [first.at, last?.at ?? first.at].every((at) => isDayStart(at, file.timeZone))
  return { start: first.at, ...end, precision: isWholeDay ? 'day' : 'minute' }
}

/** The one day that the text of a note or document names. The time of the upload never stands in for it. */
export function spokenOf(passage: Passage, telling: Telling): MomentRange | undefined {
  const { document, file } = telling
  if (document.kind !== 'note' && document.kind !== 'document') return undefined
  const heading = passage.told[0]?.heading ?? document.meta.title ?? ''
  // Long documents mention dates of all kinds; there only a heading dates what is below it.
  const isBrief = document.kind === 'note' || document.text.length < BRIEF
  const text = isBrief ? passage.told.map((chunk) => chunk.text) : []
  const title = dateIn([heading], { at: file.uploadedAt, timeZone: file.timeZone, takesNamedDays: false })
  // The date in a title is the day it is all about, whatever other days the text names.
  if (title) return title
  const lead = [heading, ...text].join('\n\n').slice(0, 4_000)
  // "Yesterday" in a note counts from its upload; a document may have been written years before.
  const reference = { at: file.uploadedAt, timeZone: file.timeZone, takesNamedDays: document.kind === 'note' }
  const day = dateIn(sentencesOf(lead), reference)
  if (day || document.kind !== 'note') return day
  const days = daysIn(passage, telling, undefined)
  // "On 14 April, bring the results of February" is about one day.
  const [only, ...others] = days.some(isDay) ? days.filter(isDay) : days
  return others.length === 0 ? only : undefined
}

function isDayStart(at: Date, timeZone: string): boolean {
  const { hour, minute, second } = wallTime(at, timeZone)
  return hour + minute + second === 0
}

function isDay({ precision }: MomentRange): boolean {
  return precision === 'day'
}

/** The days and months that the words of a passage name, counted from when each was said; `told` as `toldAt` has it. */
export function daysIn(
  passage: Passage,
  { document, file, isTimed, people }: Telling,
  told: MomentRange | undefined,
): MomentRange[] {
  const { kind } = document
  // A page, a recording or a session without a date may be much older than its upload.
  const isFresh = kind !== 'document' && kind !== 'transcript' && kind !== 'agent'
  const general = told?.start ?? (isFresh ? file.uploadedAt : undefined)
  const found = new Map<number, MomentRange>()
  for (const chunk of passage.told) {
    const words = kind === 'calendar' ? splitEvent(chunk.text).description : chunk.text
    // A change log has its days in its headings.
    const text = kind === 'document' ? `${lastHeading(chunk) ?? ''}\n${words}` : words
    const at = (isTimed ? chunk.at : undefined) ?? general
    for (const day of namedDays(text, { at, timeZone: file.timeZone, nameWords: people.nameWords })) {
      // A range says more than the day it begins with.
      if (day.end || !found.has(day.start.getTime())) found.set(day.start.getTime(), day)
    }
  }
  return [...found.values()]
}
