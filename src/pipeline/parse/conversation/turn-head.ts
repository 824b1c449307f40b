import { CLOCK, STAMP as DIGITS, readWorded, WORDED_STAMP } from '../../dates/stamp.ts'

/** The start of a line that says who speaks. */
export interface TurnHead {
  readonly speaker: string
  /** As written, e.g. `2026-03-04 10:12` or `10:12 AM`. */
  readonly time?: string
  /** Where in the line the words begin; at the end of the line when they follow below. */
  readonly textAt: number
  /** `line`: the speaker stands on a line of its own, the words follow. */
  readonly style: 'inline' | 'line'
  /** Whether the words stand in quotation marks. */
  readonly isQuoted?: true
}

/** Heads are looked for in this much of a line. */
const HEAD_LENGTH = 160

const WORD = "[\\p{L}\\p{M}\\p{N}._'’@&-]{1,40}"
const NAME = `(?<name>[@\\p{L}]${WORD.replace('{1,40}', '{0,40}')}(?: \\(?${WORD}\\)?){0,4})`
const STAMP = `(?<time>${DIGITS})`
const WORDED = `(?<time>${WORDED_STAMP})`

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
/** Times in words, which cost more to look for. */
const WORDED_TIMED = [
  // [1:56 pm on 8 May, 2023] Anna: text
  new RegExp(`^[([]${WORDED}[)\\]],? {0,3}(?:[-–—|] ?)?\\*{0,2}${NAME}\\*{0,2} ?:\\*{0,2}(?: |$)`, 'u'),
  // Anna (1:56 pm on 8 May, 2023): text | Anna, [8 May 2023 at 13:56]: text
  new RegExp(`^(?:[-*] )?\\*{0,2}${NAME}\\*{0,2},? {0,2}[([]${WORDED}[)\\]]\\*{0,2} ?:\\*{0,2}(?: |$)`, 'u'),
  // Anna, 8 May 2023 at 13:56: text
  new RegExp(`^\\*{0,2}${NAME}\\*{0,2}(?:,| [-–—|·]) {1,2}${WORDED} ?:\\*{0,2}(?: |$)`, 'u'),
  // 8 May 2023, 1:56 pm - Anna: text
  new RegExp(`^${WORDED},? {0,2}[-–—|] ?\\*{0,2}${NAME}\\*{0,2} ?:\\*{0,2}(?: |$)`, 'u'),
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
    'conversation dialogue transcript session monday tuesday wednesday thursday friday saturday sunday the this that these it if and but or so as in on at for with there here'
  ).split(' '),
)

export function timedHead(line: string): TurnHead | undefined {
  const first = line.charCodeAt(0)
  if (Number.isNaN(first)) return undefined
  const head = line.slice(0, HEAD_LENGTH)
  if (!/\d[:./-]\d/.test(head)) return wordedHead(head)
  for (const pattern of TIMED) {
    const match = pattern.exec(head)
    const speaker = match?.groups?.name ?? match?.groups?.other
    if (match && speaker)
      return { speaker: speaker.trim(), time: match.groups!.time!, textAt: match[0].length, style: 'inline' }
  }
  const match = line.length > HEAD_LENGTH ? undefined : HEAD_LINE.exec(line.trimEnd())
  const speaker = match?.groups?.name
  if (!match || !speaker || isLabel(speaker)) return wordedHead(head)
  return { speaker: speaker.trim(), time: match.groups!.time!, textAt: line.length, style: 'line' }
}

function wordedHead(head: string): TurnHead | undefined {
  if (!/\d{4}/.test(head) || !head.includes(':')) return undefined
  for (const pattern of WORDED_TIMED) {
    const match = pattern.exec(head)
    const { name = '', time = '' } = match?.groups ?? {}
    if (!match || isLabel(name) || !readWorded(time, 'day-first')) continue
    return { speaker: name.trim(), time, textAt: match[0].length, style: 'inline' }
  }
  return undefined
}

/** System messages of WhatsApp, without a speaker: `03/05/2026, 18:02 - Jana left`. */
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

/** What remains of a line without the number or short id before it; `undefined` when there is none. */
export function afterLineId(line: string): string | undefined {
  const match = LINE_ID.exec(line)
  return match ? line.slice(match[0].length) : undefined
}
/** [D1:3] | (12) | 12. | 12) | #12 */
const LINE_ID =
  /^(?:\[(?=[^\]\d]{0,12}\d)[\w#.:/-]{1,16}\]|\((?=[^)\d]{0,8}\d)[\w#.:-]{1,12}\)|\d{1,6}[.)]|#\d{1,6}[.:]?) {1,2}(?=\S)/

/** Anna said, "text" */
export function reportedHead(line: string): TurnHead | undefined {
  const match = REPORTED.exec(line.slice(0, 90))
  const speaker = match?.groups?.name
  if (!match || !speaker || isLabel(speaker) || PRONOUN.test(speaker)) return undefined
  return { speaker, textAt: match[0].length, style: 'inline', isQuoted: true }
}
const REPORTED = new RegExp(
  `^${NAME} (?:said|says|asked|asks|replied|replies|answered|answers|responded|responds|wrote|writes) ?[,:]? ?(?=["“„«])`,
  'u',
)
const PRONOUN = /^(?:I|he|she|they|we|you|who|somebody|someone|everyone|everybody|nobody)$/i

/** A line that holds nothing but a name: `Anna Berg`, `**Speaker 1**`. */
export function nameLine(line: string): TurnHead | undefined {
  if (line.length > 60) return undefined
  const speaker = /^(\*{0,2})([^*]+?)\1\s*$/.exec(line)?.[2]
  if (speaker === undefined || !NAME_ALONE.test(speaker) || isLabel(speaker)) return undefined
  return { speaker, textAt: line.length, style: 'line' }
}
// `elise` is a name as well, but only as a single word.
const NAME_ALONE =
  /^(?:[\p{Lu}\p{Lo}][\p{L}\p{M}\p{N}'’_-]*(?:\.? [\p{Lu}\p{Lo}\p{N}][\p{L}\p{M}\p{N}'’_-]*){0,3}|[\p{Ll}@][\p{L}\p{N}._-]{1,30})$/u

function isLabel(speaker: string): boolean {
  const words = speaker.toLowerCase().split(' ')
  if (LABELS.has(words[0]!) || LABELS.has(speaker.toLowerCase())) return true
  // "Things we talked about yesterday:" - more than a name has, and lower case
  return words.length > 2 && /^\p{Ll}/u.test(speaker.split(' ').at(-1)!)
}
