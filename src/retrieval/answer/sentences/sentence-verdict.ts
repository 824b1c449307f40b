import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { sentencesOf } from '../../../lib/sentences.ts'
import { heldShare, wordsOf } from '../../question/held-words.ts'
import { hasPastForm } from '../../question/irregular-verbs.ts'
import { sentenceForm } from '../../question/languages/english-form.ts'
import type { QueryTerm } from '../../question/query-terms.ts'
import { type AnswerPassage, type AnswerSentence, type AskedQuestion, contentTerms, PLAN } from './answer-sentence.ts'
import { DENIES, deniesAnotherSubject, deniesAsked, lacksSomethingElse, NEGATES, saysOpposite } from './denials.ts'
import { saysEnded, saysMoved } from './ended-state.ts'

const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december'
const HEDGES =
  /\b(?:think(?:s|ing)?|thought|believe|guess|if|maybe|perhaps|probably|might|(?<!\d )may(?! \d)|hope|wish|whether|consider(?:ed|ing)?|almost|nearly|unless|without (?:it|that|this|them))\b|^\W*without\b/i
/** Minimum shares of the question in a sentence with its headings that confirms or denies it. */
const CONFIRMS = 0.8
const CONTRADICTS = 0.5
/** The same for one with the opposite verb. */
const LEAST_OPPOSITE = 0.4
/** Share of the question in the clause that denies it, as a share of that in the closest clause. */
const LEAST_DENIED = 0.5
/** The least share of the question in the denying clause of a document, and in a confirming sentence without its headings. */
const OF_DOCUMENT = 0.5
const OWN_OF_DOCUMENT = 0.6
/** `Is there an installer for Windows?`: of this very thing, not of a word with its stem. */
const ASKS_EXISTENCE =
  /^\W*(?:is|are|was|were) there (?:an?|any|some)? ?(?:[\p{L}-]+ )*?([\p{L}-]+?)s? (?:for|of|in|on|to|with|from|at|that|which)\b/iu
/** `Can I use MySQL?`: `Don't copy the file` says nothing of it. */
const ASKS_WHETHER_ONE_CAN =
  /^\W*(?:can|could|may|should|must)\s+(?:I|we|you|one)\s+(?:(?:already|also|still)\s+)?(\p{L}+)/iu
const BY_DEFAULT = /\bby default\b/i
/** `Is there still an installer?`: one that was there says nothing of now. */
const ASKS_STILL = /\bstill\b/i
const WAS = /\b(?:was|were|had|used to|provided|offered|supported|included|came)\b/i
/** `This module does not work in browsers`: its subject is what the page is about. */
const OF_PAGE =
  /^\W*(?:note\W+)?this (?:module|package|library|plugin|project|tool|program|app|service|server|framework)\b/i
const CLAUSES = /[,;–—]\s|\bbut\b/
/** `Rejected: satellite pictures` */
const LABEL = /^[^:]{1,40}:\s/
/** `Is Mila allergic to nuts?`: a state, of which `no nuts` says nothing. */
const ASKS_STATE = /^\W*(?:is|are|was|were|am)\b/i
const ONLY_NONE = /\bno (?!longer\b)\p{L}|\bwithout\b/iu
/** Verbs that count for nothing in a search, and for something where they are what is asked. */
const SMALL_VERB = /^\W*\p{L}+(?:n['’]t)?\s+(?:[\p{L}'’.-]+\s+){1,4}?(go|get|take|make|happen)\b/iu
/** A clause without a subject of its own: `"Tidewater", February, gave up after 80 pages`. */
const GIVES_UP = /^\W*(?:gave up|dropped|rejected|declined|refused|cancell?ed)\b/i
const ASKS_WHETHER_DONE = /\b(?:finish|complete|continue|keep|stick|still|all of)\b/i
const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?'
const VALUE = `\\d[\\d.,:]*(?<=\\d)(?![\\d%]|\\s*(?:${MONTHS}))|${WEEKDAY}`
/** `Is the gateway on Node 24?`, `Is the rehearsal still on Tuesdays?` */
const ASKED_VALUE = new RegExp(`^\\W*(?:is|are|does|do)\\b.*\\b(?:on|at)\\s+((?:\\p{L}+ )?(${VALUE}))\\W*$`, 'iu')
/** `stays on 22`, `set the pool to 45`, `repeats every week on Wednesday` */
const STATED_VALUE = new RegExp(
  `\\b(?:stays?|remains?|runs?|is|are|set|repeats?)\\b[^.;!?]{0,60}?\\b(?:on|at|to)\\s+(?:\\p{L}+ )?(${VALUE})`,
  'iu',
)
const ASKS_OF_US = /^\W*\p{L}+(?:n['’]t)?\s+(?:I|we|my|our)\b/iu
const NAMED_SUBJECT =
  /^\W*(?!(?:I|We|It|The|This|That|He|She|They|You|There|My|Our|Your|His|Her|Their|All|An?)\b)\p{Lu}[\p{L}'’]+\s+(\p{L}+)/u

/** A sentence with its passage. */
export interface Statement {
  readonly sentence: AnswerSentence
  readonly passage: AnswerPassage
}

export type Verdict = 'Yes' | 'No' | undefined

/** By passage and position of the sentence: an answer asks for each up to three times. */
const verdicts = new WeakMap<AskedQuestion, Map<string, Verdict>>()

/**
 * What a sentence answers to a question for yes or no; `undefined` if it decides nothing.
 *
 * @param userName the same for all statements of a question
 */
export function verdict(question: AskedQuestion, statement: Statement, userName: string | undefined): Verdict {
  const known = verdicts.get(question) ?? new Map<string, Verdict>()
  verdicts.set(question, known)
  const key = `${statement.sentence.passage} ${statement.sentence.position}`
  if (!known.has(key)) {
    const { sentence, passage } = statement
    const read = { passage, sentence: { ...sentence, text: sentenceForm(sentence.text, question.locale).text } }
    known.set(key, judge(question, read, userName))
  }
  return known.get(key)
}

function judge(question: AskedQuestion, statement: Statement, userName: string | undefined): Verdict {
  const { text, features, isAboutAsked } = statement.sentence
  if (features.isQuestion === 1 || !isAboutAsked || HEDGES.test(text)) return undefined
  if (saysEnded(question.text, text) || (!DENIES.test(text) && saysMoved(question.text, text))) return 'No'
  const content = contentTerms(question.terms, question.names)
  const clause = closestClause(text, content)
  if (isOfSomebodyElse(question.text, clause, statement.passage, userName)) return undefined
  if (!isAboutAskedThing(question.text, statement, clause)) return undefined
  if (namesOtherValue(question.text, text, content)) return 'No'
  const words = wordsOf(text, content)
  const share = heldShare(content, words.union(statement.passage.headings))
  if (saysOpposite(question.text, text) && share >= LEAST_OPPOSITE && !PLAN.test(text)) return 'No'
  if (!holdsNames(question, statement)) return undefined
  if (givesUp(question, text, words)) return 'No'
  const shares = { share, own: heldShare(content, words) }
  const saysNo = deniesWhatIsAsked(question, statement, content, clause)
  if (saysNo !== NEGATES.test(question.text)) return isDenied(question, text, saysNo, shares) ? 'No' : undefined
  if (isStillToCome(question.text, clause)) return undefined
  const isOfOther = !statement.passage.isTurn && NEGATES.test(clause) && deniesAnotherSubject(clause, question.text)
  if (isOfOther) return undefined
  return isConfirmed(question, statement, shares) ? 'Yes' : undefined
}

const ASKS_DID = /^\W*(?:and |so |but )?did(?:n['’]t)?\b/i

/** Whether a clause only says what is going to happen: `The surveyor comes on the 26th` for `Did the surveyor come?` */
function isStillToCome(question: string, clause: string): boolean {
  if (!ASKS_DID.test(question) || hasPastForm(clause) || /\p{L}{3}ed\b/u.test(clause)) return false
  const asked = question.toLowerCase().match(/\p{L}{3,}/gu) ?? []
  const said = new Set(clause.toLowerCase().match(/\p{L}+/gu))
  return asked.some((word) => said.has(`${word}s`) || said.has(`${word}es`))
}

/** Shares of the question in a sentence. */
interface HeldShares {
  /** With the headings of its passage. */
  readonly share: number
  readonly own: number
}

/** Whether the label or a clause of a sentence denies what is asked: `not public yet` behind that clause denies something else. */
function deniesWhatIsAsked(
  { text: question }: AskedQuestion,
  { sentence: { text }, passage: { isTurn, headings } }: Statement,
  content: readonly QueryTerm[],
  clause: string,
): boolean {
  const isOfPage = OF_PAGE.test(text) && heldShare(content, wordsOf(text, content).union(headings)) === 1
  const denies = (words: string) =>
    deniesAsked(words, question) &&
    (isTurn || isOfPage || !(lacksSomethingElse(words, question) || deniesAnotherSubject(words, question)))
  const held = (words: string) => heldShare(content, wordsOf(words, content))
  const least = held(clause) * LEAST_DENIED
  // A sentence of a document denies several things, and its headings say nothing of them.
  const leastDenied = isTurn ? least : Math.max(least, OF_DOCUMENT)
  const isClauseDenied = text.split(CLAUSES).some((one) => denies(one) && held(one) > leastDenied)
  return isClauseDenied || denies(LABEL.exec(text)?.[0] ?? '')
}

/** Whether a sentence with the names of the question says that something was given up which had to be finished. */
function givesUp({ text: question, names }: AskedQuestion, text: string, words: ReadonlySet<number>): boolean {
  const isNamed = names.size > 0 && [...names].every((name) => words.has(hashTerm(name)))
  return isNamed && ASKS_WHETHER_DONE.test(question) && text.split(CLAUSES).some((one) => GIVES_UP.test(one))
}

/** Whether a sentence whose sense is the opposite of the question's holds enough of it. */
function isDenied(
  { text: question }: AskedQuestion,
  text: string,
  saysNo: boolean,
  { share, own }: HeldShares,
): boolean {
  const isOnlyNone = ASKS_STATE.test(question) && ONLY_NONE.test(text) && !saysNot(text)
  if (isOnlyNone && share < CONFIRMS) return false
  // `Does it work without a network?`: a sentence that denies nothing has to state what is asked.
  return share >= (saysNo ? CONTRADICTS : CONFIRMS) && own > 0
}

/** Whether a sentence states nearly all that is asked, as no plan, and none beside it denies it. */
function isConfirmed(question: AskedQuestion, statement: Statement, { share, own }: HeldShares): boolean {
  const { text } = statement.sentence
  if (share < CONFIRMS || PLAN.test(text) || (ASKS_STILL.test(question.text) && WAS.test(text))) return false
  if (!statement.passage.isTurn && (own < OWN_OF_DOCUMENT || !namesAll(question, statement))) return false
  // `Hanna is coming. Jon can't make it.` confirms nothing of Jon.
  if (deniesBeside(question, statement)) return false
  const verb = SMALL_VERB.exec(question.text)?.[1]
  return verb === undefined || wordsOf(text).isSupersetOf(wordsOf(verb))
}

/** Whether a sentence is about what a question asks for, not only about what it asks it of. */
function isAboutAskedThing(
  question: string,
  { sentence: { text: sentence }, passage }: Statement,
  clause: string,
): boolean {
  const verb = passage.isTurn ? undefined : ASKS_WHETHER_ONE_CAN.exec(question)?.[1]
  if (verb !== undefined && !wordsOf(sentence).union(passage.headings).isSupersetOf(wordsOf(verb))) return false
  const thing = ASKS_EXISTENCE.exec(question)?.[1]
  if (thing !== undefined && !new RegExp(`(?<!\\p{L})${thing}s?(?!\\p{L})`, 'iu').test(sentence)) return false
  return !BY_DEFAULT.test(question) || /\bdefault/i.test(clause)
}

function saysNot(text: string): boolean {
  return /\b(?:not|never|no longer|cannot)\b|n['’]t\b/i.test(text)
}

/** Whether a sentence about the same thing states another number or weekday than a question about the present. */
function namesOtherValue(question: string, sentence: string, content: readonly QueryTerm[]): boolean {
  const [phrase = '', asked] = ASKED_VALUE.exec(question)?.slice(1).map(lowerCase) ?? []
  const stated = STATED_VALUE.exec(sentence)?.[1]?.toLowerCase()
  if (asked === undefined || stated === undefined || /^\d/.test(asked) !== /^\d/.test(stated)) return false
  if (sentence.toLowerCase().includes(asked.replace(/s$/, ''))) return false
  const value = new Set(analyze(phrase))
  const others = content.filter(({ term }) => !value.has(term))
  return heldShare(others, wordsOf(sentence, others)) >= CONTRADICTS
}

function lowerCase(text: string): string {
  return text.toLowerCase()
}

/** The clause with most words of the question. */
export function closestClause(text: string, content: readonly QueryTerm[]): string {
  const held = (clause: string) => heldShare(content, wordsOf(clause, content))
  return text.split(CLAUSES).toSorted((a, b) => held(b) - held(a))[0] ?? text
}

/** Whether a name of the question that the sentence lacks stands in a sentence beside it that denies something. */
function deniesBeside({ names }: AskedQuestion, { sentence, passage }: Statement): boolean {
  const own = wordsOf(`${sentence.text} ${passage.speaker ?? ''}`)
  const missing = [...names].map(hashTerm).filter((name) => !own.has(name))
  if (missing.length === 0) return false
  return sentencesOf(passage.text).some((one) => DENIES.test(one) && missing.some((name) => wordsOf(one).has(name)))
}

/** Whether the passage, its headings or its speaker hold every name of the question. */
function holdsNames({ names }: AskedQuestion, { passage }: Statement): boolean {
  return holdsAll(names, wordsOf(`${passage.text} ${passage.speaker ?? ''}`).union(passage.headings))
}

/** Whether a sentence of a document or its headings hold every name of the question: others may be about anything. */
function namesAll({ names }: AskedQuestion, { sentence, passage }: Statement): boolean {
  return holdsAll(names, wordsOf(sentence.text).union(passage.headings))
}

function holdsAll(names: ReadonlySet<string>, held: ReadonlySet<number>): boolean {
  return [...names].every((name) => held.has(hashTerm(name)))
}

/** `Jonas wants oak` says nothing about what I want, and neither does `I want oak` of somebody else. */
function isOfSomebodyElse(question: string, clause: string, { speaker }: AnswerPassage, userName = ''): boolean {
  if (!ASKS_OF_US.test(question)) return false
  const asked = new Set(analyze(question))
  const [, verb] = NAMED_SUBJECT.exec(clause) ?? []
  if (verb !== undefined && analyze(verb).some((term) => asked.has(term))) return true
  const isOthers = speaker !== undefined && new Set(analyze(speaker)).isDisjointFrom(new Set(analyze(userName)))
  return isOthers && userName !== '' && /\b(?:I|my)\b/i.test(clause)
}
