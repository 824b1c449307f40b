import { parseMoment } from '../../lib/dates/parse-moment.ts'
import { parseWordedStamp, stampInstant, usualDateOrder } from '../../lib/dates/stamp.ts'
import { MAIL_FIELDS } from '../../lib/mail-fields.ts'
import { type MailQuote, trimMail } from '../../lib/trim-mail.ts'
import type { TextBuilder } from './markdown.ts'
import type { ParseContext } from './parse-context.ts'

/** The name that connectors give a mail of a whole mailbox, where what it quotes is an item of its own. */
const MAIL_OF_MAILBOX = 'mail.eml'
/** A long correspondence is quoted below each of its mails. */
const MOST_LEVELS = 3
const MOST_CHARACTERS = 20_000
/** Each is compared with those before it. */
const MOST_QUOTES = 200

const BEHIND_VERB = /(?:schrieb|schreef)\s+([^:\n]{2,120}):\s*$/iu
const BEFORE_VERB =
  /([^,:\n]{2,80}|"[^"\n]{2,80}"[^,:\n]{0,80})\s+(?:wrote|schrieb|a écrit|escribi[óo]|ha scritto|escreveu|schreef|skrev|napsal(?:\(a\))?|napisał\(?a?\)?)(?: [^\n]{0,40}\d[^\n]{0,20})?\s*:\s*$/iu
const FROM = new RegExp(String.raw`^[*_\s]{0,4}(?:${MAIL_FIELDS.From})\s?:[*_\s]{0,4}(.{1,200})$`, 'im')
const SENT = new RegExp(String.raw`^[*_\s]{0,4}(?:${MAIL_FIELDS.Date})\s?:[*_\s]{0,4}(.{1,120})$`, 'im')
/** `On`, and a time or a zone in front of the name. */
const BEFORE_NAME =
  /^(?:.*\d(?:\s?(?:Uhr|h|[AaPp]\.?[Mm]\.?|[A-Z]{3,4}|[+-]\d{4}))?\s+)?(?:(?:On|Am|Le|El)\s+)?(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\s+(?=\S+ \S))?/u
const DAY_IN_WORDS =
  /\d{1,2}\.? \p{L}{3,12}\.?,? \d{4}|\p{L}{3,12}\.? \d{1,2},? \d{4}|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4}/u
const CLOCK = /(?<!\d)\d{1,2}:\d{2}(?:\s?[AaPp]\.?[Mm]\.?)?/

/**
 * Adds what a mail quotes from earlier ones, as their writers' words: it may not be in the memory otherwise. Left out and
 * counted: what the mail says itself, what nobody is named for, and all quotes in mails of a mailbox.
 */
export function addQuotedMails(
  quotes: readonly MailQuote[],
  builder: TextBuilder,
  { own, context }: { readonly own: string; readonly context: ParseContext },
): void {
  const held = [plain(own)]
  let left = MOST_CHARACTERS
  let leftOut = 0
  const add = (all: readonly MailQuote[], level: number): void => {
    const most = Math.max(0, MOST_QUOTES - held.length)
    leftOut += Math.max(0, all.length - most)
    for (const { text, introduction = '' } of all.slice(0, most)) {
      const speaker = quoteWriter(introduction)
      const { parts, quotes: further } = trimMail(text, '')
      const words = parts.map((part) => part.text).join('\n\n')
      const isKept = speaker !== undefined && words !== '' && words.length <= left
      if (!isKept || held.some((one) => one.includes(plain(words)))) leftOut++
      else {
        held.push(plain(words))
        left -= words.length
        const at = quoteTime(introduction, context)
        builder.add(words, { type: 'quote', role: 'quoted', speaker, ...(at && { at }) })
      }
      if (level < MOST_LEVELS) add(further, level + 1)
      else leftOut += further.length
    }
  }
  if (context.file.fileName === MAIL_OF_MAILBOX) leftOut = quotes.length
  else add(quotes, 1)
  context.skip('quoted_reply', leftOut, 'quoted reply')
}

/** Who wrote what is quoted below these lines. */
export function quoteWriter(introduction: string): string | undefined {
  const found = (FROM.exec(introduction) ?? BEHIND_VERB.exec(introduction) ?? BEFORE_VERB.exec(introduction))?.[1]
  if (found === undefined) return undefined
  const name = found
    .replace(/\(?<[^<>]*>\)?|\[mailto:[^\]]*\]/g, '')
    .replace(/["*_]/g, '')
    .trim()
    .replace(BEFORE_NAME, '')
    .trim()
  if (name !== '') return /\p{L}/u.test(name) ? name : undefined
  return /[\w.+-]{1,64}@[\w.-]{1,100}/.exec(found)?.[0]
}

/** When it was written, where the lines have a day that can be read. */
export function quoteTime(introduction: string, { file }: ParseContext): Date | undefined {
  const text = SENT.exec(introduction)?.[1] ?? introduction
  const day = DAY_IN_WORDS.exec(text)?.[0]
  if (day === undefined) return undefined
  const clock = CLOCK.exec(text)?.[0]
  const written = [day, clock ?? []].flat().join(' ')
  const stamp = parseWordedStamp(written, usualDateOrder(file.timeZone))
  if (stamp) return stampInstant(stamp, file.timeZone)
  return parseMoment(written, { timeZone: file.timeZone, reference: file.uploadedAt })?.start
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
