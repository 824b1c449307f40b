import { AppError } from '../domain/errors.ts'
import type { Provenance } from '../domain/results.ts'
import { isEventSource } from '../domain/source-type.ts'
import type { Embedder } from '../models/model.ts'
import type { ChunkRow, MemoryRow, SearchIndex } from '../store/search/search.ts'
import { isLikelyAnswer, weighEvidence } from './answer-confidence.ts'
import { answerKind } from './answer-kind.ts'
import {
  asksForSeveral,
  type Evidence,
  furtherSources,
  leadingSources,
  MOST_FURTHER,
  otherVersion,
  type ReadSentences,
  readSentences,
  replacedTime,
  type Source,
} from './answer-lead.ts'
import { type AnswerSentence, isNamesake } from './answer-sentence.ts'
import { askedSpeaker, isBy } from './asked-speaker.ts'
import { decidedPoints } from './decided-points.ts'
import { neighbour } from './features.ts'
import { type LeadSentence, quotationText, quotedLines } from './lead-quotation.ts'
import { noClearAnswer } from './looked-for.ts'
import {
  type Attribution,
  attribution,
  citationLine,
  citedTitle,
  createProvenance,
  formatDay,
  isMail,
  memoryOfChunk,
} from './provenance.ts'
import { endsWithQuestion } from './question-form.ts'
import { eventWords, mailWords, type QuoteText, quoteText, statedDate } from './quote-text.ts'
import type { Ranking } from './rank-chunks.ts'
import type { RecallInput } from './recall.ts'
import { titledNote } from './titled-note.ts'
import { isUnsuited } from './unsuited-sentences.ts'
import { holdsValue, valueFirst } from './value-answer.ts'
import type { Answer, Citation, Written } from './write-answer.ts'
import { decidingFirst, yesOrNo } from './yes-or-no.ts'

const MOST_CHARACTERS = 1_500
/** Share of the question from which a sentence answers a list better than a note that is only titled so. */
const HELD_BY_SENTENCE = 0.8
/** Minimum score of a further quoted passage, relative to the best one. */
const QUOTED_SHARE = 0.75
/** Maximum distance in chunks of an answer from its question. */
export const BEHIND = 4

const FOUND_NOTHING = 'I found nothing about this in your memories.'
export const NOTHING: Answer = {
  response: FOUND_NOTHING,
  text: FOUND_NOTHING,
  abstained: true,
  citations: [],
}
const ASKS_FOR_CODE =
  /\b(?:how (?:do|can|to|should)|commands?|(?<!claude )code|script|snippet|syntax|example|configur\w*|install\w*)\b/i
/** Characters behind a question that gets its reply, such as a sentence that explains it. */
const MOST_BEHIND_QUESTION = 120
const MOST_KEYWORDS = 3
const ASKS_ANYTHING = /\b(?:what|which|how|why|who|whose|where|when|tell|show|list|find)\b/i
const ASKS_WHEN = /^\W*(?:and |so )?when\b|\b(?:what|which) (?:day|date|month|year)\b|\bhow long ago\b/i
const NAMES_TIME =
  /\b(?:(?:19|20)\d\d|\d{1,2}:\d\d|january|february|march|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:last|this|next|that|in|since) (?:the )?(?:spring|summer|autumn|winter))\b/i

/** A source with the text to show. */
export interface Quote {
  readonly row: ChunkRow
  readonly provenance: Provenance
  readonly stored: string
  readonly shown: QuoteText
  readonly by: Attribution
  readonly memory: MemoryRow | undefined
  readonly replacedAt: number | undefined
  readonly lead: readonly LeadSentence[] | undefined
  readonly isOtherVersion: 'earlier' | 'later' | undefined
  /** The reply to a question. */
  readonly reply?: { readonly shown: QuoteText; readonly by: Attribution }
}

/** The dependencies: where quotes are read from, and how their sentences are compared with the question. */
interface QuoteSources {
  readonly index: SearchIndex
  readonly embedder: Embedder
}

/**
 * The sentence that answers, or several for a list, followed by other passages, numbered, with speaker, day and source.
 * Uses the answer of a stored pair with the same question. Stored text is only quoted, so that instructions in it are not
 * followed.
 *
 * @param unwritten why the model gave no answer; absent if none was called
 */
export async function quotedAnswer(
  evidence: Evidence,
  { text, timeZone, userName }: RecallInput,
  { index, embedder }: QuoteSources,
  unwritten: Exclude<Written, { answer: unknown }> | undefined,
): Promise<Answer> {
  const { ranking, paired, isSettled } = evidence
  const ranked = await readSentences(text, evidence, embedder, userName)
  const weighed = weighEvidence(text, evidence, ranked, userName)
  const deciding = decidingFirst(ranked.question, statementsOf(ranked), userName)
  const read = { ...ranked, sentences: deciding ?? valueFirst(ranked.sentences, ranked.question.kind) }
  // Required, because a restaurant elsewhere doesn't answer a question about one in Paris.
  const [best] = read.sentences
  const isAnswered = isKeyword(text, ranking) ? weighed.coverage === 1 : isLikelyAnswer(weighed, ranking.query)
  const isOfNamesake = best !== undefined && isNamesake(text, read.passages[best.passage]?.speaker)
  const isLikely = isAnswered || read.isReplied || (best !== undefined && isSaidByAsked(best, read, userName))
  const isClear = isSettled || (weighed.holdsNames === 1 && !isOfNamesake && isLikely)
  const held = best?.features.coverage ?? 0
  const isSaid = isClear && held >= HELD_BY_SENTENCE
  const note = isSaid ? undefined : (decidedPoints(read.question, evidence) ?? titledNote(read.question, evidence))
  const leading = isSettled ? [] : note ? [note.source] : leadingSources(evidence, read)
  const verdict = paired.length > 0 || isOfNamesake ? undefined : leadVerdict(read, leading, userName)
  // What decides a question for yes or no answers it, however unlikely its words make that.
  const isDecided = verdict !== undefined && weighed.holdsNames === 1
  const isSuited = best === undefined || isSuitable(best, read, userName)
  const isValued = isSettled || verdict !== undefined || (isSuited && holdsValue(read, leading))
  const isAnswer = ((isClear && isValued) || isDecided || note !== undefined) && unwritten !== 'abstained'
  const version = leading.length === 1 ? otherVersion(leading[0], read) : undefined
  const further = isAnswer && paired.length === 0 ? furtherSources(evidence, read, leading) : []
  const close = [...leading, ...(version ? [version] : []), ...further, ...closeSources(evidence)]
  const found = isSettled ? [] : close.slice(0, isAnswer ? undefined : 1)
  // Leave out the answer of the pair and the question above it.
  const others = found.filter(({ row, position }) =>
    paired.every(
      (source) =>
        source.row.itemKey !== row.itemKey || position > source.position || position < source.position - BEHIND,
    ),
  )
  const leads = paired.length > 0 ? 1 : isAnswer ? leading.length : Math.min(1, leading.length)
  const quotes = await readQuotes(oncePerChunk([...paired, ...others]).slice(0, leads + MOST_FURTHER), ranking, {
    index,
    timeZone,
  })
  if (quotes.length === 0) return NOTHING
  const closing = typeof unwritten === 'object' ? `\n\n${modelFailureNote(unwritten.problem)}` : ''
  const rendered = quotes.map((quote, i) => renderQuote(quote, `[${i + 1}]`, text, timeZone))
  const citations = quotes.map(({ row, provenance }, i) => `[${i + 1}] ${citationLine(row, provenance, timeZone)}`)
  const listed = note === undefined ? '' : `Found ${note.entries} in “${citedTitle(note.title)}”: `
  const opening = isAnswer ? (verdict ?? listed) : `${noClearAnswer(text, ranking, timeZone)}\n`
  const isCounted = asksForSeveral(read)
  const first = (count: number) =>
    leadLine(quotes.slice(0, leads), { rendered, count, isCounted, question: text, timeZone })
  const { count, ...shown } = fitQuotes({ opening, first, rendered, citations, closing, leads })
  return {
    ...shown,
    abstained: !isAnswer,
    citations: quotes.slice(0, count).map((quote) => createCitation(quote, text)),
  }
}

/** Whether a sentence can have the answer, and is by the speaker who is asked about. */
function isSuitable(sentence: AnswerSentence, { question, passages }: ReadSentences, userName?: string): boolean {
  const passage = passages[sentence.passage]!
  const asked = askedSpeaker(question.text)
  return !isUnsuited(sentence, question, passage) && (asked === undefined || isBy(asked, passage, userName))
}

/** Whether the speaker who is asked about says all that the question is about: `What did I say about robinia?` */
function isSaidByAsked(sentence: AnswerSentence, { question, passages }: ReadSentences, userName?: string): boolean {
  const asked = askedSpeaker(question.text)
  const isAllHeld = sentence.features.coverage >= HELD_BY_SENTENCE
  return asked !== undefined && isAllHeld && isBy(asked, passages[sentence.passage]!, userName)
}

/** A few words without a question: a text with all of them is the answer. */
function isKeyword(text: string, { query }: Ranking): boolean {
  return (
    query.terms.length <= MOST_KEYWORDS &&
    !/[?？]/.test(text) &&
    answerKind(text) === 'other' &&
    !ASKS_ANYTHING.test(text)
  )
}

/** `No: ` before the sentence that denies it. */
function leadVerdict(read: ReadSentences, [lead]: readonly Source[], userName?: string): string | undefined {
  if (read.question.kind !== 'yes-no' || lead === undefined) return undefined
  const statements = statementsOf(read)
  const first = statements.find(({ sentence }) => read.read[sentence.passage]!.row === lead.row)
  if (first === undefined) return undefined
  const word = yesOrNo(read.question, [first, ...statements.filter((one) => one !== first)], userName)
  return word === undefined ? undefined : `${word}: `
}

function statementsOf({ sentences, passages }: ReadSentences) {
  return sentences.map((sentence) => ({ sentence, passage: passages[sentence.passage]! }))
}

function modelFailureNote(problem: string): string {
  return `(The language model did not answer: ${problem}; showing quotes instead.)`
}

/** Chunks nearly as good as the best; replaced ones give way to the current statement. */
function closeSources(evidence: Evidence): Source[] {
  const { found, history } = evidence
  const chunks = new Map(found.map(({ one }) => [one.row.chunkId, one]))
  const close = found.flatMap(({ one: { row, share } }) => (share >= QUOTED_SHARE ? [row.chunkId] : []))
  return [...new Set(close.map((id) => history.currentOf(id) ?? id))].map((id): Source => {
    const { row, position } = chunks.get(id)!
    return { row, position, ...replacedTime(id, evidence) }
  })
}

function oncePerChunk(sources: readonly Source[]): Source[] {
  return sources.filter(({ row }, i) => sources.findIndex((other) => other.row.chunkId === row.chunkId) === i)
}

function bareWords({ sourceType }: ChunkRow, stored: string): string {
  if (isEventSource(sourceType)) return eventWords(stored)
  return isMail(sourceType) ? mailWords(stored) : stored
}

/** The chosen sentences with the code of the passage, or the whole passage. */
function shownText({ row, answer, lead }: Source, stored: string, terms: Ranking['query']['terms']): QuoteText {
  const isTurn = row.kind === 'turn'
  if (lead === undefined) return quoteText(answer ?? bareWords(row, stored), terms, isTurn)
  return { words: quotationText(lead), code: quoteText(stored, terms, isTurn).code }
}

/** The texts to show. A chunk without text was deleted since it was found. */
export async function readQuotes(
  sources: readonly Source[],
  { rows, query }: Ranking,
  { index, timeZone }: { readonly index: SearchIndex; readonly timeZone: string },
): Promise<Quote[]> {
  const nextOf = ({ row, position }: Source) => (row.kind === 'turn' ? rows[neighbour(rows, position, 1)] : undefined)
  const ids = [...new Set(sources.flatMap((source) => [source.row.chunkId, nextOf(source)?.chunkId ?? []].flat()))]
  const [passages, memories] = await Promise.all([index.passages(ids), index.memoriesOf(ids)])
  const provenanceOf = createProvenance(memories, timeZone)
  return sources.flatMap((source): Quote[] => {
    const { row, answer } = source
    const passage = passages.get(row.chunkId)
    if (passage === undefined) return []
    const stored = passage.text
    const quote = {
      row,
      provenance: provenanceOf(row, passage),
      stored,
      shown: shownText(source, stored, query.terms),
      by: attribution(row, passage, memories),
      memory: memoryOfChunk(row, memories),
      replacedAt: source.replacedAt,
      lead: source.lead,
      isOtherVersion: source.isOtherVersion,
    }
    const isListed = source.lead !== undefined && sources.filter(({ lead }) => lead !== undefined).length > 1
    const next =
      (answer === undefined || source.lead !== undefined) && !isListed && endsWithQuestion(stored, MOST_BEHIND_QUESTION)
        ? nextOf(source)
        : undefined
    const reply = next && passages.get(next.chunkId)
    if (next === undefined || reply === undefined) return [quote]
    const by = attribution(next, reply, memories)
    if (by.speaker === quote.by.speaker) return [quote]
    return [{ ...quote, reply: { shown: quoteText(reply.text, query.terms, true), by } }]
  })
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
function leadLine(quotes: readonly Quote[], { rendered, count, isCounted, question, timeZone }: LeadOptions): string {
  const [first] = quotes
  if (first === undefined) return ''
  if (quotes.length > 1) {
    const entries = quotes.slice(0, count).map((quote, i) => `${rendered[i]!}${listedDay(quote, timeZone)}`)
    const more = quotes.length > count ? [`and ${quotes.length - count} more`] : []
    return `${isCounted ? `Found ${quotes.length}: ` : ''}${[...entries, ...more].join('; ')}`
  }
  const day = ASKS_WHEN.test(question) ? leadDay(first, timeZone) : undefined
  if (day === undefined) return rendered[0]!
  // The day is not repeated.
  return `${day} – ${rendered[0]!.replace(` (${day}): `, ': ')}`
}

/** The day of an entry that doesn't say it. */
function listedDay({ row, by, shown }: Quote, timeZone: string): string {
  const isDated = row.at === undefined || by.speaker !== undefined || row.sourceType === 'calendar'
  return isDated || NAMES_TIME.test(shown.words) ? '' : ` (${formatDay(new Date(row.at), timeZone)})`
}

/** The day in the sentence, or the day on which it was written. */
function leadDay({ row, shown, by }: Quote, timeZone: string): string | undefined {
  if (row.at === undefined || row.sourceType === 'calendar') return undefined
  const at = new Date(row.at)
  if (NAMES_TIME.test(shown.words)) return undefined
  const stated = statedDate(shown.words, at, timeZone)
  return stated?.date ?? (by.speaker === undefined ? undefined : formatDay(at, timeZone))
}

/** `Mara (4 March 2026): “We agreed.” [1]` */
export function renderQuote(quote: Quote, mark: string, question: string, timeZone: string): string {
  const { row, by, reply } = quote
  const shown = visibleParts(quote, question)
  const isTold = ASKS_WHEN.test(question)
  const said = row.at === undefined || by.speaker === undefined ? '' : ` (${formatDay(new Date(row.at), timeZone)})`
  const who = by.speaker ?? (row.sourceType === 'calendar' && by.title ? `“${citedTitle(by.title)}”` : undefined)
  const words = shown.words === '' ? '' : `“${shown.words}” `
  const version =
    quote.isOtherVersion === undefined ? '' : `${quote.isOtherVersion === 'earlier' ? 'Earlier' : 'Later'}: `
  const lead = `${version}${who === undefined ? '' : `${who}${said}: `}`
  const replied = reply?.by.speaker ? `${reply.by.speaker}: ` : ''
  const answer = shown.reply === '' ? '' : ` ${replied}“${shown.reply}” ${mark}`
  const code = shown.code === '' ? '' : `\n\`\`\`\n${shown.code}\n\`\`\``
  const replaced =
    quote.replacedAt === undefined
      ? ''
      : ` (replaces what was said on ${formatDay(new Date(quote.replacedAt), timeZone)})`
  return `${lead}${words}${mark}${isTold ? dateNote(quote, timeZone) : relativeNote(quote, timeZone)}${replaced}${answer}${code}`
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
function relativeNote({ row, shown }: Quote, timeZone: string): string {
  const stated = row.at === undefined ? undefined : statedDate(shown.words, new Date(row.at), timeZone)
  return stated === undefined ? '' : ` (“${stated.words}” is ${stated.date})`
}

/** `yesterday` on 8 May 2023 is 7 May 2023; a passage without a time has its own date. */
function dateNote({ row, stored, by }: Quote, timeZone: string): string {
  if (row.at === undefined) return ''
  const saidAt = new Date(row.at)
  const stated = statedDate(stored, saidAt, timeZone)
  if (stated) return ` (“${stated.words}” is ${stated.date})`
  // The line already has the date, and an event contains its own.
  if (by.speaker !== undefined || row.sourceType === 'calendar') return ''
  return ` (${row.kind === 'turn' ? 'said on' : 'dated'} ${formatDay(saidAt, timeZone)})`
}

interface Parts {
  readonly opening: string
  /** The first line, with so many of its quotes. */
  readonly first: (count: number) => string
  /** The quotes, those of the first line included. */
  readonly rendered: readonly string[]
  readonly citations: readonly string[]
  readonly closing: string
  /** Quotes in the first line. */
  readonly leads: number
}

/** Drops the last quotes until the answer is short enough; item ids have at most 500 characters, so one quote always fits. */
function fitQuotes(parts: Parts): Pick<Answer, 'response' | 'text'> & { count: number } {
  const { opening, first, rendered, citations, closing, leads } = parts
  for (let count = rendered.length; count > 0; count--) {
    const lines =
      leads === 0 ? rendered.slice(0, count) : [first(Math.min(leads, count)), ...rendered.slice(leads, count)]
    const quoted = `${opening}${lines.join('\n')}`
    const response = `${quoted}\n\n${citations.slice(0, count).join('\n')}${closing}`
    if (response.length <= MOST_CHARACTERS) return { response, text: `${quoted}${closing}`, count }
  }
  throw new AppError('internal', 'One quote does not fit into an answer')
}
