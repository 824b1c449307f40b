import { MAIL_FIELDS } from '../../lib/mail-fields.ts'
import type { ParseContext } from './parse-context.ts'
import { quoteTime } from './quoted-mails.ts'

const FIELDS = Object.entries(MAIL_FIELDS).map(([field, names]) => [field, new RegExp(`^(?:${names})$`, 'iu')] as const)
const LINE = /^[*_]{0,2}(\p{L}{1,10}(?: el)?)\s?:[*_]{0,2}\s?(.{1,1000})$/u
const MOST_LINES = 8
/** A field of mails alone, while notes have a date too. */
const SENT = /^[*_]{0,2}(?:sent|gesendet|envoyé|enviado(?: el)?|inviato|verzonden|skickat)\s?:/iu
const CLOCK = /\d:\d\d/

/** An address, or a first and a family name: a trip is from one place to another, and a meeting from nine to ten. */
function isSender(from: string): boolean {
  return /[^\s@]@[^\s@]+\.\p{L}/u.test(from) || /\p{Lu}[\p{L}\p{M}.'’-]*,? (?:\p{Ll}+ ){0,3}\p{Lu}/u.test(from)
}

/**
 * A mail copied out of a program, with `From:`, `Sent:`, `To:` and `Subject:` above it, as the message it was; `undefined`
 * for any other text.
 */
export function printedMail(text: string, context: ParseContext): Uint8Array | undefined {
  const end = text.search(/\S(?=[^\S\n]*\n[^\S\n]*\n)/)
  const lines = text
    .slice(0, end + 1)
    .trim()
    .split('\n', MOST_LINES + 1)
  if (end < 0 || lines.length < 3 || lines.length > MOST_LINES) return undefined
  const found = new Map<string, string>()
  for (const line of lines) {
    const [, label = '', value = ''] = LINE.exec(line.trim()) ?? []
    const [field] = FIELDS.find(([, pattern]) => pattern.test(label)) ?? []
    if (field === undefined) return undefined
    found.set(field, value)
  }
  const at = quoteTime(lines.join('\n'), context)
  if (!isSender(found.get('From') ?? '') || !found.has('Subject') || at === undefined) return undefined
  if (!lines.some((line) => SENT.test(line.trim())) && !CLOCK.test(found.get('Date') ?? '')) return undefined
  found.set('Date', at.toUTCString())
  const head = [...found].map(([field, value]) => `${field}: ${value}`).join('\n')
  return new TextEncoder().encode(`${head}\n\n${text.slice(end + 1).trim()}\n`)
}
