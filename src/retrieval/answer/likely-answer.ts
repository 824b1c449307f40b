import { analyze, hashTerm } from '../../lib/analyze.ts'
import { type AnswerKind, answerKind, MEASURED_KINDS } from '../question/answer-kind.ts'
import { withVerbs } from '../question/irregular-verbs.ts'
import { totalWeight } from '../question/query-terms.ts'
import type { Ranking } from '../recall/rank-chunks.ts'
import { isLikelyAnswer, type WeighedEvidence } from './answer-confidence.ts'
import type { ReadSentences } from './evidence/read-sentences.ts'
import { holdsAllInOtherWords } from './held-by-synonyms.ts'
import { isFirstPersonOfOther, isOfOtherOwner, isOfOtherTalk, isReasonOfOther } from './sentences/about-others.ts'
import { type AnswerSentence, ASKS_SAID, type AskedQuestion, contentTerms } from './sentences/answer-sentence.ts'
import { assignsTo } from './sentences/asked-duty.ts'
import { canTellName, namesNone } from './sentences/asked-name.ts'
import { askedSpeaker, isBy } from './sentences/asked-speaker.ts'
import { isBirthdayWish } from './sentences/birthday-wish.ts'
import { holdsKindOfNamed, isOfNamed } from './sentences/category-answer.ts'
import { countedTerm, holdsCount } from './sentences/counted-first.ts'
import { heldWeight } from './sentences/covered-weight.ts'
import { isOfAskedNouns } from './sentences/held-nouns.ts'
import { holdsSubject, isOfOtherNumber } from './sentences/held-subject.ts'
import { isOfRole } from './sentences/labeled-lines.ts'
import { isNameOfOther } from './sentences/named-kind.ts'
import { isNamesake } from './sentences/named-people.ts'
import { holdsDeed } from './sentences/own-deed.ts'
import { isOfNobody } from './sentences/owner-question.ts'
import { isLikelyOfTime } from './sentences/timed-records.ts'
import { isUnknownToAgent } from './sentences/unknown-to-agent.ts'
import { isUnsuited } from './sentences/unsuited-sentences.ts'

/** Share of the question from which a sentence states all that it is about. */
export const STATES_QUESTION = 0.8
const MOST_KEYWORDS = 3
const ASKS_ANYTHING = /\b(?:what|which|how|why|who|whose|where|when|tell|show|list|find)\b/i

/** Whether the best passages probably answer, or the best sentence is by who or of the time that is asked about. */
export function isLikely(
  read: ReadSentences,
  weighed: WeighedEvidence,
  ranking: Ranking,
  userName: string | undefined,
): boolean {
  if (read.isReplied) return true
  const [best] = read.sentences
  if (best !== undefined && isOfRole(best.text, read.question) && best.features.around >= LEAST_AROUND_ROLE) return true
  if (best !== undefined && isBirthdayWish(best.text, read.question.text, read.passages[best.passage]!.text))
    return true
  if (isOfUnknown(read)) return false
  const isKeyword = isKeywordSearch(read.question.text, ranking)
  if (isKeyword ? weighed.coverage === 1 : isLikelyAnswer(weighed, ranking.query)) return true
  if (best === undefined) return false
  const { row } = read.read[best.passage]!
  if (answersBeside(best, read.question, row.kind === 'turn')) return true
  if (answersInDocument(best, read) || isOfTitle(best, read) || assignsTo(best, read.question)) return true
  const isOfTime = weighed.isByOthers === 0 && isLikelyOfTime(row, weighed.coverage, ranking)
  return isOfTime || holdsAllInOtherWords(read) || isSaidByAsked(best, read, userName)
}

const NO_NAMES: ReadonlySet<string> = new Set()

/** A sentence about what was said before, or an amount alone; not `I got shoes, 95 euros`. */
const REFERS_BACK = /^(?:(?:and|so|but) )?(?:it|that|this|he|she|they)\b|^\W*\d[\d.,]* ?\p{L}{0,8}\W*$/iu
/** Shares of the question in the sentence, and in its passage with the two before it. */
const LEAST_IN_SENTENCE = 0.4
const LEAST_BESIDE = 0.9
/** The least share of the question, with `owns`, around a line that says whose task it is. */
const LEAST_AROUND_ROLE = 0.3
/** The least share of the question in a sentence below a title that has the rest, and what it has to ask for besides names. */
const LEAST_OF_TITLED = 0.3
const LEAST_TERMS = 2
/** `I could not find the boiler room`; not `no critical findings`. */
const DENIES_VERB = /\b(?:not|never|cannot)\b|n['’]t\b/i

/**
 * Whether a turn states a value, with the rest of the question in the turns before: `Starts 1 May` by the person who is asked
 * about, or `It was 85 euros`, if nobody is.
 */
function answersBeside({ text, features }: AnswerSentence, { kind, asked }: AskedQuestion, isTurn: boolean): boolean {
  const { coverage, around, holdsKind, isByAsked, isQuestion } = features
  if (!MEASURED_KINDS.has(kind) || !isTurn || holdsKind === 0 || isQuestion === 1 || around < LEAST_BESIDE) return false
  return asked.size > 0 ? isByAsked === 1 && coverage >= LEAST_IN_SENTENCE : kind === 'money' && REFERS_BACK.test(text)
}

/** Kinds of answers that a document may state in few words: `Salary: asks for 3,100 a month`. */
const STATED: ReadonlySet<AnswerKind> = new Set([...MEASURED_KINDS, 'person', 'place', 'number', 'code', 'reference'])

/** A capitalized word that is no label: `Lead: 3 kg`. */
const NAMES_SOMEBODY = /(?<!^)(?<!\p{L})\p{Lu}\p{L}+(?![\p{L}:])/u

/** Whether a sentence of a document has the value, a good part of the question, and all of it with the title and headings. */
function answersInDocument(
  { text, passage, features }: AnswerSentence,
  { question, passages }: Pick<ReadSentences, 'question' | 'passages'>,
): boolean {
  const { isTurn, text: whole, title = '', headings } = passages[passage]!
  const { coverage, holdsKind, isQuestion } = features
  // Elsewhere in a document, a name may be of something else: `Tomasz asks for 3,500.`
  const near = new Set(analyze(`${title} ${text}`).map(hashTerm)).union(headings)
  if ([...question.names].some((name) => !near.has(hashTerm(name)))) return false
  if (isTurn || !STATED.has(question.kind) || holdsKind === 0 || isQuestion === 1) return false
  const counted = countedTerm(question)
  if (question.kind === 'person' && !NAMES_SOMEBODY.test(text)) return false
  if (coverage < LEAST_IN_SENTENCE || (counted !== undefined && !holdsCount(text, counted))) return false
  const content = contentTerms(question.terms, NO_NAMES)
  const held = new Set(analyze(withVerbs(`${title} ${whole}`)).map(hashTerm)).union(headings)
  return heldWeight(content, held) >= totalWeight(content) * LEAST_BESIDE
}

/** Whether the title of the best document and its best sentence together have all of a question: `Penetration test`, and `no critical findings`. */
function isOfTitle(
  { text, passage, features }: AnswerSentence,
  { question, passages }: Pick<ReadSentences, 'question' | 'passages'>,
): boolean {
  const { title = '', subject } = passages[passage]!
  const { coverage, isQuestion, share } = features
  if ((title === '' && subject.size === 0) || question.kind !== 'other') return false
  if (isQuestion === 1 || share < 1 || coverage < LEAST_OF_TITLED) return false
  if (DENIES_VERB.test(text)) return false
  const content = contentTerms(question.terms, NO_NAMES)
  if (content.filter(({ term }) => !question.names.has(term)).length < LEAST_TERMS) return false
  const held = new Set(analyze(withVerbs(`${title} ${text}`)).map(hashTerm)).union(subject)
  return heldWeight(content, held) >= totalWeight(content) * LEAST_BESIDE
}

/** Whether the person who is asked about says all that the question is about (`What did I say about robinia?`) or one of its kinds. */
function isSaidByAsked(sentence: AnswerSentence, { question, passages }: ReadSentences, userName?: string): boolean {
  if (holdsKindOfNamed(sentence, question)) return true
  const { isByAsked, around, isQuestion } = sentence.features
  if (ASKS_SAID.test(question.text) && isByAsked === 1 && around >= LEAST_BESIDE && isQuestion === 0) return true
  const asked = askedSpeaker(question.text)
  const isAllHeld = sentence.features.coverage >= STATES_QUESTION
  return asked !== undefined && isAllHeld && isBy(asked, passages[sentence.passage]!, userName)
}

/** A few words without a question: a text with all of them is the answer. */
function isKeywordSearch(text: string, { query }: Ranking): boolean {
  return (
    query.terms.length <= MOST_KEYWORDS &&
    !/[?？]/.test(text) &&
    answerKind(text) === 'other' &&
    !ASKS_ANYTHING.test(text)
  )
}

/** Whether the best sentence can have the answer, is of what is asked about, and by the speaker who is asked about. */
export function isSuited(found: ReadSentences, userName?: string): boolean {
  const {
    question,
    passages,
    sentences: [best],
    isReplied,
  } = found
  if (best === undefined) return true
  const passage = passages[best.passage]!
  if (!isReplied && (isFirstPersonOfOther(best, question, passage) || !canTellName(best, question))) return false
  if (
    isReasonOfOther(best, question, passage) ||
    isOfNobody(question.text, passage) ||
    !holdsDeed(question, passage) ||
    isNameOfOther(best.text, question.text, userName) ||
    !isOfNamed(best, question, passage, userName) ||
    !isOfAskedNouns(found) ||
    (!isReplied && (!holdsSubject(best, question, passage) || isOfOtherTalk(best, question, passage))) ||
    isOfOtherNumber(best, question, passage) ||
    isOfOtherOwner(best, question, passage) ||
    isUnknownToAgent(best, question, passage) ||
    namesNone(best.text, question.text, best.features.newNames)
  )
    return false
  const asked = askedSpeaker(question.text)
  return !isUnsuited(best, question, passage) && (asked === undefined || isBy(asked, passage, userName))
}

/** Whether the best sentence is by somebody who shares only a part of a name in the question. */
export function isOfNamesake({ question, passages, sentences: [best] }: ReadSentences): boolean {
  return best !== undefined && isNamesake(question.text, passages[best.passage]?.speaker)
}

/** Share of the question around a sentence from which it may say in other words what is stored nowhere. */
const MOST_AROUND_UNKNOWN = 0.5
/** Least share of the question that is stored nowhere. */
const LEAST_UNKNOWN = 0.5

/** The place within which a question asks: `in Berlin` */
const IN_PLACE = /\b(?:in|at|near|around|from|to) (\p{Lu}[\p{L}\p{M}]+)/gu
const NO_PLACES: ReadonlySet<string> = new Set()

/** Whether the best sentence has nothing of a question that is mostly stored nowhere: `the dentist appointment`. */
function isOfUnknown({ question: { text, kind, terms, names, people }, sentences: [best] }: ReadSentences): boolean {
  if (best === undefined || best.features.coverage > 0 || best.features.around >= MOST_AROUND_UNKNOWN) return false
  // `Which hotel in Berlin?` names only where; `Where does Ben work?` names who.
  const places =
    kind === 'place' ? new Set([...text.matchAll(IN_PLACE)].flatMap(([, name = '']) => analyze(name))) : NO_PLACES
  if (analyze(best.text).some((term) => names.has(term) && !places.has(term))) return false
  const content = contentTerms(terms, people)
  const unknown = content.filter(({ frequency, kinds, typed }) => frequency === 0 && !kinds && typed === undefined)
  return totalWeight(unknown) >= LEAST_UNKNOWN * totalWeight(content) && unknown.length > 0
}
