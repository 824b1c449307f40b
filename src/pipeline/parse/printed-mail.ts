import type { ParseContext } from './parse-context.ts'
import { quoteTime } from './quoted-mails.ts'

/** The fields that programs print above a mail, in several languages, by their name in the message itself. */
const FIELDS: Readonly<Record<string, RegExp>> = {
  From: /^(?:from|von|de|da|van|från)$/iu,
  To: /^(?:to|an|à|para|a|aan|till)$/iu,
  Cc: /^(?:cc|kopie|kopia)$/iu,
  Date: /^(?:sent|date|gesendet|datum|envoyé|enviado(?: el)?|fecha|inviato|data|verzonden|skickat)$/iu,
  Subject: /^(?:subject|betreff|objet|asunto|oggetto|onderwerp|ämne)$/iu,
}
const LINE = /^[*_]{0,2}(\p{L}{1,10}(?: el)?)\s?:[*_]{0,2}\s?(.{1,1000})$/u
const MOST_LINES = 8

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
    const [field] = Object.entries(FIELDS).find(([, pattern]) => pattern.test(label)) ?? []
    if (field === undefined) return undefined
    found.set(field, value)
  }
  const at = quoteTime(lines.join('\n'), context)
  if (!found.has('From') || !found.has('Subject') || at === undefined) return undefined
  found.set('Date', at.toUTCString())
  const head = [...found].map(([field, value]) => `${field}: ${value}`).join('\n')
  return new TextEncoder().encode(`${head}\n\n${text.slice(end + 1).trim()}\n`)
}
