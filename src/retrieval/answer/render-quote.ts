import { contactNameIn } from '../../lib/contact-text.ts'
import { englishForm } from '../question/languages/english-form.ts'
import { citedTitle, formatDay } from '../recall/provenance.ts'
import { firstPeriod, type StatedDate, statedDate } from '../recall/stated-date.ts'
import { saysChanged } from './evidence/changed-appointment.ts'
import type { Quote } from './evidence/read-quotes.ts'
import { quotedLines } from './lead-quotation.ts'
import type { Citation } from './write-answer.ts'

const ASKS_FOR_CODE =
  /\b(?:how (?:do|can|to|should)|commands?|(?<!claude )code|script|snippet|syntax|example|configur\w*|install\w*)\b/i
const ASKS_WHEN = /^\W*(?:and |so )?when\b|\b(?:what|which) (?:day|date|month|year)\b|\bhow long ago\b/i
const ASKS_PAST = /^\W*(?:and |so )?(?:when|what day|which day|what date) (?:did|was|were|had|have|has)\b/i
const NAMES_TIME =
  /\b(?:(?:19|20)\d\d|\d{1,2}:\d\d|\d{1,2}(?:st|nd|rd|th)? may|may \d{1,2}|january|february|march|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:last|this|next|that|in|since) (?:the )?(?:spring|summer|autumn|winter)|(?:on|by|from|until|till) the \d{1,2}(?:st|nd|rd|th))\b/i

function namesTime(words: string): boolean {
  return NAMES_TIME.test(englishForm(words).text)
}

interface LeadOptions {
  readonly rendered: readonly string[]
  /** How many of the quotes are shown; the others are counted. */
  readonly count: number
  /** Whether the line says how many there are. */
  readonly isCounted: boolean
  readonly question: string
  readonly timeZone: string
}

/** One line: for "when" the day, for a list the count, and the sentences. */
export function leadLine(
  quotes: readonly Quote[],
  { rendered, count, isCounted, question, timeZone }: LeadOptions,
): string {
  const [first] = quotes
  if (first === undefined) return ''
  if (quotes.length > 1) {
    const entries = quotes.slice(0, count).map((quote, i) => {
      const isSameSpeaker = i > 0 && speakerLabel(quote, timeZone) === speakerLabel(quotes[i - 1]!, timeZone)
      const words = isSameSpeaker ? rendered[i]!.replace(speakerLabel(quote, timeZone), '') : rendered[i]!
      return `${words}${listedDay(quote, timeZone)}`
    })
    const more = quotes.length > count ? [`and ${quotes.length - count} more`] : []
    return `${isCounted ? `Found ${quotes.length}: ` : ''}${[...entries, ...more].join('; ')}`
  }
  const day = ASKS_WHEN.test(question) ? leadDay(first, question, timeZone) : undefined
  if (day === undefined) return rendered[0]!
  // The day is not repeated.
  return `${day} – ${rendered[0]!.replace(` (${day}): `, ': ')}`
}

/** The day of an entry that doesn't say it. */
function listedDay({ row, by, shown }: Quote, timeZone: string): string {
  const isDated = row.at === undefined || by.speaker !== undefined || row.sourceType === 'calendar'
  return isDated || namesTime(shown.words) ? '' : ` (${formatDay(new Date(row.at), timeZone)})`
}

/** The day in the sentence, or the day on which it was written. */
function leadDay({ row, shown, by }: Quote, question: string, timeZone: string): string | undefined {
  if (row.at === undefined || row.sourceType === 'calendar') return undefined
  const stated = statedDate(shown.words, row, timeZone, question)
  // `When did I order it?` is not answered by the day on which it comes.
  if (stated?.day !== undefined && stated.day.getTime() > row.at && ASKS_PAST.test(question)) return undefined
  // The day on which something was called off is not when it is.
  if (namesTime(withoutWords(shown.words, stated)) || saysChanged(shown.words)) return undefined
  return stated?.date ?? (by.speaker === undefined ? undefined : formatDay(new Date(row.at), timeZone))
}

/** The words of a passage without those whose date is known. */
function withoutWords(words: string, stated: StatedDate | undefined): string {
  return stated === undefined ? words : words.replace(stated.words, '')
}

/** `Mara (4 March 2026): `; empty where nobody is named. */
function speakerLabel({ row, by }: Quote, timeZone: string): string {
  if (by.speaker === undefined) return ''
  return `${by.speaker}${row.at === undefined ? '' : ` (${formatDay(new Date(row.at), timeZone)})`}: `
}

/** `Mara (4 March 2026): “We agreed.” [1]` */
export function renderQuote(quote: Quote, mark: string, question: string, timeZone: string): string {
  const { by, reply } = quote
  const shown = visibleParts(quote, question)
  const isTold = ASKS_WHEN.test(question)
  const titled = by.speaker === undefined ? entryTitle(quote) : undefined
  const words = shown.words === '' ? '' : `“${shown.words}” `
  const version =
    quote.isOtherVersion === undefined ? '' : `${quote.isOtherVersion === 'earlier' ? 'Earlier' : 'Later'}: `
  const lead = `${version}${titled === undefined ? speakerLabel(quote, timeZone) : `${titled}: `}`
  const replied = reply?.by.speaker ? `${reply.by.speaker}: ` : ''
  const answer = shown.reply === '' ? '' : ` ${replied}“${shown.reply}” ${mark}`
  const code = shown.code === '' ? '' : `\n\`\`\`\n${shown.code}\n\`\`\``
  const replaced =
    quote.replacedAt === undefined
      ? ''
      : ` (replaces what was said on ${formatDay(new Date(quote.replacedAt), timeZone)})`
  return `${lead}${words}${mark}${isTold ? dateNote(quote, question, timeZone) : relativeNote(quote, question, timeZone)}${replaced}${answer}${code}`
}

/** The title of an event or the name of a contact, without which a line of it says nothing. */
function entryTitle({ row, by, stored, shown }: Quote): string | undefined {
  const contact = contactNameIn(stored)
  const title = row.sourceType === 'calendar' ? by.title : shown.words.includes(contact ?? '') ? undefined : contact
  return title === undefined ? undefined : `“${citedTitle(title)}”`
}

/** The parts of a quote that the answer contains; others are empty. */
function visibleParts({ shown: { words, code }, reply }: Quote, question: string) {
  const withCode = words === '' || ASKS_FOR_CODE.test(question)
  return { words, reply: reply?.shown.words ?? '', code: withCode ? code : '' }
}

export function createCitation(quote: Quote, question: string): Citation {
  const { row, provenance, reply, memory } = quote
  const shown = visibleParts(quote, question)
  const replier = shown.reply === '' ? undefined : reply?.by.speaker
  const participants = [...(provenance.participants ?? []), ...(replier === undefined ? [] : [replier])]
  return {
    itemId: row.itemId,
    sourceType: row.sourceType,
    quote: [quote.lead ? quotedLines(quote.lead) : shown.words, shown.reply, shown.code]
      .filter((part) => part !== '')
      .join('\n'),
    ...(memory && { memory }),
    ...provenance,
    ...(participants.length > 0 && { participants }),
  }
}

/** What `yesterday` among the words that are shown means. */
function relativeNote({ row, shown }: Quote, question: string, timeZone: string): string {
  const stated = statedDate(shown.words, row, timeZone, question)
  return stated === undefined ? '' : ` (“${stated.words}” is ${stated.date})`
}

/** `yesterday` on 8 May 2023 is 7 May 2023; a passage without a time has its own date. */
function dateNote({ row, stored, shown, by }: Quote, question: string, timeZone: string): string {
  if (row.at === undefined) return ''
  const own = statedDate(shown.words, row, timeZone, question)
  // Where the sentence names a time, that of another sentence is about something else.
  const isOwn = own?.day !== undefined || namesTime(shown.words)
  const stated = isOwn ? own : firstPeriod(stored, row, timeZone)
  if (stated) return ` (“${stated.words}” is ${stated.date})`
  // The line already has the date, and an event contains its own.
  if (by.speaker !== undefined || row.sourceType === 'calendar') return ''
  return ` (${row.kind === 'turn' ? 'said on' : 'dated'} ${formatDay(new Date(row.at), timeZone)})`
}
