import { digest } from '../../src/connector/source-item-id.ts'
import { zonedInstant } from '../../src/connector/source-time.ts'
import type { ChatMessage, ExportedMessages } from './exported-messages.ts'
import { INVISIBLE, whatsappText, withoutInvisible } from './whatsapp-text.ts'

/**
 * The start of a message: `[04.03.26, 10:12:33] `, `3/4/26, 10:12 AM - `, `2026-03-04 10:12 - `, `2026/03/04 午前10:12 - `. The
 * order of day and month and the clock are those of the phone's language.
 */
const HALF = '[ap]\\.?\\s?m\\.?|午前|午後|上午|下午|오전|오후'
const START = new RegExp(
  `^${INVISIBLE}*(\\[)?(\\d{1,4})[./-]\\s?(\\d{1,2})[./-]\\s?(\\d{1,4})\\.?,?\\s+(?:(${HALF})\\s?)?(\\d{1,2})[:.](\\d{2})(?:[:.](\\d{2}))?(?:\\s*(${HALF}))?(?:\\]\\s*|\\s+[-–]\\s+)(.*)$`,
  'iu',
)
const AFTERNOON = /^(?:p|午後|下午|오후)/i

type Order = 'ymd' | 'dmy' | 'mdy'

interface Line {
  /** As written: three numbers, then the clock. */
  readonly date: readonly [number, number, number]
  readonly clock: { readonly hour: number; readonly minute: number; readonly second: number }
  readonly hasHalves: boolean
  readonly isSlashed: boolean
  readonly rest: string
}

/** @param label the name of the file, of its folder or archive. `undefined` when it is no chat of WhatsApp */
export function whatsappChat(text: string, label: string, timeZone: string): ExportedMessages | undefined {
  const found: { readonly line: Line; readonly more: string[] }[] = []
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    const start = startOf(line)
    if (start !== undefined) found.push({ line: start, more: [] })
    else found.at(-1)?.more.push(line)
  }
  if (found.length === 0) return undefined
  const order = orderOf(found.map(({ line }) => line))
  const messages = found.flatMap(({ line, more }) => messageOf(line, more, order, timeZone))
  const name = chatName(label)
  return { key: digest(['whatsapp', name]), name, messages }
}

function startOf(line: string): Line | undefined {
  const found = START.exec(line)
  if (found === null) return undefined
  const [, , a = '', b = '', c = '', before, hour = '', minute = '', second = '0', after, rest = ''] = found
  const half = before ?? after
  const given = Number(hour)
  return {
    date: [Number(a), Number(b), Number(c)],
    clock: {
      hour: half === undefined ? given : (given % 12) + (AFTERNOON.test(half) ? 12 : 0),
      minute: Number(minute),
      second: Number(second),
    },
    hasHalves: half !== undefined,
    isSlashed: line.includes('/'),
    rest,
  }
}

/** What the numbers allow; else the order in which time goes forward; else what is usual for how they are written. */
function orderOf(lines: readonly Line[]): Order {
  if (lines.some(({ date: [first] }) => first > 31)) return 'ymd'
  if (lines.some(({ date: [first] }) => first > 12)) return 'dmy'
  if (lines.some(({ date: [, second] }) => second > 12)) return 'mdy'
  const [dmy, mdy] = (['dmy', 'mdy'] as const).map((order) => stepsBack(lines, order)) as [number, number]
  if (dmy !== mdy) return dmy < mdy ? 'dmy' : 'mdy'
  return lines.some(({ hasHalves, isSlashed }) => hasHalves && isSlashed) ? 'mdy' : 'dmy'
}

function stepsBack(lines: readonly Line[], order: Order): number {
  const days = lines.map(({ date }) => dayNumber(date, order))
  return days.filter((day, at) => at > 0 && day < (days[at - 1] ?? 0)).length
}

function dayNumber(date: Line['date'], order: Order): number {
  const { year, month, day } = calendarDay(date, order)
  return year * 10_000 + month * 100 + day
}

function calendarDay([a, b, c]: Line['date'], order: Order): { year: number; month: number; day: number } {
  const full = (year: number) => (year < 100 ? 2000 + year : year)
  if (order === 'ymd') return { year: full(a), month: b, day: c }
  return order === 'dmy' ? { year: full(c), month: b, day: a } : { year: full(c), month: a, day: b }
}

const SENDER = /^([^:]{1,90}):\s(.*)$/su
const QUOTED = /"[^"]*"|[“„][^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』/gu

/**
 * The name before the colon, and what follows it. System lines, such as who joined, have no colon, or one within the quoted
 * name of the group.
 */
function spokenBy(rest: string): { readonly from: string; readonly text: string } | undefined {
  const [, name = '', text = ''] = SENDER.exec(rest) ?? []
  const from = withoutInvisible(name)
    .replace(/^[\s~]+/, '')
    .trim()
  return from === '' || /["“”„«»「」『』]/.test(from.replace(QUOTED, '')) ? undefined : { from, text }
}

function messageOf(
  { date, clock, rest }: Line,
  more: readonly string[],
  order: Order,
  timeZone: string,
): ChatMessage[] {
  const spoken = spokenBy(rest)
  const at = zonedInstant({ ...calendarDay(date, order), ...clock }, timeZone)
  if (spoken === undefined || at === undefined) return []
  const text = whatsappText([spoken.text, ...more].join('\n'))
  return text === '' ? [] : [{ at, from: spoken.from, text }]
}

const LABEL =
  /^(?:whatsapp[ -]?chat|chat (?:de )?whatsapp|discussion whatsapp|conversa do whatsapp)(?:\s+(?:with|mit|met|con|avec|com)\s+|\s*[-–—]\s*)(.+)$/iu

/** `Priya` of `WhatsApp Chat with Priya (1)`. */
function chatName(label: string): string {
  // Macs decompose the letters of file names.
  const plain = withoutInvisible(label)
    .replace(/ \(\d+\)$/, '')
    .trim()
    .normalize('NFC')
  return LABEL.exec(plain)?.[1]?.trim() ?? plain
}
