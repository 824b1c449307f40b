import type { Block, DocumentMeta } from '../../domain/document.ts'
import type { MomentRange } from '../../domain/moment-range.ts'
import { GOES_ON } from '../../lib/broken-lines.ts'
import { foreignDates, parseMoment } from '../../lib/dates/parse-moment.ts'
import { zonedTime } from '../../lib/dates/zoned-time.ts'
import type { ParseContext } from './parse-context.ts'

/** Number of lines searched, because a head is at the top. */
const MOST_LINES = 12
const LONGEST_TITLE = 100
const LONGEST_NAME = 60
const MOST_NAMES = 50

type Field = 'title' | 'when' | 'where' | 'participants' | 'author'

const LABELS: Readonly<Record<Field, string>> = {
  title: 'title|name|subject|topic|titel|thema|betreff|titre|sujet|asunto|título|тема|название|标题|主题|件名|제목',
  when: 'date|when|datum|fecha|data|дата|日期|时间|日時|날짜',
  participants:
    'attendees|participants|present|teilnehmer|teilnehmende|anwesend|asistentes|participantes|présents|partecipanti|участники|присутствовали|参会人|参会人员|与会者|出席者|参加者|참석자',
  where: 'location|where|place|room|ort|lieu|lugar|luogo|место|地点|会议地点|場所|장소',
  author: 'author|written by|autor|auteur|autore|автор|作者|작성자',
}
const FIELDS: Readonly<Record<Field, RegExp>> = {
  title: fieldPattern('title'),
  when: fieldPattern('when'),
  participants: fieldPattern('participants'),
  where: fieldPattern('where'),
  author: fieldPattern('author'),
}
/** `14 March 2026`, `Saturday, March 14, 2026`, `2026-03-14`, `14. März 2026`, `2026年3月14日`, alone on a line. */
const BARE_DAY =
  /^(?:\p{L}{2,12}\.?,? )?(?:\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|\p{L}{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2}(?:\.|st|nd|rd|th|er)? (?:de )?\p{L}{3,12},? (?:de )?\d{4}|\d{4}[年년] ?\d{1,2}[月월] ?\d{1,2}[日일])[.:]?$/u

function fieldPattern(field: Field): RegExp {
  return new RegExp(
    `(?:^|[。；])[*_\\s-]{0,6}(?:${LABELS[field]})[*_]{0,2}\\s?[:：][*_]{0,2}\\s*([^。\\n]{1,400})`,
    'iu',
  )
}

/** The head of a note: title, day, people and location. */
export function readNoteHead(text: string, blocks: readonly Block[], context: ParseContext): DocumentMeta {
  const lines = headLines(text)
  const [first] = lines
  // `14. March 2026` looks like an item of a list.
  const type = blocks[0]?.type
  if (first === undefined || (type !== 'paragraph' && !(type === 'list' && isBareDay(first)))) return {}
  const { timeZone, uploadedAt } = context.file
  const day = bareDay(first, context)
  const fields = fieldsIn(lines)
  const when =
    day ??
    (fields.when === undefined
      ? undefined
      : (writtenDay(fields.when, timeZone) ?? parseMoment(fields.when, { timeZone, reference: uploadedAt })))
  // `Name: Svea Holm` names the note only in its first line.
  const named = FIELDS.title.exec(first)?.index === 0 ? fields.title : undefined
  const title = named ?? (isTitle(text, lines) ? first : undefined)
  const participants = fields.participants === undefined ? [] : namesIn(fields.participants)
  return {
    ...(title !== undefined && { title }),
    ...(when && { when }),
    ...(fields.where !== undefined && { where: fields.where }),
    ...(fields.author !== undefined && { author: fields.author }),
    ...(participants.length > 0 && { participants }),
  }
}

/** The people that a line at the top of a note lists as present. */
export function listedPeople(text: string): string[] {
  const { participants } = fieldsIn(headLines(text))
  return participants === undefined ? [] : namesIn(participants)
}

/** The text without the lines of its head, which the narrative repeats in other words. */
export function withoutNoteHead(text: string, title: string | undefined): string {
  const lines = text.split('\n')
  let from = 0
  while (from < Math.min(lines.length, MOST_LINES)) {
    const line = lines[from]!.trim()
    if (line !== '' && line !== title && !BARE_DAY.test(line) && !isFieldLine(line)) break
    from++
  }
  return lines.slice(from).join('\n')
}

export function isBareDay(line: string): boolean {
  return line.length <= 45 && BARE_DAY.test(line.trim())
}

/** The day that a line consists of; `undefined` for any other line. */
export function bareDay(line: string, { file }: ParseContext): MomentRange | undefined {
  const words = line.trim()
  if (!isBareDay(words)) return undefined
  const withoutWeekday = words.replace(/^\p{L}{2,12}\.?,? /u, '')
  const bare = (BARE_DAY.test(withoutWeekday) ? withoutWeekday : words).replace(/[.:]$/, '')
  return writtenDay(bare, file.timeZone) ?? parseMoment(bare, { timeZone: file.timeZone, reference: file.uploadedAt })
}

function writtenDay(text: string, timeZone: string): MomentRange | undefined {
  // With a time of day, the English parser recognizes more.
  const [date] = /\d:\d/.test(text) ? [] : foreignDates(text)
  const start = date && zonedTime(date, timeZone)
  return start && { start, precision: 'day' }
}

function headLines(text: string): string[] {
  return text
    .slice(0, 4_000)
    .split('\n', MOST_LINES)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Short, alone above a blank line or the fields, not a sentence, and followed by more text than its own. */
function isTitle(text: string, lines: readonly string[]): boolean {
  const [first = '', second] = lines
  if (first.length < 3 || first.length > LONGEST_TITLE || second === undefined) return false
  if (
    !/\p{L}{2}/u.test(first) ||
    /[.!?。！？,;:：；，…"”»]$/.test(first) ||
    /^[-*+>|#=~`<[({"“]|^\d+[.)] |:\/\//.test(first)
  )
    return false
  if (BARE_DAY.test(first) || isFieldLine(first)) return false
  const below = text.slice(text.indexOf(first) + first.length)
  const isAbove = /^[ \t]*\n[ \t]*\n/.test(below) || isFieldLine(second) || isHeadLine(first, below)
  return isAbove && below.trim().length > first.length
}

/** Directly above sentences, which its writer did not go on with: the next word would have fitted. */
function isHeadLine(first: string, below: string): boolean {
  if (first.length > LONGEST_HEAD_LINE || /[:：;|]/.test(first) || GOES_ON.test(first) || STATES.test(first))
    return false
  const lines = below.split('\n', MOST_LINES).map((line) => line.trim())
  const next = lines.find((line) => line !== '') ?? ''
  const [word = ''] = next.split(' ')
  const longest = Math.max(...lines.map(({ length }) => length))
  const isSentence = /[.!?。！？]["”»)]?$/.test(next) && /^[\p{Lu}\p{N}\p{Lo}¿¡«"„]/u.test(next)
  return isSentence && next.length > first.length && first.length + 1 + word.length <= longest
}
const LONGEST_HEAD_LINE = 60
/** The first fact of a note or a task: a person, a finite verb, or a request. */
const STATES =
  /(?<!\p{L})(?:I|me|we|us|you|he|him|she|they|them|ich|mich|mir|wir|uns|du|er|ihr|je|j['’]ai|nous|tu|il|elle|on|yo|nosotros)(?![\p{L}.])|(?<=\p{L} )(?:is|are|was|were|has|have|had|will|would|can|could|should|must|owes?|wants?|needs?|said|says|told|called|came|comes|went|goes|got|lost|quit|left|sold|bought|paid|broke|won|ist|sind|war|waren|hat|haben|wird|werden|kann|muss|soll|will|kommt|geht|est|sont|était|a|ont|va|doit|peut|es|está|están|fue|ha|han|tiene|debe)(?= )|^(?:call|buy|ask|tell|send|pay|book|get|bring|take|pick|fix|return|cancel|order|write|email|check|remember|remind|don['’]t|do not|never|always|please|make|meet|go|clean|find|renew|bitte|nicht vergessen|penser à|appeler|acheter|llamar|comprar) (?!list(?!\p{L}))/iu
function isFieldLine(line: string): boolean {
  return Object.values(FIELDS).some((pattern) => pattern.exec(line)?.index === 0)
}

function fieldsIn(lines: readonly string[]): Partial<Record<Field, string>> {
  const found: Partial<Record<Field, string>> = {}
  for (const line of lines) {
    for (const field of ['title', 'when', 'where', 'participants', 'author'] as const) {
      const value = FIELDS[field].exec(line)?.[1]?.trim()
      if (value) found[field] ??= value
    }
  }
  return found
}

/** `Present: Ann, Ben. Apologies: Cleo` */
const NEXT_FIELD = /\s*[.;]\s+\p{Lu}\p{L}+(?: \p{L}+)?:.*$/u

function namesIn(list: string): string[] {
  const names = list
    .replace(/\([^)]{0,80}\)/g, ' ')
    .replace(NEXT_FIELD, '')
    .split(/[,;、，；|]| and | und | et | y | и /)
    .map((name) => name.replace(/\s+/g, ' ').trim())
  return names.filter((name) => /\p{L}/u.test(name) && name.length <= LONGEST_NAME).slice(0, MOST_NAMES)
}
