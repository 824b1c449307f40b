import type {
  Block,
  Chunk,
  ExtractedMemory,
  Extraction,
  ParsedDocument,
  Skip,
  SkipReason,
  UploadedFile,
} from '../../domain/document.ts'
import type { MomentRange } from '../../domain/moment-range.ts'
import type { MemoryContent } from '../../domain/results.ts'
import { findNamedDays } from '../../lib/dates/named-days.ts'
import { sentencesOf } from '../../lib/sentences.ts'
import { invitedTo, splitEvent } from '../parse/event-text.ts'
import { withoutNoteHead } from '../parse/note-head.ts'
import { HEADING_SEPARATOR, lastHeading } from '../segment/heading-path.ts'
import type { Stage } from '../stage.ts'
import { cutSession } from './agent-passages.ts'
import { agreeOnTypes } from './agree-on-types.ts'
import { readContact } from './contacts.ts'
import { findEntities } from './entities.ts'
import { createExtractContext, type ExtractContext } from './extract-context.ts'
import { writeHeadline } from './headline/headline.ts'
import { isEmptyNotification, isNotifier, withSender } from './letters/notifications.ts'
import { passageContext } from './mailbox-mails.ts'
import { documentNames } from './names/document-names.ts'
import { isAssistant, isOrganizationName } from './names/participant-kinds.ts'
import { passageDay, writeNarrative } from './narrative.ts'
import { passageDays, soleNamedDay, statedAt } from './passage-times.ts'
import { chunkBlocks, cutPassages, type Passage } from './passages.ts'
import { findQuestions } from './questions.ts'
import { faultOf } from './salience.ts'
import { isPromotion } from './small-talk/promotions.ts'
import { withOutputsShared } from './speech/pasted-output.ts'
import { statementDaysText } from './statement-days.ts'
import { chooseTags, countTerms, type DocumentFrequencies } from './tags.ts'

interface ExtractInput {
  readonly file: UploadedFile
  readonly document: ParsedDocument
  readonly chunks: readonly Chunk[]
}

/**
 * Extracts memories and question-answer pairs by rules, without a model. Every chunk is in one memory, except those in
 * `skips`, which are still searchable. `skips` includes the parser's skips.
 */
export const extract: Stage<'extract', ExtractInput, Extraction> = {
  name: 'extract',
  run: async (input) => extractDocument(input),
}

function extractDocument({ file, document, chunks }: ExtractInput): Extraction {
  const context = createExtractContext(file, document)
  const blocks = chunkBlocks(document, chunks)
  const cut =
    document.kind === 'agent'
      ? cutSession(chunks, blocks)
      : cutPassages(document, chunks, blocks, { isReworded: context.english, isNotices: context.isNotices })
  const skipped = countSkips()
  const passages = context.isNotices ? cut.passages.map(withSender) : cut.passages
  const kept = keepMemorable(passages, (passage) => passageContext(passage, blocks, context), skipped.add)
  for (const skip of cut.skips) skipped.add(skip.reason, skip.detail, skip.count)
  const frequencies = countTerms(kept.map(({ body }) => body))
  const shared = { frequencies, total: kept.length }
  const memories = agreeOnTypes(
    kept.map((each, index) => extractMemory(each, index, { ...shared, context: each.context })),
  )
  const qas = findQuestions(chunks, cut.passages, context.people)
  return { chunks, memories, qas, skips: [...document.skips, ...skipped.list()] }
}

/** A passage with its text and narrative. */
interface MemorablePassage {
  readonly passage: Passage
  readonly context: ExtractContext
  /** With what was pasted from a terminal as something shared. */
  readonly narrated: Passage
  readonly body: string
  readonly narrative: string
  /** When it was said or written. */
  readonly stated: MomentRange | undefined
  readonly participants: readonly string[]
}

function keepMemorable(
  passages: readonly Passage[],
  contextOf: (passage: Passage) => ExtractContext,
  skip: (reason: Skip['reason'], what: string) => void,
): MemorablePassage[] {
  const bodies = new Set<string>()
  return passages.flatMap((passage) => {
    const context = contextOf(passage)
    const body = passageBody(passage, context)
    const fault = findFault(passage, context)
    if (fault) skip(fault, FAULTS[fault])
    else if (bodies.has(body)) skip('duplicate', 'passages that repeat an earlier one')
    else {
      const stated = statedAt(passage, context)
      const participants = passageParticipants(passage, context)
      const narrated = withOutputsShared(passage, context.document.kind)
      const isFirst = passage.first === 0
      const narrative = writeNarrative({ passage: narrated, when: stated, participants, isFirst }, context)
      if (narrative !== '' || passage.form === 'prose') {
        bodies.add(body)
        return [{ passage, context, narrated, body, narrative, stated, participants }]
      }
      skip('chatter', FAULTS.chatter)
    }
    return []
  })
}

const FAULTS = {
  too_short: 'passages too short to be a memory',
  chatter: 'passages of small talk',
  binary_part: 'passages without words',
  boilerplate: 'passages of pictures and lines only',
} as const

function findFault(passage: Passage, { document, isNotices }: ExtractContext): keyof typeof FAULTS | undefined {
  // The title of an event is enough.
  if (document.kind === 'calendar' || passage.chunks.every((chunk) => chunk.text === document.meta.title))
    return undefined
  const text = passageText(passage, document)
  // `Participants: Ann, Ben` above a conversation, which every account of it says.
  const isHead = passage.form === 'prose' && SPOKEN_KINDS.has(document.kind)
  if (isHead && withoutNoteHead(text, document.meta.title).trim() === '') return 'too_short'
  // A person's words are no advertising.
  if (isNotices && (isEmptyNotification(text) || (passage.via === undefined && isPromotion(text)))) return 'chatter'
  const hasCode = /```|~~~/.test(text)
  if (hasCode || passage.form !== 'prose') return faultOf(text, hasCode)
  const plain = sentencesOf(text.slice(0, 4_000)).join(' ')
  return plain === '' ? 'boilerplate' : faultOf(plain, hasCode)
}

const SPOKEN_KINDS: ReadonlySet<ParsedDocument['kind']> = new Set(['chat', 'transcript'])

interface Shared {
  readonly context: ExtractContext
  readonly frequencies: DocumentFrequencies
  readonly total: number
}

function extractMemory(
  { passage, narrated, body, narrative, stated, participants }: MemorablePassage,
  index: number,
  { context, frequencies, total }: Shared,
): ExtractedMemory {
  const { document, people, file } = context
  const days = passageDays(passage, context, stated)
  const when = stated ?? soleNamedDay(passage, context, days)
  const text = passageText(passage, document)
  const event = document.kind === 'calendar' ? splitEvent(passage.chunks[0]?.text ?? '') : undefined
  const whenText =
    event?.when === undefined || document.meta.when
      ? when && spokenTime(passage, when, context)
      : shortEventTime(event.when, file)
  const tags = chooseTags(
    {
      text: withoutCode(passage.first === 0 && passage.form === 'prose' ? withoutNoteHead(text, undefined) : text),
      title: passage.form === 'exchange' ? '' : (document.meta.title ?? ''),
      names: people.nameWords,
    },
    frequencies,
    total,
  )
  const { isNotices } = context
  const headings = document.kind === 'document' ? passage.chunks.map((chunk) => lastHeading(chunk) ?? '') : []
  const entities = findEntities([...new Set(headings), text, ...(passage.files ?? [])].join('\n'), {
    persons: participants.filter((name) => !people.isOrganization(name) && !(isNotices && isNotifier(name))),
    organizations: [
      ...participants,
      ...passage.chunks.flatMap(({ speaker }) => (speaker ? people.display(speaker) : [])),
    ].filter((name) => people.isOrganization(name) || (isNotices && isNotifier(name))),
    agents: passageAgents(passage),
    named: documentNames(context, text, event),
    written: people.written,
    dates: namedDates(text, days, when, context),
    nameWords: people.nameWords,
    capitalsMean: context.capitalsMean,
    isProse: context.isProse,
    domains: context.domains,
  })
  // Empty fields are omitted.
  const content: MemoryContent = {
    narrative,
    headline: passageDay(passage, context)?.headline ?? writeHeadline(narrated, context, total === 1),
    body,
    ...(participants.length > 0 && { participants }),
    ...(whenText !== undefined && { when: whenText }),
    where: event?.where ?? document.meta.where ?? null,
    ...(tags.length > 0 && { tags }),
    ...(entities.length > 0 && { other_entities: entities }),
  }
  return {
    index,
    content,
    firstChunk: passage.first,
    lastChunk: passage.last,
    ...(when ? { when } : {}),
  }
}

/** When it was said, with the days it mentions: `23 March 2023, 10:00 (about 22 March 2023)`. */
function spokenTime(passage: Passage, when: MomentRange, context: ExtractContext): string {
  const about = statementDaysText(passage.chunks, context)
  return `${context.moments.range(when)}${about === undefined ? '' : ` (about ${about})`}`
}

/** The lines with the date of writing, in the parser's format. */
const TIME_FIELD = /^(?:date|when|time|datum|fecha|日付|日時|日期|时间)[ \t]*[:：].*$/gimu

/** Dates in words; the memory's own day only if the text states it with its year. */
function namedDates(
  text: string,
  days: readonly MomentRange[],
  when: MomentRange | undefined,
  { moments, file }: ExtractContext,
): string[] {
  const own = when && moments.day(when)
  const written = findNamedDays(text.replace(TIME_FIELD, ''), { at: undefined, timeZone: file.timeZone }).map(
    moments.day,
  )
  const isOwnWritten = own !== undefined && written.includes(own)
  const named = days.map(moments.range)
  return [...(isOwnWritten && !named.includes(own) ? [own] : []), ...named.filter((day) => day !== own || isOwnWritten)]
}

/** `Monday, 11 May 2026, 19:00 to 20:00 (Europe/Berlin)` without the weekday, and without the account's own zone. */
function shortEventTime(written: string, { timeZone }: UploadedFile): string {
  return written.replace(/\p{L}+day, /gu, '').replace(` (${timeZone})`, '')
}

/** Words of code are not topics, unless there is nothing but code. */
function withoutCode(text: string): string {
  const prose = text.replace(/^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1[^\n]*$|(?![\s\S]))/gm, ' ')
  return /\p{L}{3}/u.test(prose) ? prose : text
}

/** The passage verbatim: turns with their speakers, sections with their headings where several are joined. */
function passageBody(passage: Passage, { people }: ExtractContext): string {
  const parts: string[] = []
  let before: Chunk | undefined
  const roles = passage.blocks ?? []
  passage.chunks.forEach((chunk, i) => {
    const speaker =
      chunk.kind === 'turn' ? (chunk.speaker ? people.display(chunk.speaker) : roleName(roles[i])) : undefined
    if (speaker)
      parts.push(
        before && continuesMessage(before, chunk, roles[i - 1], roles[i]) ? chunk.text : `${speaker}: ${chunk.text}`,
      )
    else if (before && before.heading !== chunk.heading && chunk.heading) {
      parts.push(`\n${chunk.heading.split(HEADING_SEPARATOR).at(-1)}\n${chunk.text}`)
    } else parts.push(before ? `\n${chunk.text}` : chunk.text)
    before = chunk
  })
  return parts.join('\n')
}

/** The next part of one long message. */
function continuesMessage(
  before: Chunk,
  chunk: Chunk,
  beforeBlock: Block | undefined,
  block: Block | undefined,
): boolean {
  if (before.speaker !== chunk.speaker || before.at?.getTime() !== chunk.at?.getTime()) return false
  const isOneMessage = block?.role !== undefined && chunk.at !== undefined
  return (
    beforeBlock?.role === block?.role &&
    before.ordinal + 1 === chunk.ordinal &&
    (isOneMessage || before.text.length > 250)
  )
}

function roleName(block: Block | undefined): string | undefined {
  return block?.role === 'user' ? 'Me' : block?.role === 'assistant' ? 'Assistant' : undefined
}

/** The text that is searched for tags and names. */
function passageText(passage: Passage, document: ParsedDocument): string {
  const isEvent = document.kind === 'calendar'
  const text = passage.chunks.map((chunk) => (isEvent ? splitEvent(chunk.text).description : chunk.text)).join('\n')
  return text.includes(':') || text.includes('<') ? text.replace(EMOJI_CODE, ' ').replace(CHAT_MARK, ' ') : text
}
const CHAT_MARK = /<(?:[@#!][A-Z0-9a-z^]{2,30}|Media omitted)>/g
const EMOJI_CODE = /(?<![\w:]):[a-z][a-z0-9_+-]{1,40}:(?![\w:])/g

/** Assistants that took part; they are not persons. */
function passageAgents({ blocks = [], chunks }: Passage): string[] {
  const answering = blocks.flatMap((block) => (block?.role === 'assistant' && block.speaker ? [block.speaker] : []))
  return [...answering, ...chunks.flatMap(({ speaker }) => (speaker && isAssistant(speaker) ? [speaker] : []))]
}

function passageParticipants(passage: Passage, { people, document, isNotices }: ExtractContext): string[] {
  if (document.kind === 'calendar' && !document.meta.when) {
    // In a file with many events, each event's line lists its participants.
    return [...new Set(invitedTo(splitEvent(passage.chunks[0]?.text ?? '')).map(people.display))]
  }
  const contact = document.kind === 'note' ? readContact(passage) : undefined
  if (contact !== undefined) return [people.display(contact.name)]
  const agents = passageAgents(passage)
  // A bank that sends a notice is not a participant of a conversation; a shop that writes a mail is.
  const isAutomatic = (speaker: string) => {
    const name = people.display(speaker)
    return document.kind !== 'email' && (people.isOrganization(name) || (isNotices && isNotifier(name)))
  }
  const speakers = passage.chunks.flatMap(({ speaker }) =>
    speaker && !agents.includes(speaker) && !isAutomatic(speaker) ? [people.display(speaker)] : [],
  )
  // Of a list of notifications, only the sender took part in each.
  const isUnspoken = speakers.length === 0 && !isNotices
  // Nobody took part in all mails of a mailbox.
  const isMail = document.kind === 'email' && document.meta.participants !== undefined
  const invited = document.kind === 'calendar' || isMail || isUnspoken
  const named = invited ? people.everybody : []
  // The participants field of a note has priority, otherwise the people its writer met.
  const met =
    document.kind === 'note' && named.length === 0
      ? companionsIn(passage.chunks.map(({ text }) => text).join('\n'))
      : []
  const programs = agents.map(people.display)
  return [...new Set([...speakers, ...named, ...met])].filter((name) => name !== '' && !programs.includes(name))
}

/** Sums skips by reason and kind. */
interface SkipCounter {
  /** @param what plural noun without contents: `passages without words` */
  add(reason: SkipReason, what: string, count?: number): void
  list(): Skip[]
}

function countSkips(): SkipCounter {
  const counts = new Map<string, { reason: SkipReason; what: string; count: number }>()
  return {
    add(reason, what, count = 1) {
      if (count === 0) return
      const key = `${reason} ${what}`
      const known = counts.get(key)
      if (known) known.count += count
      else counts.set(key, { reason, what, count })
    },
    list: () => [...counts.values()].map(({ reason, what, count }) => ({ reason, count, detail: `${count} ${what}` })),
  }
}

/** Joint activities, up to the name of the other person. */
const TOGETHER =
  /(?<!\p{L})(?:lunch|dinner|breakfast|brunch|coffee|drinks?|call|call(?:ed)? up|chat|chatted|meeting|met(?: up)?|spoke|talked|talk|walk|visit|interview|workshop|session|appointment|treffen|gespräch|telefonat|mittagessen|abendessen|besprechung|termin|telefoniert|réunion|déjeuner|dîner|rendez-vous|appel|reunión|comida|cena|llamada|reunião|almoço|jantar|riunione|pranzo|overleg|afspraak|встреча|обед|звонок)(?: (?:today|yesterday|again))? (?:with|mit|avec|con|com|met|со?) (?:(?:o|a|el|la|le|dem|der|den) )?|(?<!\p{L})met (?:up with )?/giu
const TITLE = '(?:(?:Mr|Mrs|Ms|Dr|Prof|Sra?|Mme|Mlle|M|Herrn?|Frau|Aunt|Uncle)\\.? )?'
const NAME = `${TITLE}\\p{Lu}[\\p{Ll}'’-]+(?: \\p{Lu}(?:\\.|[\\p{Ll}'’-]+)){0,2}(?![\\p{L}\\p{N}])`
const NAMES = new RegExp(`${NAME}(?:(?:, | and | und | et | y | e | и |, and )${NAME}){0,8}`, 'uy')
const SEPARATOR = /, and |, | and | und | et | y | e | и /u

/** Names after "lunch with", "met" and similar words: companions of the note's writer. */
export function companionsIn(text: string): string[] {
  const names: string[] = []
  for (const match of text.matchAll(TOGETHER)) {
    NAMES.lastIndex = match.index + match[0].length
    const list = NAMES.exec(text)?.[0]
    const after = text.slice(NAMES.lastIndex, NAMES.lastIndex + 12)
    // "Call with Acme support" names no person.
    const isOffice = /^ (?:service|support|team|office|sales|hotline|kundendienst)/i.test(after)
    if (list && !isOffice) names.push(...list.split(SEPARATOR).filter((name) => !isOrganizationName(name, undefined)))
  }
  return [...new Set(names)]
}
