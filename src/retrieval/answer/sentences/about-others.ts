import { isEventSource } from '../../../domain/source-type.ts'
import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { relatedStems } from '../../question/word-families.ts'
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

const ALL_HELD = 0.8
const SEVERAL = 2

/**
 * Whether somebody else says a sentence in a talk in which nobody names the person in the question: `a work permit takes nine
 * weeks` says nothing of where Dev works.
 */
export function isOfOtherTalk(
  { features, isAboutAsked }: AnswerSentence,
  { asked, terms, names }: AskedQuestion,
  { isTurn, text, near, headings }: AnswerPassage,
): boolean {
  if (!isTurn || asked.size === 0 || features.isByAsked === 1 || isAboutAsked) return false
  // `The kayak course is 165` is about Nora's, whoever says it.
  if (features.coverage >= ALL_HELD && contentTerms(terms, names).length >= SEVERAL) return false
  const held = near.union(headings).union(new Set(analyze(text).map(hashTerm)))
  return [...asked].every((term) => !held.has(hashTerm(term)))
}

/** `Dad's birthday`, `Mum's new number`: whose it is, and the two words behind. */
const OWNED = /(?<!\p{L})(\p{Lu}[\p{L}\p{M}-]*|mum|mom|mam|dad|grandma|grandpa)['’]s (\p{Ll}+(?: \p{Ll}+)?)/gu

/** Whether a sentence or its event is about the same thing of somebody else: Orla's birthday, and not Dad's. */
export function isOfOtherOwner(
  sentence: AnswerSentence,
  { text: question, kind }: AskedQuestion,
  passage: AnswerPassage,
): boolean {
  if (kind === 'yes-no') return false
  const { text } = isEventSource(passage.sourceType) ? passage : sentence
  const held = new Set(analyze(text))
  const owned = [...text.matchAll(OWNED)].flatMap(([, , things = '']) => analyze(things))
  return [...question.matchAll(OWNED)].some(([, owner = '', things = '']) => {
    const names = analyze(owner).flatMap((name) => [name, ...relatedStems(name).map(({ stem }) => stem)])
    return analyze(things).some((thing) => owned.includes(thing)) && !names.some((name) => held.has(name))
  })
}

const WHY_SUBJECT =
  /^\W*why (?:did|does|is|was|has|had|will|would|can|could|isn['’]t|wasn['’]t|didn['’]t|doesn['’]t|can['’]t|won['’]t) (\p{Lu}[\p{L}\p{M}'’-]+)/iu
const OF_SOMEBODY = /\b(?:he|she|they|him|her|them|his|their)\b/i
/** `because Irina is on leave` */
const REASON_OF = /\b(?:[Bb]ecause|[Aa]s|[Ss]ince) (?:of )?(\p{Lu}[\p{L}\p{M}]+)/u

/**
 * Whether a sentence gives a reason that is somebody else's: `because Irina is on leave` to `Why did Shadi leave?`, or one from
 * a passage that has the name neither in it nor before or above it.
 */
export function isReasonOfOther(
  { text }: AnswerSentence,
  { text: question, kind, names }: AskedQuestion,
  { isTurn, speaker = '', title = '', text: whole, before, headings }: AnswerPassage,
): boolean {
  const [subject] = kind === 'reason' ? analyze(WHY_SUBJECT.exec(question)?.[1] ?? '') : []
  if (subject === undefined || !names.has(subject)) return false
  const around = before.union(headings)
  if (!analyze(`${whole} ${speaker} ${title}`).includes(subject) && !around.has(hashTerm(subject))) return true
  if (isTurn || OF_SOMEBODY.test(text)) return false
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
