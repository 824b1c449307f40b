import { isEventSource, type SourceType } from '../../../domain/source-type.ts'
import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { splitClosing } from '../../../lib/mail-closing.ts'
import { LEFT_OUT, sentencesOf } from '../../../lib/sentences.ts'
import type { Embedder } from '../../../models/model.ts'
import { type AnswerKind, holdsKind } from '../../question/answer-kind.ts'
import { namedWordsOf } from '../../question/held-words.ts'
import type { Locale } from '../../question/languages/language.ts'
import type { QueryTerm } from '../../question/query-terms.ts'
import { isQuestion } from '../../question/question-form.ts'
import { asksForCommand, BEHIND_SENTENCES, commandSentences, isCode } from '../../recall/code-lines.ts'
import { optionSentences } from '../../recall/option-lines.ts'
import { SENTENCE_WEIGHTS } from '../../recall/weights.ts'
import { askedContact } from './asked-contact.ts'
import { holdsAskedWeekday, suitsAskedTime } from './asked-moment.ts'
import { isBirthdayWish } from './birthday-wish.ts'
import { coveredWeight, heldWeight, holdsOf } from './covered-weight.ts'
import { documentedSoft, hasAskedRow, IS_ROW, KIND_SHARE, readDocumented } from './documented-values.ts'
import { entriesOf } from './labeled-items.ts'
import { isNamesake, namesAsked, namesInFull, newNamesIn, withoutAskedStart } from './named-people.ts'
import { impliedWords, STAY_LINE } from './stay-booking.ts'

/** A passage to search for the answer. */
export interface AnswerPassage {
  readonly text: string
  readonly speaker: string | undefined
  /** Of its item. */
  readonly title?: string
  /** As `RankedChunk.share`. */
  readonly share: number
  readonly sourceType: SourceType
  readonly isTurn: boolean
  /** Hashes of the words of the two preceding chunks, and of the subject of a mail. */
  readonly before: ReadonlySet<number>
  /** Hashes of the words and speakers of the chunks around it. */
  readonly near: ReadonlySet<number>
  /** Hashes of the words of its title and headings; for a turn, of the subject of a mail only. */
  readonly headings: ReadonlySet<number>
  /** Hashes of the words in the subject of a mail; empty for anything else. */
  readonly subject: ReadonlySet<number>
  /** 1 for the newest of the passages, 0 for the oldest. */
  readonly recency: number
}

/** A candidate sentence. */
export interface AnswerSentence {
  /** Index of its passage. */
  readonly passage: number
  /** Index in `sentences` of the passage. */
  readonly position: number
  readonly text: string
  /** Linear score of the fitted model; comparable between the sentences of one question. */
  readonly score: number
  /** By or about a person in the question; always true if the question names nobody. */
  readonly isAboutAsked: boolean
  /** Of a document or an event that names a person in the question. */
  readonly isOfDocument: boolean
  /** Of a mail whose subject names a person in the question. */
  readonly isOfSubject: boolean
  readonly features: SentenceFeatures
}

/** Features of a sentence, each in [0, 1]. */
export interface SentenceFeatures {
  /** Share of the question's weight in the sentence: in a turn without `people`, elsewhere without names. */
  readonly coverage: number
  /** Token match with the question, as a share of a perfect one. */
  readonly soft: number
  readonly cosine: number
  /** The passage's share of the best score. */
  readonly share: number
  readonly isBestPassage: number
  readonly isQuestion: number
  /** Has the requested kind of answer: a time, number, reason or name. */
  readonly holdsKind: number
  /** Words that are not in the question. */
  readonly newWords: number
  readonly newNames: number
  /** Thanks, greetings and exclamations of a few words. */
  readonly isChatter: number
  readonly isByAsked: number
  readonly isOpening: number
  readonly length: number
  /** Share of the question's weight in the passage and the two preceding chunks, as in `coverage`. */
  readonly around: number
  /** Share of its words that are in the question. */
  readonly echo: number
  /** 1: from a calendar event, but the question asks for neither time nor place. */
  readonly isEvent: number
  /** 1: from a list of visited pages. */
  readonly isPages: number
  /** 1: a plan or wish, but the question is about the past. */
  readonly isPlan: number
  /** Newness for questions about the present or the last time, age for questions about the first. */
  readonly isNew: number
  /** 1: only a description of what is attached, such as `[shares a photo of a cat]` or `<Media omitted>`. */
  readonly isAttachment: number
}

export interface AskedQuestion {
  readonly text: string
  readonly kind: AnswerKind
  readonly terms: readonly QueryTerm[]
  /** Terms of the capitalized names in the question. */
  readonly names: ReadonlySet<string>
  /** People in the question who speak in the passages. */
  readonly asked: ReadonlySet<string>
  /** Of a question in another language, in which the sentences probably are, too. */
  readonly locale?: Locale
  /** As that question was written. */
  readonly written?: string
  /** Terms of `asked` and of the owner's name, which nearly every passage is about. */
  readonly people: ReadonlySet<string>
}

/** Asks for the number of several things. */
export const COUNTS = /\bhow many \p{L}+s\b/iu
const CHATTER =
  /^(?:thanks?|thank you|wow|cool|nice|great|awesome|yeah|yep|hey|hi|hello|congrats|congratulations|ok|okay|fine|sure)\b/i
/** The section `Decision` of a record. */
const DECISION_HEADING = hashTerm('decis')
const ATTACHMENT = /^(?:\[[^\]]*\]|<[^>]*>)$/
const FEW_WORDS = 6
const MANY_NEW_WORDS = 8
const MANY_NEW_NAMES = 2
const LONG_SENTENCE_TERMS = 20
/** Words of plans and wishes. */
export const PLAN =
  /\b(?:will|would|plan(?:s|ned|ning)?|going to|want(?:s|ed)? to|could|should|let['’]s|might|hope|maybe|remind|tomorrow|todo|to-do|proposal|idea)\b/i
const ASKS_PAST = /\b(?:did|was|were|had|happened)\b/i
export const ASKS_NEWEST =
  /\b(?:now|current(?:ly)?|today|these days|last|latest|newest|most recent(?:ly)?|still|at the moment)\b/i
export const ASKS_OLDEST = /\b(?:first|earliest|original(?:ly)?|initial(?:ly)?)\b/i
/** Words that select one of several statements and occur in none of them, and verbs that say next to nothing. */
const EMPTY_TERMS = new Set(
  analyze(
    `now right new current last latest newest recent still first earliest original initial ever before after again long many much
    since until go get take make put happen finally actually eventually altogether decide decided decides agree agreed cost price pr prs mr mrs`,
  ),
)

/** What somebody does who says something: alone, a question with them is about what else it has. */
const REPORTING_TERMS = new Set(analyze('say said tell told think thought mention mentioned write wrote'))

/** `What did Noor say about it?` asks for the words of Noor, and not for what a note has besides her name. */
export const ASKS_SAID =
  /\bwhat (?:did|does|do|has|had|have) (?:(?:Dr|Mrs?|Ms|Prof)\.? )?\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)? (?:say|said|think|thought|tell|told|write|written|suggest(?:ed)?|propose[d]?|mention(?:ed)?)\b/iu

/** Sentences of all passages with their scores, best first. */
export async function rankSentences(
  question: AskedQuestion,
  passages: readonly AnswerPassage[],
  embedder: Embedder,
): Promise<AnswerSentence[]> {
  const asked = new Set(question.terms.map(({ hash }) => hash))
  const found = passages.flatMap((passage, i) =>
    candidateSentences(passage, question.text).flatMap(({ text, position }) =>
      isBareName(text, asked) || isSignature(text, passage.speaker) || isTitle(text, passage)
        ? []
        : [{ text, position, passage: i, from: passage }],
    ),
  )
  if (found.length === 0) return []
  const texts = found.map(({ text }) => text)
  const [soft, cosine] = await Promise.all([
    softShares(question, texts, embedder),
    cosinesWith(question.text, texts, embedder),
  ])
  const words = createWordReader(question)
  const asksSaid = ASKS_SAID.test(question.text)
  const documents = passages.map(({ isTurn, title = '', text }) => !isTurn && namesInFull(`${title} ${text}`, question))
  return found
    .map(({ text, position, passage, from }, i): AnswerSentence => {
      const own = words(text, from, position)
      const features: SentenceFeatures = {
        ...own,
        soft: isSection(from) ? documentedSoft(text, soft[i]!, own.coverage) : soft[i]!,
        cosine: cosine[i]!,
        share: from.share,
        isBestPassage: passage === 0 ? 1 : 0,
        isOpening: position === 0 ? 1 : 0,
      }
      const isOfSubject = [...question.asked].some((term) => from.subject.has(hashTerm(term)))
      const isAboutAsked = isOfSubject || features.isByAsked === 1 || namesAsked(text, question.asked)
      return {
        passage,
        position,
        text,
        features,
        score: sentenceScore(features),
        isAboutAsked,
        isOfDocument: documents[passage]! && (!asksSaid || namesAsked(text, question.asked)),
        isOfSubject,
      }
    })
    .sort((a, b) => b.score - a.score || a.passage - b.passage || a.position - b.position)
}

/** Whether a sentence is complete without those around it: a row of a table, or a command. */
export function isComplete({ text, position }: AnswerSentence): boolean {
  return position >= BEHIND_SENTENCES || IS_ROW.test(text)
}

/** The sentences of a passage, without the closing of a mail or program text in a document; with its commands, where a question may ask for one. */
function candidateSentences({ text: whole, isTurn, speaker }: AnswerPassage, question: string) {
  const text = askedContact(question) === undefined ? splitClosing(whole, speaker).words : whole
  const sentences = sentencesOf(text, 'joined').map((sentence, position) => ({ text: sentence, position }))
  if (isTurn) return sentences
  const prose = [...sentences.filter((sentence) => !isCode(sentence.text)), ...optionSentences(text, question)]
  // `Install it: […]` is shown with the command.
  if (!asksForCommand(question) || prose.some((sentence) => sentence.text.endsWith(LEFT_OUT))) return prose
  return [...prose, ...commandSentences(text)]
}

const NO_NAMES: ReadonlySet<string> = new Set()
const SIGNATURE = /^\p{Lu}[\p{L}\p{M}'’., -]{1,60}$/u
const BARE_NAME = /^(?:\p{Lu}[\p{L}\p{M}'’.-]*[\s,]*){1,3}$/u

/** A name alone, if the question names it: it would seem to be the answer. */
function isBareName(text: string, asked: ReadonlySet<number>): boolean {
  return BARE_NAME.test(text) && analyze(text).some((term) => asked.has(hashTerm(term)))
}

/** The name of who wrote it, as at the end of a mail. */
function isSignature(text: string, speaker = ''): boolean {
  const names = SIGNATURE.test(text) ? new Set(analyze(text)) : NO_NAMES
  return names.size > 0 && names.isSubsetOf(new Set(analyze(speaker)))
}

/** The title of a text at its start, which says what the text is about, and not the answer. */
function isTitle(text: string, { title }: AnswerPassage): boolean {
  return title !== undefined && text.trim() === title.trim()
}

function sentenceScore(features: SentenceFeatures): number {
  let score = 0
  for (const [name, weight] of Object.entries(SENTENCE_WEIGHTS))
    score += weight * features[name as keyof SentenceFeatures]
  return score
}

/** The terms of a question that an answer can contain. */
export function contentTerms(terms: readonly QueryTerm[], names: ReadonlySet<string>): readonly QueryTerm[] {
  const unnamed = terms.filter(({ term }) => !names.has(term))
  const all = terms.filter(({ term }) => !EMPTY_TERMS.has(term))
  const content = all.filter(({ term }) => !names.has(term))
  // `What did Ann say about the price?` is about the price.
  if (content.length > 0 && content.every(({ term }) => REPORTING_TERMS.has(term))) {
    const about = unnamed.filter(({ term }) => !REPORTING_TERMS.has(term))
    if (about.length > 0) return about
  }
  // `What did we decide about Citus?` is about Citus.
  return [content, all].find(({ length }) => length > 0) ?? unnamed
}

/** Whether a sentence of something other than an event has the sort of time that is asked for. */
function suitsMoment({ text: question, locale }: AskedQuestion, text: string, sourceType: SourceType): boolean {
  return isEventSource(sourceType) || suitsAskedTime(question, text, locale)
}

/** The features from the words of a sentence. */
function createWordReader(asking: AskedQuestion) {
  const { text: question, terms, names, asked, people, kind, locale } = asking
  // In a turn, a place or product of the question counts; its people speak. A document says once what it is about.
  const weighed = [people, names].map((left) => {
    const content = contentTerms(terms, left)
    return { content, total: content.reduce((sum, { weight }) => sum + weight, 0) }
  })
  const known = new Set(terms.map(({ hash }) => hash))
  const category = terms.find(({ kinds }) => kinds !== undefined)?.kinds
  const asksPast = ASKS_PAST.test(question)
  const [asksNewest, asksOldest] = [ASKS_NEWEST.test(question), ASKS_OLDEST.test(question)]
  const wordsOf = new Map<AnswerPassage, ReturnType<typeof passageWords>>()
  return (text: string, from: AnswerPassage, position: number) => {
    const { speaker, sourceType } = from
    const { content, total } = weighed[from.isTurn || IS_ROW.test(text) ? 0 : 1]!
    const read = wordsOf.get(from) ?? passageWords(from, terms)
    wordsOf.set(from, read)
    const { passage, implied, entries, hasRow } = read
    const own = namedWordsOf(text, terms)
    const held = STAY_LINE.test(text) ? own.union(implied) : own
    const kindShare = from.isTurn ? 1 : KIND_SHARE
    const headings = isSection(from) ? from.headings : NO_HEADINGS
    const { covered, holdsValue } = isSection(from)
      ? readDocumented(text, kind, content, { headings, label: entries.get(position)?.label, isBesideAsked: hasRow })
      : { covered: coveredWeight(content, held, { kindShare, headings, stated: NO_HEADINGS }) }
    const newNames = newNamesIn(text, asking)
    const fresh = [...own].filter((hash) => !known.has(hash)).length
    const around = heldWeight(content, passage.union(headings))
    const isByAsked =
      speaker !== undefined && !isNamesake(question, speaker) && analyze(speaker).some((term) => asked.has(term))
    const answersBySaying = (!isByAsked && isOfDoer(text, from, asking)) || isBirthdayWish(text, question, from.text)
    const holds =
      (holdsValue ??
        holdsKind(kind, kind === 'person' ? withoutAskedStart(text, known) : text, newNames.length, locale)) ||
      (kind === 'decision' && from.headings.has(DECISION_HEADING)) ||
      (OF_CATEGORY.has(kind) && holdsOf(category, own)) ||
      holdsAskedWeekday(question, text, locale)
    // A decision is one about the subject: `decide` alone is said of anything.
    const isSuited = kind === 'time' ? suitsMoment(asking, text, sourceType) : kind !== 'decision' || around > 0
    const isOfKind = kind === 'speaker' ? speaker !== undefined : answersBySaying || (holds && isSuited)
    return {
      coverage: total === 0 ? 0 : covered / total,
      isQuestion: isQuestion(text) ? 1 : 0,
      holdsKind: Number(isOfKind),
      newWords: Math.min(1, fresh / MANY_NEW_WORDS),
      newNames: Math.min(1, newNames.length / MANY_NEW_NAMES),
      isChatter: isShortChatter(text, own.size) ? 1 : 0,
      isByAsked: isByAsked ? 1 : 0,
      around: total === 0 ? 0 : around / total,
      echo: own.size === 0 ? 1 : 1 - fresh / own.size,
      isEvent: isEventSource(sourceType) && kind !== 'time' && kind !== 'place' ? 1 : 0,
      isPages: sourceType === 'browser' ? 1 : 0,
      isPlan: asksPast && PLAN.test(text) ? 1 : 0,
      isAttachment: ATTACHMENT.test(text) ? 1 : 0,
      isNew: asksNewest ? from.recency : asksOldest ? 1 - from.recency : 0,
      length: Math.min(1, Math.log(1 + own.size) / Math.log(1 + LONG_SENTENCE_TERMS)),
    }
  }
}

const NO_HEADINGS: ReadonlySet<number> = new Set()
const NO_ENTRIES: ReturnType<typeof entriesOf> = new Map()

/** Whether a passage is of technical documentation, whose headings say what its sentences are about. */
export function isSection({ isTurn, sourceType }: AnswerPassage): boolean {
  return !isTurn && sourceType === 'technical_docs'
}

/** Kinds of questions whose answer is one of a category, if they name one. */
const OF_CATEGORY: ReadonlySet<AnswerKind> = new Set(['other', 'list', 'place', 'person'])

const ASKS_DOER = /^\W*(?:and |so )?who(?:['’](?:s|ll)| (?!did\b|does\b|do\b|are\b|were\b)\p{L})/iu
const BY_ONESELF = /\bI(?:['’](?:ll|m|ve|d))?\b/

/** Whether somebody says of themselves what a question asks who did or does it: `I can do the drawers`. */
function isOfDoer(text: string, { speaker }: AnswerPassage, { text: question, kind }: AskedQuestion): boolean {
  return kind === 'person' && speaker !== undefined && ASKS_DOER.test(question) && BY_ONESELF.test(text)
}

/** Hashes of the words of a passage and of those before it, and of what it is about without saying so. */
function passageWords(from: AnswerPassage, terms: readonly QueryTerm[]) {
  const { text, before } = from
  const implied = impliedWords(text)
  const entries = isSection(from) ? entriesOf(text) : NO_ENTRIES
  const own = namedWordsOf(text, terms)
  const hasRow = isSection(from) && hasAskedRow(sentencesOf(text, 'joined'), terms)
  return { passage: own.union(before).union(implied), implied, entries, hasRow }
}

async function softShares({ text }: AskedQuestion, sentences: readonly string[], { tokens }: Embedder) {
  if (tokens === undefined) return new Float32Array(sentences.length)
  const ids = Uint16Array.from(new Set(tokens.encode(text)))
  const weights = new Float32Array(ids.length).fill(1 / Math.max(1, ids.length))
  return tokens.match(
    ids,
    weights,
    sentences.map((sentence) => tokens.encode(sentence)),
  )
}

/** Thanks, greetings and exclamations of a few words. */
export function isChatter(text: string): boolean {
  return isShortChatter(text, new Set(analyze(text)).size)
}

function isShortChatter(text: string, words: number): boolean {
  return CHATTER.test(text) && words < FEW_WORDS
}

/** Cosine of a text with each of others, at least 0. */
export async function cosinesWith(
  text: string,
  sentences: readonly string[],
  embedder: Embedder,
): Promise<readonly number[]> {
  const vectors: Float32Array[] = []
  const all = [text, ...sentences]
  for (let start = 0; start < all.length; start += embedder.maxBatch) {
    vectors.push(...(await embedder.embed(all.slice(start, start + embedder.maxBatch))))
  }
  const [asked, ...others] = vectors
  return others.map((vector) =>
    Math.max(
      0,
      vector.reduce((sum, value, d) => sum + value * asked![d]!, 0),
    ),
  )
}
