import { AppError } from '../domain/errors.ts'
import type { Embedder } from '../models/model.ts'
import type { SearchIndex } from '../store/search/search.ts'
import { type AnswerEvidence, isLikelyAnswer, weighEvidence } from './answer-confidence.ts'
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
import { holdsKindOfNamed, isOfNamed } from './asked-category.ts'
import { askedSpeaker, isBy } from './asked-speaker.ts'
import { attendance } from './attendance.ts'
import { closestSources, MOST_CLOSEST, quoteEach } from './closest-passages.ts'
import { comparedAmount } from './compared-amounts.ts'
import { decidedPoints } from './decided-points.ts'
import { gatheredSources } from './gathered-list.ts'
import { buildHistory } from './history.ts'
import { howTo } from './how-to.ts'
import { noClearAnswer } from './looked-for.ts'
import { boxState, openBoxes } from './open-boxes.ts'
import { holdsDeed } from './own-deed.ts'
import { citationLine, citedTitle } from './provenance.ts'
import { questionFirst } from './question-first.ts'
import type { Ranking } from './rank-chunks.ts'
import { type Quote, readQuotes } from './read-quotes.ts'
import type { RecallInput } from './recall.ts'
import { createCitation, leadLine, renderQuote } from './render-quote.ts'
import { repliedVerdict, repliedWord } from './replied-verdict.ts'
import { isAboutNamed } from './supported-names.ts'
import { furtherOfTime, isLikelyOfTime, isOfOtherDay, timedRecords } from './timed-records.ts'
import { type TitledNote, titledEntry, titledNote } from './titled-note.ts'
import { isUnsuited } from './unsuited-sentences.ts'
import { holdsValue, valueFirst } from './value-answer.ts'
import type { Answer, Written } from './write-answer.ts'
import { asksWhether, decidesItself, decidingFirst, isPremiseDenied, saysWhether, yesOrNo } from './yes-or-no.ts'

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
/** How far ahead of others the winner of a comparison is, so that nothing else is quoted with it. */
const CLEARLY_AHEAD = 4
/** Before a task that is asked about and not checked off. */
const NOT_DONE = 'Not checked off: '
const MOST_KEYWORDS = 3
const ASKS_ANYTHING = /\b(?:what|which|how|why|who|whose|where|when|tell|show|list|find)\b/i

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
  found: Evidence,
  { text, timeZone, userName }: RecallInput,
  { index, embedder }: QuoteSources,
  unwritten: Exclude<Written, { answer: unknown }> | undefined,
): Promise<Answer> {
  const ranked = await readSentences(text, found, embedder, { timeZone, userName })
  const evidence = withoutChangedPair(found, ranked)
  const { ranking, paired, isSettled } = evidence
  const weighed = weighEvidence(text, evidence, ranked, userName)
  const decided = paired.length > 0 ? undefined : decidedSentence(ranked, ranking, userName)
  const read = withDecided(ranked, decided, userName)
  // Required, because a restaurant elsewhere doesn't answer a question about one in Paris.
  const [best] = read.sentences
  const isOfNamesake = best !== undefined && isNamesake(text, read.passages[best.passage]?.speaker)
  const isLikely = read.isReplied || isLikelyFor(text, read, { weighed, ranking, userName })
  const isNamed = weighed.holdsNames === 1 && isAboutNamed(text, read, evidence, userName)
  const isOfAsked = isNamed && !isOfNamesake && !isOfOtherDay(read, ranking, timeZone)
  const isClear = isSettled || (isOfAsked && isLikely)
  const isSaid = isClear && (best?.features.coverage ?? 0) >= HELD_BY_SENTENCE
  const note = howTo(read.question, evidence) ?? (isSaid ? undefined : listedNote(read, evidence))
  const nearest = isSettled ? [] : firstSources(note, read, evidence, timeZone)
  const isOpen = isClear && note === undefined && !isSettled
  const gathered = isOpen ? await gatheredSources(evidence, read, nearest, { embedder, userName }) : []
  const leading = questionFirst([...nearest, ...gathered], read)
  const verdict =
    decided?.verdict ??
    pairedVerdict(ranked, paired) ??
    (isOfNamesake ? undefined : leadVerdict(read, leading, userName))
  const isFalse = verdict === undefined && isPremiseDenied(ranked.question, statementsOf(ranked), userName)
  // What decides a question for yes or no answers it, however unlikely its words make that.
  const isDecided = verdict !== undefined && (decided !== undefined || isNamed)
  const isSuited = best === undefined || isSuitable(best, read, userName)
  const isValued = isSettled || verdict !== undefined || (isSuited && holdsValue(read, leading))
  const isAnswer = unwritten !== 'abstained' && ((isClear && isValued && !isFalse) || isDecided || note !== undefined)
  const version = leading.length === 1 ? otherVersion(leading[0], read) : undefined
  const isFurther = isAnswer && paired.length === 0
  const further = isFurther ? [...furtherSources(evidence, read, leading), ...furtherOfTime(evidence, leading)] : []
  const close = [...leading, ...(version ? [version] : []), ...further, ...closeSources(evidence)]
  const beside = isSettled ? [] : isAnswer ? close : closestSources(close, read)
  const others = beside.filter((one) => !isOfPair(one, paired) && (!note?.isGuide || isOfItem(one, note.sources)))
  const leads = paired.length > 0 ? 1 : isAnswer ? leading.length : Math.min(1, leading.length)
  const quoted = oncePerChunk([...paired, ...others]).slice(0, isAnswer ? leads + MOST_FURTHER : MOST_CLOSEST)
  const quotes = await (isAnswer ? readQuotes : quoteEach)(quoted, ranking, { index, timeZone })
  if (quotes.length === 0) return NOTHING
  const closing = typeof unwritten === 'object' ? `\n\n${modelFailureNote(unwritten.problem)}` : ''
  const rendered = quotes.map((quote, i) => renderQuote(quote, `[${i + 1}]`, text, timeZone))
  const citations = quotes.map((quote, i) => `[${i + 1}] ${citationLine(quote.row, quote, timeZone)}`)
  const answerOpening = isAnswer ? (verdict ?? plainOpening(note, read, quotes[0])) : undefined
  const opening = (count: number) => answerOpening ?? `${noClearAnswer(text, ranking, { timeZone, count })}\n`
  const isCounted = note === undefined && asksForSeveral(read)
  const first = (count: number) =>
    leadLine(quotes.slice(0, leads), { rendered, count, isCounted, question: text, timeZone })
  const { count, ...shown } = fitQuotes({ opening, first, rendered, citations, closing, leads })
  return {
    ...shown,
    abstained: !isAnswer,
    citations: quotes.slice(0, count).map((quote) => createCitation(quote, text)),
  }
}

/** The sentences with the one that decides at the start, or one that has what is asked for. */
function withDecided(
  ranked: ReadSentences,
  decided: ReturnType<typeof decidedSentence>,
  userName?: string,
): ReadSentences {
  const read = { ...ranked, sentences: decided?.sentences ?? answeringFirst(ranked, userName) }
  // The newest of several amounts replaces none of them.
  return decided?.isCompared ? { ...read, newest: buildHistory<number>([]) } : read
}

/** Without the stored pair if something changed the time that it gives. */
function withoutChangedPair(evidence: Evidence, { question, newest }: ReadSentences): Evidence {
  const isChanged = evidence.paired.some(({ row }) => newest.currentOf(row.chunkId) !== undefined)
  return question.kind === 'time' && isChanged ? { ...evidence, paired: [], isSettled: false } : evidence
}

/** The sentences with one at the start that decides a question for yes or no, or has the value that is asked for. */
function answeringFirst(read: ReadSentences, userName: string | undefined): readonly AnswerSentence[] {
  const { question, sentences } = read
  return decidingFirst(question, statementsOf(read), userName) ?? valueFirst(sentences, question.kind)
}

/** `Found 3 still open in “Kitchen”: `, `In “Boiler”: ` before how something is done, or `Unclear: ` where a question for yes or no gets a sentence that says neither. */
function plainOpening(note: TitledNote | undefined, { question, isReplied }: ReadSentences, first?: Quote): string {
  if (note?.isGuide) return `In “${citedTitle(note.title)}”: `
  if (note !== undefined) {
    return `Found ${[note.entries, note.what ?? []].flat().join(' ')} in “${citedTitle(note.title)}”: `
  }
  const isStatement = first?.lead !== undefined && !isReplied
  return isStatement && asksWhether(question) && !saysWhether(quotedWords(first)) ? 'Unclear: ' : ''
}

function quotedWords({ shown, reply }: Quote): string {
  return `${shown.words} ${reply?.shown.words ?? ''}`
}

function isOfItem({ row }: Source, [of]: readonly Source[]): boolean {
  return row.itemKey === of?.row.itemKey
}

/** Whether a source is the answer of a stored pair, or the question above it. */
function isOfPair({ row, position }: Source, paired: readonly Source[]): boolean {
  return paired.some(
    (source) =>
      source.row.itemKey === row.itemKey && position <= source.position && position >= source.position - BEHIND,
  )
}

/** The note whose entries answer: what minutes decided, what is not checked off, or a list with this title. */
function listedNote({ question }: ReadSentences, evidence: Evidence) {
  return (
    decidedPoints(question, evidence) ??
    openBoxes(question, evidence) ??
    titledNote(question, evidence) ??
    titledEntry(question, evidence)
  )
}

/** Whether a sentence can have the answer, is of what is asked about, and by the speaker who is asked about. */
function isSuitable(sentence: AnswerSentence, { question, passages }: ReadSentences, userName?: string): boolean {
  const passage = passages[sentence.passage]!
  if (!holdsDeed(question, passage) || !isOfNamed(sentence, question, passage, userName)) return false
  const asked = askedSpeaker(question.text)
  return !isUnsuited(sentence, question, passage) && (asked === undefined || isBy(asked, passage, userName))
}

/** What the first line quotes: the entries of a note, or the best sentences. */
function firstSources(note: TitledNote | undefined, read: ReadSentences, evidence: Evidence, timeZone: string) {
  return note?.sources ?? timedRecords(leadingSources(evidence, read), evidence.ranking, read, timeZone)
}

/** Whether the best passages probably answer, or the best sentence is by who or of the time that is asked about. */
function isLikelyFor(
  text: string,
  read: ReadSentences,
  { weighed, ranking, userName }: { weighed: AnswerEvidence; ranking: Ranking; userName: string | undefined },
): boolean {
  if (isKeyword(text, ranking) ? weighed.coverage === 1 : isLikelyAnswer(weighed, ranking.query)) return true
  const [best] = read.sentences
  if (best === undefined) return false
  const { row } = read.read[best.passage]!
  const isOfTime = weighed.isByOthers === 0 && isLikelyOfTime(row, weighed.coverage, ranking)
  return isOfTime || isSaidByAsked(best, read, userName)
}

/** Whether the person who is asked about says all that the question is about (`What did I say about robinia?`) or one of its kinds. */
function isSaidByAsked(sentence: AnswerSentence, { question, passages }: ReadSentences, userName?: string): boolean {
  if (holdsKindOfNamed(sentence, question)) return true
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

/** The amount that is asked for, who comes, or what was replied to the same question, at the start, with the word that it says. */
function decidedSentence(read: ReadSentences, ranking: Ranking, userName: string | undefined) {
  const { question, sentences } = read
  const compared = comparedAmount(read)
  if (compared !== undefined) {
    const { sentence, verdict } = compared
    const others = sentences.filter((one) => one !== sentence)
    const score = Math.max(...sentences.map((one) => one.score)) + CLEARLY_AHEAD
    return { sentences: [{ ...sentence, score }, ...others], verdict, isCompared: true }
  }
  const decided =
    attendance(read, ranking) ??
    repliedVerdict(read, ranking, 'same') ??
    (decidesItself(question, statementsOf(read), userName) ? undefined : repliedVerdict(read, ranking, 'similar'))
  if (decided === undefined) return undefined
  const { sentence, word } = decided
  const others = sentences.filter((one) => one !== sentence)
  const score = Math.max(sentence.score, sentences[0]!.score)
  return { sentences: [{ ...sentence, score }, ...others], verdict: `${word}: `, isCompared: false }
}

/** `No: ` before a stored answer such as `Not yet`; none before one that begins with the word. */
function pairedVerdict({ question }: ReadSentences, [pair]: readonly Source[]): string | undefined {
  if (question.kind !== 'yes-no' || pair === undefined) return undefined
  const { answer = '' } = pair
  const word = repliedWord(answer)
  if (word === undefined) return undefined
  return /^\W*(?:yes|no)\b/i.test(answer) ? '' : `${word}: `
}

/** `No: ` before the sentence that denies it. */
function leadVerdict(read: ReadSentences, [lead]: readonly Source[], userName?: string): string | undefined {
  if (read.question.kind !== 'yes-no' || lead === undefined) return undefined
  const statements = statementsOf(read)
  const first = statements.find(({ sentence }) => read.read[sentence.passage]!.row === lead.row)
  if (first === undefined) return undefined
  const { sentence, passage } = first
  if (boxState(passage.text, sentence.text) === 'open' && sentence.features.coverage >= HELD_BY_SENTENCE)
    return NOT_DONE
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

interface Parts {
  /** Before so many quotes. */
  readonly opening: (count: number) => string
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
    const quoted = `${opening(count)}${lines.join('\n')}`
    const response = `${quoted}\n\n${citations.slice(0, count).join('\n')}${closing}`
    if (response.length <= MOST_CHARACTERS) return { response, text: `${quoted}${closing}`, count }
  }
  throw new AppError('internal', 'One quote does not fit into an answer')
}
