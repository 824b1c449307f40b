import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { type AnswerPassage, type AnswerSentence, type AskedQuestion, contentTerms } from './answer-sentence.ts'
import { closestClause } from './sentence-verdict.ts'

const OF_ONESELF = /\b(?:I|my|mine|me|we|our|ours|us)\b/i
const ADDRESSES = /\byou(?:rs?|rsel(?:f|ves))?\b/i
/** `your new hair color`: what belongs to whom the speaker addresses. */
const THEIRS = /\byour ((?:[\p{L}\p{N}'’-]+ ){0,2}[\p{L}\p{N}'’-]+)/giu

/**
 * Whether a sentence is a first-person statement of somebody other than the person in the question: `I'm a fan of Bach` is no
 * answer to what Caroline is a fan of, unless she says it.
 */
export function isFirstPersonOfOther(
  { text, features, isAboutAsked }: AnswerSentence,
  { asked, kind, terms, names }: AskedQuestion,
  { isTurn, speaker }: AnswerPassage,
): boolean {
  const isOther = isTurn && speaker !== undefined && asked.size > 0 && features.isByAsked === 0 && !isAboutAsked
  if (!isOther || kind === 'yes-no' || ADDRESSES.test(text)) return false
  // `I rang them, the kayak course is 165` tells of the course.
  return OF_ONESELF.test(closestClause(text, contentTerms(terms, names)))
}

const WHY_SUBJECT =
  /^\W*why (?:did|does|is|was|has|had|will|would|can|could|isn['’]t|wasn['’]t|didn['’]t|doesn['’]t|can['’]t|won['’]t) (\p{Lu}[\p{L}\p{M}'’-]+)/iu
const OF_SOMEBODY = /\b(?:he|she|they|him|her|them|his|their)\b/i
/** `because Irina is on leave` */
const REASON_OF = /\b(?:[Bb]ecause|[Aa]s|[Ss]ince) (?:of )?(\p{Lu}[\p{L}\p{M}]+)/u

/** Whether a sentence of a note gives a reason that is somebody else's: `because Irina is on leave` to `Why did Shadi leave?` */
export function isReasonOfOther(
  { text }: AnswerSentence,
  { text: question, kind, names }: AskedQuestion,
  { isTurn, speaker = '' }: AnswerPassage,
): boolean {
  const [subject] = kind === 'reason' && !isTurn ? analyze(WHY_SUBJECT.exec(question)?.[1] ?? '') : []
  if (subject === undefined || !names.has(subject) || OF_SOMEBODY.test(text)) return false
  return !analyze(`${text} ${speaker}`).includes(subject) && REASON_OF.test(text)
}

/** Whether the person who is asked about speaks of something of the question that belongs to somebody else: `Your hair looks amazing`. */
export function describesAddressee(
  { text, features }: AnswerSentence,
  { asked, kind, terms, names }: AskedQuestion,
  { isTurn }: AnswerPassage,
): boolean {
  const isTheirs = isTurn && asked.size > 0 && features.isByAsked === 1 && features.isQuestion === 0
  if (!isTheirs || kind === 'yes-no' || OF_ONESELF.test(text)) return false
  const content = new Set(contentTerms(terms, names).map(({ hash }) => hash))
  return [...text.matchAll(THEIRS)].some(([, words = '']) => analyze(words).some((term) => content.has(hashTerm(term))))
}
