import type { Chunk, ParsedDocument } from '../../domain/document.ts'
import type { MomentRange } from '../../domain/moment-range.ts'
import { trackedNoun } from '../../domain/source-type.ts'
import type { ContactCard } from '../../lib/contact-text.ts'
import { clip, sentencesOf } from '../../lib/sentences.ts'
import { isDiaryTitle } from '../parse/diary-title.ts'
import { splitEvent } from '../parse/event-text.ts'
import { isBareDay, withoutNoteHead } from '../parse/note-head.ts'
import { HEADING_SEPARATOR, lastHeading } from '../segment/heading-path.ts'
import { readContact } from './contacts.ts'
import { dayAccount } from './day-accounts.ts'
import { type DiaryEntry, diaryEntry, isDayTitle, titleDay } from './diary-entries.ts'
import { narrateExchange } from './exchange-narrative.ts'
import type { ExtractContext } from './extract-context.ts'
import {
  isFirstLine,
  isGenericTitle,
  isMinutes,
  isOwnNote,
  NUMBERED,
  passageTitle,
  REPLY_MARK,
  undatedTitle,
} from './headline/document-titles.ts'
import { withLabels } from './letters/label-lines.ts'
import { isSignedBy, withoutSignOff } from './letters/letter-ends.ts'
import { type Letter, readLetter } from './letters/letters.ts'
import { mailPurchase, narratePurchase, withoutRows } from './letters/purchases.ts'
import { endsWithReport, type Passage } from './passages.ts'
import { isSalutation } from './salience.ts'
import { reportsDone } from './speech/done-reports.ts'
import { quoteSentences } from './speech/quotations.ts'
import { withoutOpener } from './speech/reported-speech.ts'
import { narrateSpeech, type SpeechManner } from './speech/speech.ts'
import { withoutFillers, withoutRepeats } from './speech/spoken-fillers.ts'
import { withoutRestarts } from './speech/spoken-restarts.ts'
import { utterancesOf } from './speech/utterances.ts'
import { withStatementDays } from './statement-days.ts'
import { withCheckedAsDone, withEntriesApart, withWrittenLines } from './written-lines.ts'

const MOST_CODE = 200

/** Input of a narrative. */
interface NarrativeInput {
  readonly passage: Passage
  /** When it was said, written or held; not a day mentioned in the text. */
  readonly when: MomentRange | undefined
  readonly participants: readonly string[]
  /** The first passage of its document, which states writer and recipients. */
  readonly isFirst: boolean
}

/** First-person narrative of a passage from the owner's point of view; empty for talk without content. */
export function writeNarrative(input: NarrativeInput, context: ExtractContext): string {
  const { kind } = context.document
  if (input.passage.form === 'exchange') return narrateExchange(input.passage, context)
  if (kind === 'calendar') return narrateEvent(input, context)
  const day = passageDay(input.passage, context)
  if (day !== undefined) return day.narrative
  const isConversation = input.passage.form === 'turns' && kind !== 'email' && kind !== 'issue'
  if (isConversation) return narrateConversation(input, context)
  const chunks = input.passage.chunks.map((chunk) => withStatementDays(chunk, context))
  const written = { ...input, passage: { ...input.passage, chunks } }
  if (kind === 'email') return narrateMail(written, context)
  return kind === 'issue' ? narrateIssue(written, context) : narrateProse(written, context)
}

/** The narrative of a day listed by a connector. */
export function passageDay({ chunks }: Passage, { document, file, moments, people }: ExtractContext) {
  const { when, participants = [] } = document.meta
  return dayAccount({
    sourceType: file.sourceType,
    text: chunks.map(({ text }) => text).join('\n'),
    day: when && moments.day(when),
    people: participants.map(people.display).filter((name) => name !== file.userName),
  })
}

/** Chats and meetings. */
function narrateConversation({ passage, when }: NarrativeInput, context: ExtractContext): string {
  const { document, moments, people } = context
  const lines = document.kind === 'chat' ? passage.chunks.map(withLinesApart) : passage.chunks
  const said = lines.map((chunk) => withStatementDays(chunk, context))
  const verb = context.isNotices && passage.via === undefined ? 'notify' : 'say'
  const manner =
    passage.via === undefined ? speechManner(context, verb) : { ...speechManner(context, verb), isToMe: true }
  // What is no news alone closes what was asked for.
  const isChatter = (sentence: string) => !reportsDone(sentence) && context.isChatter(sentence)
  const ownManner = endsWithReport(passage) ? { ...manner, isChatter } : manner
  const narrative = narrateSpeech(utterancesOf(said, people), people, ownManner)
  const day = when ? `on ${moments.day(when)}` : ''
  const on = passage.via === undefined ? day : `${day} on ${passage.via}`.trimStart()
  const whole = document.meta.title ?? ''
  const undated = undatedTitle(whole)
  const title = whole === '' || isGenericTitle(whole) || isGenericTitle(undated) ? undefined : undated
  let lead = [on, document.meta.where ? `in ${document.meta.where}` : ''].filter((part) => part !== '').join(' ')
  if (document.kind === 'transcript') {
    lead = [title ? `in the meeting "${quotableTitle(title)}"` : 'in a meeting', on]
      .filter((part) => part !== '')
      .join(' ')
  } else if (!document.meta.where && title)
    lead = [on, `in "${quotableTitle(title)}"`].filter((part) => part !== '').join(' ')
  if (narrative === '') return ''
  if (lead === '') return narrative
  // A deed may have been done before the day on which it is reported.
  return `${capitalized(lead)}${SAYS.test(narrative) ? ',' : ':'} ${narrative.replace(/^The (?=assistant\b)/, 'the ')}`
}

/** Starts with a performative verb. */
const SAYS =
  /^[^".]{1,60}? (?:(?:told|said|notified|asked|answered|promised|proposed|offered|agreed|shared)\b|wrote(?: that|:))/

/** In chats, programs only wrap long lines. */
function withLinesApart(chunk: Chunk): Chunk {
  return chunk.text.includes('\n')
    ? { ...chunk, text: chunk.text.replace(/(?<=^|\n)([^\n]{1,60})\n(?=\S)/g, '$1\n\n') }
    : chunk
}

function narrateMail({ passage, when }: NarrativeInput, context: ExtractContext): string {
  const { document, people, moments, file, isTimed } = context
  const { author } = document.meta
  const title = passageTitle(passage, document)?.replace(REPLY_MARK, '')
  const writer = passage.chunks[0]?.speaker ?? author
  // Messages of a thread have their own times; other text by somebody else was forwarded.
  const sender = isTimed ? writer : (author ?? writer)
  const who = people.isMe(sender) ? 'I' : sender ? people.display(sender) : 'somebody'
  // The writer of a forwarded text is not its recipient.
  const addressed = [...new Set((document.meta.participants ?? []).map(people.display))]
  // `Ing. Paola Garza` and `Paola Garza` are the same person.
  const others = addressed.filter((name) => name !== file.userName && !who.endsWith(name) && !name.endsWith(who))
  const to = who !== 'I' && people.hasMe ? ['me', ...others] : others
  const verb = writer === sender || !writer ? 'wrote' : `forwarded a message by ${people.display(writer)}`
  const opening = [
    when ? `On ${moments.day(when)} ${who}` : capitalized(who),
    verb,
    to.length > 0 ? `to ${nameList(to)}` : '',
    title ? `about "${quotableTitle(title)}"` : '',
  ].filter((part) => part !== '')
  const purchase = mailPurchase(passage, context)
  const chunks = passage.chunks.map((chunk) => ({
    ...chunk,
    text: withWrittenLines(withLabels(withoutSignOff(purchase ? withoutRows(chunk.text, purchase) : chunk.text))),
    ...(writer && { speaker: chunk.speaker ?? writer }),
  }))
  // "We" in a letter more often means the writer's company than the writer and me.
  const isSigned = passage.chunks.some(({ text }) => isSignedBy(text, who))
  const manner = { ...speechManner(context, 'write'), introduced: [who], weIncludesMe: false, isSigned }
  const mail = joined(`${opening.join(' ')}.`, narrateSpeech(utterancesOf(chunks, people), people, manner))
  return purchase === undefined ? mail : `${purchase.narrative} ${mail}`
}

function narrateIssue({ passage, when, isFirst }: NarrativeInput, context: ExtractContext): string {
  const { document, people, moments } = context
  const { meta } = document
  const name = meta.title ? `${issueNoun(context)} "${quotableTitle(meta.title)}"` : withArticle(issueNoun(context))
  const opener = passage.chunks[0]?.speaker ?? meta.author
  const on = when ? ` on ${moments.day(when)}` : ''
  const place = meta.where ? ` in ${meta.where}` : ''
  const chunks = passage.chunks.map((chunk) => (chunk.speaker || !opener ? chunk : { ...chunk, speaker: opener }))
  const narrative = narrateSpeech(utterancesOf(chunks, people), people, {
    ...speechManner(context, 'write'),
    // As in a letter, "we" is more often the writer's side.
    weIncludesMe: false,
    introduced: isFirst && opener ? [people.display(opener)] : [],
  })
  if (isFirst && opener) {
    const who = people.isMe(opener) ? 'I' : people.display(opener)
    return joined(`${who} opened ${meta.title ? 'the ' : ''}${name}${place}${on}.`, narrative)
  }
  return joined(`About ${meta.title ? 'the ' : ''}${name}${place}${on}:`, narrative)
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}

function issueNoun({ file, document }: ExtractContext): string {
  if (/\/(?:pull|pulls|merge_requests)\/\d/.test(document.meta.url ?? '') || /[:=]pr[=:]/.test(file.itemId))
    return 'pull request'
  return trackedNoun(file.sourceType) ?? 'issue'
}

/** Notes and documents are quoted, because reworded prose loses information and is sometimes wrong. */
function narrateProse(input: NarrativeInput, context: ExtractContext): string {
  const { passage, when, isFirst } = input
  const { document, people, moments, file } = context
  const written = document.meta.title ?? passage.chunks[0]?.heading?.split(HEADING_SEPARATOR)[0]
  const isTitle =
    written !== undefined && (isBareDay(written) || !(NUMBERED.test(written) || isFirstLine(written, passage)))
  const title = isTitle ? written : undefined
  if (isCode(document)) return narrateCode(passage, title)
  const purchase = narratePurchase(passage.chunks.map(({ text }) => text).join('\n'), title, when, context)
  if (purchase !== undefined) return purchase
  const contact = readContact(passage)
  if (contact !== undefined) return narrateContact(contact, passage, context)
  const letter = readLetter(passage.chunks.map(({ text }) => text).join('\n\n'))
  if (letter !== undefined) return narrateLetter(letter, input, context)
  const entry = diaryEntry(passage, context)
  if (entry !== undefined) return narrateEntry(entry, input, context)
  if (title && isDayTitle(title)) return `I noted on ${titleDay(title, context)}: "${quoteProse(passage, context)}"`
  const quote = quoteProse(isFirst ? withoutHead(passage, title) : passage, context)
  const isNote = document.kind === 'note'
  const isDated = when !== undefined && isNote
  const on = isDated && !title?.includes(moments.day(when)) ? ` on ${moments.day(when)}` : ''
  if (!title || (isNote && isDated && isGenericTitle(title)))
    return quote === '' ? '' : `I noted${isDated ? ` on ${moments.day(when)}` : ''}: "${quote}"`
  const heading = lastHeading(passage.chunks[0])
  const source = {
    title: quotableTitle(undatedTitle(title)),
    section: heading === undefined || heading === title ? undefined : quotableTitle(heading),
    by: document.meta.author && !people.isMe(document.meta.author) ? people.display(document.meta.author) : undefined,
  }
  if (file.sourceType === 'browser') return narratePage(source, quote)
  if (source.by !== undefined || !(isNote || isOwnNote(title) || people.isMe(document.meta.author)))
    return narrateDocument(source, quote, isMinutes(title) ? 'minutes' : isNote ? 'note' : 'document')
  const others = (document.meta.participants ?? []).map(people.display).filter((name) => name !== file.userName)
  const about = isNote && others.length > 0 ? ` about a meeting with ${nameList(others)}` : ''
  const verb = people.isMe(document.meta.author) ? 'wrote' : 'noted'
  const under = source.section === undefined ? '' : `under "${source.section}" `
  return quote === ''
    ? `I ${verb} "${source.title}"${about}${on}.`
    : `I ${verb}${on} ${under}in "${source.title}"${about}: "${quote}"`
}

/** `I noted on 12 March 2026 in "Work log": "..."`; of a document that may be somebody else's, what it says on the day. */
function narrateEntry(
  { title, section }: DiaryEntry,
  { passage, when }: NarrativeInput,
  context: ExtractContext,
): string {
  const { document, moments, people } = context
  const { author } = document.meta
  const quote = quoteProse(passage, context)
  const under = section === undefined ? '' : ` under "${quotableTitle(section)}"`
  const isOwn = author === undefined ? document.kind === 'note' || !title || isDiaryTitle(title) : people.isMe(author)
  if (quote === '') return ''
  if (isOwn)
    return `I noted${when ? ` on ${moments.day(when)}` : ''}${under}${title ? ` in "${quotableTitle(title)}"` : ''}: "${quote}"`
  const by = author === undefined ? '' : ` by ${people.display(author)}`
  return `From ${by === '' ? 'my' : 'the'} document ${title ? `"${quotableTitle(title)}"` : 'of that day'}${by}${when ? `, ${moments.day(when)}` : ''}${under}: "${quote}"`
}

function narrateContact({ name, details }: ContactCard, passage: Passage, context: ExtractContext): string {
  const [first] = passage.chunks
  const quote =
    first && details !== '' ? quoteProse({ ...passage, chunks: [{ ...first, text: details }] }, context) : ''
  return quote === '' ? `${name} is in my contacts.` : `${name} is in my contacts: "${quote}"`
}

function narrateLetter({ from, text }: Letter, { passage, when }: NarrativeInput, context: ExtractContext): string {
  const [first] = passage.chunks
  const quote = first === undefined ? '' : quoteProse({ ...passage, chunks: [{ ...first, text }] }, context)
  const on = when === undefined ? '' : ` on ${context.moments.day(when)}`
  const what = context.people.isMe(from) ? 'wrote a letter' : `received a letter from ${from}`
  return quote === '' ? `I ${what}${on}.` : `I ${what}${on}: "${quote}"`
}

/** Where a text is from, ready for quotation marks. */
interface ProseSource {
  readonly title: string
  readonly section: string | undefined
  /** Its writer, if somebody else. */
  readonly by: string | undefined
}

function narratePage({ title, section, by }: ProseSource, quote: string): string {
  const page = `I read "${title}"${by === undefined ? '' : ` by ${by}`}`
  if (quote === '') return `${page}.`
  return section === undefined ? `${page}: "${quote}"` : `${page}, under "${section}": "${quote}"`
}

/** The topic first: `"Limits" in my document "Loader": "Tables without a key are skipped."` */
function narrateDocument({ title, section, by }: ProseSource, quote: string, noun: string): string {
  const owner = by === undefined && noun !== 'minutes' ? 'my' : 'the'
  const named = `${owner} ${noun} "${title}"${by === undefined ? '' : ` by ${by}`}`
  if (quote === '') return `I have ${named}.`
  if (LISTED.test(quote))
    return `${capitalized(named)} ${noun === 'minutes' ? 'list' : 'lists'}${section === undefined ? '' : ` under "${section}"`}: "${quote}"`
  return section === undefined ? `From ${named}: "${quote}"` : `"${section}" in ${named}: "${quote}"`
}
/** Begins with items of a list or rows of a table. */
const LISTED = /^[^.!?。！？]*;/

/** The first sentence of a note, with its title, day and people. */
function withoutHead(passage: Passage, title: string | undefined): Passage {
  const [first, ...others] = passage.chunks
  if (!first) return passage
  const text = withoutNoteHead(first.text, title)
  return text.trim() === '' ? passage : { ...passage, chunks: [{ ...first, text }, ...others] }
}

function isCode(document: ParsedDocument): boolean {
  return document.blocks.length > 0 && document.blocks.every(({ type }) => type === 'code')
}

/** Code is quoted from its start, which identifies the file. */
function narrateCode(passage: Passage, title: string | undefined): string {
  const text = passage.chunks.map((chunk) => chunk.text).join('\n')
  const begin = clip(text.replace(/\s+/g, ' ').trim(), MOST_CODE).replaceAll('"', "'")
  const part = passage.first === 0 ? '' : ', further down'
  return `I have ${title ? `a file "${quotableTitle(title)}"` : 'a file'}${part}: "${begin}"`
}

function speechManner(
  { english, isChatter, isCommonWord, isName, document, spokenSentences }: ExtractContext,
  verb: SpeechManner['verb'],
) {
  const manner = { verb, english, isChatter, isCommonWord, isName }
  if (verb === 'notify') return { ...manner, isToMe: true }
  return { ...manner, isCasual: document.kind === 'chat', spokenSentences }
}

function joined(opening: string, narrative: string): string {
  return narrative === '' ? opening.replace(/:$/, '.') : `${opening} ${narrative}`
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `I had a meeting "X" with A and B at P on D.`, in the tense of the day the entry was memorized. */
function narrateEvent({ passage, when, participants }: NarrativeInput, context: ExtractContext): string {
  const { document, moments, file } = context
  const first = passage.chunks[0]
  // A calendar file can contain many events, each below its own heading.
  const title = first?.heading?.split(HEADING_SEPARATOR).at(-1) ?? document.meta.title ?? first?.text
  const name = title ? `"${quotableTitle(title)}"` : 'an event'
  const event = splitEvent(first?.text ?? '')
  const described = passage.chunks.map((chunk) => ({ ...chunk, text: splitEvent(chunk.text).description }))
  const quote = quoteProse(
    { ...passage, chunks: described.filter(({ text }) => text !== '' && text !== title) },
    context,
  )
  const isFirst = event.when !== undefined || first?.ordinal === 0
  if (!isFirst) return `The description of ${name} in my calendar goes on: "${quote}"`
  const others = participants.filter((name) => name !== context.file.userName)
  const isPast = when === undefined ? false : (when.end ?? when.start) < file.uploadedAt
  const verb = isPast || event.isCancelled ? 'had' : 'have'
  const what =
    others.length > 0 ? `a meeting${title ? ` ${name}` : ''} with ${nameList(others)}` : `${name} in my calendar`
  const where = event.where ?? document.meta.where
  const at = where ? ` at ${where}` : ''
  const on = document.meta.when ? moments.range(document.meta.when) : (event.when ?? (when && moments.range(when)))
  const span = on?.includes(' to ') && !/\d:\d/.test(on) ? `from ${on}` : `on ${on}`
  const repeats = event.repeats ? ` It repeats ${event.repeats}.` : ''
  const cancelled = event.isCancelled ? ', which was cancelled' : ''
  const sentence = `I ${verb} ${what}${at}${on ? ` ${span}` : ''}${cancelled}.${repeats}`
  return quote === '' ? sentence : `${sentence} Its description says: "${quote}"`
}

/** Maximum quoted characters of prose; `body` has all of it. */
const MOST_QUOTED = 600
const LONGEST_TITLE = 200

/** The sentences with the highest weight, up to 600 characters, without code. Names the sections after the first. */
function quoteProse(passage: Passage, { document, english, isChatter, isSpoken }: ExtractContext): string {
  const isInvitation = document.kind === 'calendar'
  let unnamed: string | undefined
  const sentences = passage.chunks.flatMap((chunk, i) => {
    if (i > 0 && chunk.heading !== passage.chunks[i - 1]?.heading) unnamed = lastHeading(chunk)
    const worth = sentencesOf(withWrittenLines(withLabels(withEntriesApart(withCheckedAsDone(chunk.text)))))
      .map((sentence) => withoutFillers(sentence, english))
      .map((sentence) => (english && isSpoken ? fluent(sentence) : sentence))
      .map((sentence) => (isInvitation ? withoutSalutation(sentence) : sentence))
      .filter((sentence) => sentence !== '' && !isChatter(sentence))
    // A heading stands before its first statement, and is left out if it has none.
    const heading = worth.length > 0 ? unnamed : undefined
    if (worth.length > 0) unnamed = undefined
    return [...(heading ? [/[?!:.]$/.test(heading) ? heading : `${heading}:`] : []), ...worth]
  })
  return quoteSentences(sentences, MOST_QUOTED)
}

/** Descriptions of events seldom have a line of their own for `Liebe Eltern,`. */
function withoutSalutation(sentence: string): string {
  const [greeting = ''] = /^[^,!?.:]{3,40}[,:!] (?=\p{L})/u.exec(sentence) ?? []
  return greeting !== '' && isSalutation(greeting) ? capitalized(sentence.slice(greeting.length)) : sentence
}

/** As its speaker would have written it. */
function fluent(sentence: string): string {
  return capitalized(withoutOpener(withoutRepeats(withoutRestarts(sentence), true)).replace(/^(?:and|so) /i, ''))
}

/** A title prepared for quotation marks. */
function quotableTitle(title: string): string {
  return clip(title.replaceAll('"', "'"), LONGEST_TITLE)
}

/** `A, B and C`; of more than five people, only four are named. */
function nameList(names: readonly string[]): string {
  const shown = names.length > 5 ? [...names.slice(0, 4), `${names.length - 4} others`] : names
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}
