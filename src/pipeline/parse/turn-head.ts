import { zonedTime } from './zoned-time.ts'

/** The start of a line that says who speaks. */
export interface TurnHead {
  readonly speaker: string
  /** As written, e.g. `2026-03-04 10:12` or `10:12 AM`. */
  readonly time?: string
  /** Where in the line the words begin; at the end of the line when they follow below. */
  readonly textAt: number
  /** `line`: the speaker stands on a line of its own, the words follow. */
  readonly style: 'inline' | 'line'
}

/** Heads are looked for in this much of a line. */
const HEAD_LENGTH = 160

const WORD = "[\\p{L}\\p{M}\\p{N}._'’@&-]{1,40}"
const NAME = `(?<name>[@\\p{L}]${WORD.replace('{1,40}', '{0,40}')}(?: \\(?${WORD}\\)?){0,4})`
const CLOCK = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,3})?)?(?:\\s?[AaPp]\\.?[Mm]\\.?)?'
const DATE = '(?:\\d{4}[-/]\\d{2}[-/]\\d{2}|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4})'
const STAMP = `(?<time>(?:${DATE}(?:T|,? ))?${CLOCK}(?: ?(?:Z|UTC|[+-]\\d{2}:?\\d{2}))?|${DATE})`

const TIMED = [
  // [2026-03-04 10:12] Anna: text | [10:12] <anna> text
  new RegExp(
    `^\\[${STAMP}\\] {0,3}(?:<[@+~&%]?${NAME}>|\\*{0,2}${NAME.replace('<name>', '<other>')}\\*{0,2}:\\*{0,2})(?: |$)`,
    'u',
  ),
  // 2026-03-04 10:12 - Anna: text | 10:12 <anna> text | 10:12:03 From Anna to Everyone: text
  new RegExp(
    `^${STAMP},? {0,3}(?:[-–—|] ?)?(?:From )?(?:<[@+~&%]?${NAME}>|${NAME.replace('<name>', '<other>')}(?: to [^:]{1,40}?)? {0,2}:)(?: |$)`,
    'u',
  ),
  // **Anna** (2026-03-04 10:12): text | Anna [00:01:02]: text
  new RegExp(`^(?:[-*] )?\\*{0,2}${NAME}\\*{0,2},? {0,2}[([]${STAMP}[)\\]]\\*{0,2} ?[:—–-]\\*{0,2}(?: |$)`, 'u'),
]
/** Anna Smith  10:12 AM - alone on its line */
const HEAD_LINE = new RegExp(
  `^(?:#{1,6} )?\\*{0,2}${NAME}\\*{0,2}(?: {1,3}APP)?,?(?: [—–·|-])? {1,8}[([]?(?:(?:Today|Yesterday),? (?:at )?)?${STAMP}[)\\]]?:?$`,
  'u',
)
/** Anna: text | **Anna:** text | **Anna**: text */
const UNTIMED = new RegExp(
  `^(?:[-*] (?=\\*\\*))?(?:\\*\\*${NAME}(?::\\*\\*|\\*\\* ?:)|${NAME.replace('<name>', '<other>')} ?:)(?: |$)`,
  'u',
)

/** Words that stand before a colon in notes without naming a person. */
const LABELS = new Set(
  (
    'q a question answer note notes todo fixme warning tip hint info important attention example e.g i.e ps p.s fyi update edit date time day ' +
    'from to cc bcc subject re fw fwd title name owner author status state priority location place where when who what why how attendees ' +
    'participants present absent agenda topic topics summary tldr tl;dr action actions decision decisions next result results goal goals problem ' +
    'solution pros cons input output step part section chapter phone tel fax email e-mail mail address url link links source sources http https ' +
    'price cost total version description type id key value tags tag labels category categories keywords risks risk background context overview ' +
    'conclusion deadline due start end begin format language error caused reason fix ingredients method directions instructions requirements ' +
    'monday tuesday wednesday thursday friday saturday sunday the this that these it if and but or so as in on at for with there here'
  ).split(' '),
)

export function timedHead(line: string): TurnHead | undefined {
  const first = line.charCodeAt(0)
  if (Number.isNaN(first)) return undefined
  const head = line.slice(0, HEAD_LENGTH)
  if (!/\d[:./-]\d/.test(head)) return undefined
  for (const pattern of TIMED) {
    const match = pattern.exec(head)
    const speaker = match?.groups?.name ?? match?.groups?.other
    if (match && speaker)
      return { speaker: speaker.trim(), time: match.groups!.time!, textAt: match[0].length, style: 'inline' }
  }
  if (line.length > HEAD_LENGTH) return undefined
  const match = HEAD_LINE.exec(line.trimEnd())
  const speaker = match?.groups?.name
  if (!match || !speaker || isLabel(speaker)) return undefined
  return { speaker: speaker.trim(), time: match.groups!.time!, textAt: line.length, style: 'line' }
}

/** What WhatsApp reports with a time and without a speaker: `03/05/2026, 18:02 - Jana left`. */
export function isEventLine(line: string): boolean {
  return EVENT_LINE.test(line) && timedHead(line) === undefined
}
const EVENT_LINE = new RegExp(`^\\[?\\d{1,2}[./]\\d{1,2}[./]\\d{2,4},? ${CLOCK}\\]? [-–] \\S[^:]{2,280}$`, 'u')

export function untimedHead(line: string): TurnHead | undefined {
  const head = line.slice(0, 90)
  if (!head.includes(':')) return undefined
  const match = UNTIMED.exec(head)
  const speaker = (match?.groups?.name ?? match?.groups?.other)?.trim()
  if (!match || !speaker || isLabel(speaker)) return undefined
  return { speaker, textAt: match[0].length, style: 'inline' }
}

function isLabel(speaker: string): boolean {
  const words = speaker.toLowerCase().split(' ')
  if (LABELS.has(words[0]!) || LABELS.has(speaker.toLowerCase())) return true
  // "Things we talked about yesterday:" - more than a name has, and lower case
  return words.length > 2 && /^\p{Ll}/u.test(speaker.split(' ').at(-1)!)
}

/** How the ambiguous `03/04/2026` is read. */
export type DateOrder = 'day-first' | 'month-first'

export interface StampParts {
  readonly date?: { readonly year: number; readonly month: number; readonly day: number }
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** Minutes east of UTC, when written. */
  readonly offset?: number
  readonly hasClock: boolean
}

export function readStamp(time: string, order: DateOrder): StampParts | undefined {
  const date = readDate(time, order)
  const clock = /(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d{1,3})?(?:\s?([AaPp])\.?[Mm])?/.exec(time)
  const offset = /(?:(Z|UTC)|([+-])(\d{2}):?(\d{2}))$/.exec(time)
  if (!clock) return date && { date, hour: 0, minute: 0, second: 0, hasClock: false }
  const half = clock[4]?.toLowerCase()
  const hour = half === undefined ? Number(clock[1]) : (Number(clock[1]) % 12) + (half === 'p' ? 12 : 0)
  const written =
    offset && (offset[1] ? 0 : (Number(offset[3]) * 60 + Number(offset[4])) * (offset[2] === '-' ? -1 : 1))
  return {
    ...(date && { date }),
    hour,
    minute: Number(clock[2]),
    second: Number(clock[3] ?? 0),
    ...(typeof written === 'number' && date && { offset: written }),
    hasClock: true,
  }
}

function readDate(time: string, order: DateOrder): StampParts['date'] {
  const iso = /(\d{4})[-/](\d{2})[-/](\d{2})/.exec(time)
  if (iso) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }
  const match = /(\d{1,2})([./])(\d{1,2})[./](\d{2,4})/.exec(time)
  if (!match) return undefined
  const [a, b] = [Number(match[1]), Number(match[3])]
  const dayFirst = match[2] === '.' || a > 12 || (order === 'day-first' && b <= 12)
  const year = Number(match[4]) + (match[4]!.length === 2 ? 2000 : 0)
  return { year, month: dayFirst ? b : a, day: dayFirst ? a : b }
}

/** The instant of a stamp that has a date. */
export function stampInstant(stamp: StampParts, timeZone: string): Date | undefined {
  if (!stamp.date) return undefined
  const wall = { ...stamp.date, hour: stamp.hour, minute: stamp.minute, second: stamp.second }
  if (stamp.offset === undefined) return zonedTime(wall, timeZone)
  const utc = zonedTime(wall, 'UTC')
  return utc && new Date(utc.getTime() - stamp.offset * 60_000)
}
