import { digest } from '../../src/connector/source-item-id.ts'
import { zonedInstant } from '../../src/connector/source-time.ts'
import type { ChatMessage, ExportedMessages } from './exported-messages.ts'

/**
 * The start of a message: `[04.03.26, 10:12:33] `, `3/4/26, 10:12 AM - `, `2026-03-04 10:12 - `. The order of day and month
 * and the clock are those of the phone's language.
 */
const START =
  /^[\u200e\u200f\ufeff]*(\[)?(\d{1,4})[./-]\s?(\d{1,2})[./-]\s?(\d{1,4}),?\s+(?:([ap])\.?\s?m\.?\s)?(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:\s*([ap])\.?\s?m\.?)?(?:\]\s*|\s+[-–]\s+)(.*)$/iu

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
  const half = (before ?? after)?.toLowerCase()
  const given = Number(hour)
  return {
    date: [Number(a), Number(b), Number(c)],
    clock: {
      hour: half === undefined ? given : (given % 12) + (half === 'p' ? 12 : 0),
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

/** A name before the colon; system lines, such as who joined, have none. */
const SENDER = /^[\u200e\u200f\s~]*([^:"“”„]{1,80}?):\s(?=([\s\S]*))/u
/** In place of a picture that was not exported, or a deleted message, as Android writes it. */
const PLACEHOLDER = /^<[^<>\n]{3,60}>$/
const DELETED =
  /^(?:this message was deleted|you deleted this message|diese nachricht wurde gelöscht|du hast diese nachricht gelöscht|se eliminó este mensaje|eliminaste este mensaje|ce message a été supprimé|vous avez supprimé ce message|mensagem apagada|você apagou esta mensagem|questo messaggio è stato eliminato|hai eliminato questo messaggio|null)\.?$/i
const ATTACHED = /^[\u200e\u200f]*<[^:<>]{2,30}: ([^<>\n]{1,200}\.\w{2,5})>/u
const ANDROID_FILE = /^[\u200e\u200f]*([^\n]{1,200}\.\w{2,5}) \([^()\n]{3,40}\)(?=\n|$)/u
const EDITED = /\s*[\u200e\u200f]*<[^<>\n]{5,60}>\s*$/u

function messageOf(
  { date, clock, rest }: Line,
  more: readonly string[],
  order: Order,
  timeZone: string,
): ChatMessage[] {
  const sender = SENDER.exec(rest)
  const from = sender?.[1]?.trim()
  const at = zonedInstant({ ...calendarDay(date, order), ...clock }, timeZone)
  if (!from || at === undefined) return []
  const text = readable([sender?.[2] ?? '', ...more].join('\n'))
  return text === '' ? [] : [{ at, from, text }]
}

/** Without what the program itself writes, which begins with an invisible mark on iPhones. */
function readable(given: string): string {
  const file = ATTACHED.exec(given) ?? ANDROID_FILE.exec(given)
  if (file !== null) {
    const caption = given
      .slice(file[0].length)
      .replace(/[\u200e\u200f]/g, '')
      .trim()
    return [`[file: ${file[1]}]`, caption].filter(Boolean).join('\n')
  }
  if (/^[\u200e\u200f]/.test(given)) return ''
  const text = given
    .replace(EDITED, (mark) => (/[\u200e\u200f]/.test(mark) ? '' : mark))
    .replace(/[\u200e\u200f]/g, '')
    .trim()
  return PLACEHOLDER.test(text) || DELETED.test(text) ? '' : text
}

const LABEL =
  /^(?:whatsapp[ -]?chat|chat (?:de )?whatsapp|discussion whatsapp|conversa do whatsapp)(?:\s+(?:with|mit|con|avec|com)\s+|\s*[-–—]\s*)(.+)$/iu

/** `Priya` of `WhatsApp Chat with Priya (1)`. */
function chatName(label: string): string {
  const plain = label
    .replace(/[\u200e\u200f]/g, '')
    .replace(/ \(\d+\)$/, '')
    .trim()
  return LABEL.exec(plain)?.[1]?.trim() ?? plain
}
