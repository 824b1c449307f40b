import { analyze, hashTerm } from '../lib/analyze.ts'
import { sentencesOf } from '../lib/sentences.ts'
import { type AnswerPassage, type AnswerSentence, type AskedQuestion, contentTerms, PLAN } from './answer-sentence.ts'
import { asksStill, saysEnded, saysMoved } from './ended-state.ts'
import { withVerbs } from './irregular-verbs.ts'
import type { QueryTerm } from './query-terms.ts'

const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december'
/** Words that deny something. */
export const DENIES =
  /\b(?:no|not|never|no longer|nobody|nothing|none|neither|nor|without|cannot|reject(?:s|ed)?|declin(?:es|ed)|refus(?:es|ed)|forbidden|prohibited|cancel(?:l?ed)?|instead of|gave up|(?:decid(?:es?|ed)|advis(?:es?|ed)|vot(?:es?|ed)) against|(?:is|are|was|were) off(?! (?:to|on|the|sick|work|duty)\b))\b|n['’]t\b/i
const HEDGES =
  /\b(?:think(?:s|ing)?|thought|believe|guess|if|maybe|perhaps|probably|might|(?<!\d )may(?! \d)|hope|wish|whether|consider(?:ed|ing)?|almost|nearly|unless|without (?:it|that|this|them))\b|^\W*without\b/i
/** Minimum shares of the question in a sentence with its headings that confirms or denies it. */
const CONFIRMS = 0.8
const CONTRADICTS = 0.5
/** The same for one with the opposite verb. */
const LEAST_OPPOSITE = 0.4
/** A sentence that says the opposite and scores hardly less leaves it open. */
const AS_GOOD = 1.5
/** Maximum score difference of a sentence that decides what the best one leaves open. */
const NEARLY_AS_GOOD = 3
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
const STATES_WORD = /^\W*(?:yes|no)\b/i
const CLAUSES = /[,;–—]\s|\bbut\b/
/** `Rejected: satellite pictures` */
const LABEL = /^[^:]{1,40}:\s/
/** What negates any verb; the other words of `DENIES` deny something only where the question doesn't ask for them. */
const NEGATES = /\b(?:no|not|never|nobody|nothing|none|neither|nor|without|cannot)\b|n['’]t\b/i
/** `Is Mila allergic to nuts?`: a state, of which `no nuts` says nothing. */
const ASKS_STATE = /^\W*(?:is|are|was|were|am)\b/i
/** What a sentence says there is none of: `has no installer yet`, `without a network`. */
const NONE_OF = /\b(?:no(?! longer\b)|without)\s+([^,.;:()]{1,40})/gi
const ONLY_NONE = /\bno (?!longer\b)\p{L}|\bwithout\b/iu
/** Verbs that count for nothing in a search, and for something where they are what is asked. */
const SMALL_VERB = /^\W*\p{L}+(?:n['’]t)?\s+(?:[\p{L}'’.-]+\s+){1,4}?(go|get|take|make|happen)\b/iu
/** A clause without a subject of its own: `"Tidewater", February, gave up after 80 pages`. */
const GIVES_UP = /^\W*(?:gave up|dropped|rejected|declined|refused|cancell?ed)\b/i
const ASKS_WHETHER_DONE = /\b(?:finish|complete|continue|keep|stick|still|all of)\b/i
/** Letters of a stem that another one begins with, and most letters behind them: `renew`, `renewal`. */
const LEAST_ROOT = 5
const MOST_ENDING = 3
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

/**
 * The answer to a yes-no question, if the first of these sentences clearly states or denies nearly all of it and none that
 * is as good says the opposite; `undefined` if that is uncertain, or the sentence starts with yes or no.
 *
 * @param statements best first
 */
export function yesOrNo(
  question: AskedQuestion,
  statements: readonly Statement[],
  userName?: string,
): 'Yes' | 'No' | undefined {
  const [best] = statements
  if (best === undefined || STATES_WORD.test(best.sentence.text)) return undefined
  const word = verdict(question, best, userName)
  // `My sister is catering`, a month before she pulled out, contradicts nothing.
  const isBefore = ({ passage }: Statement) => asksStill(question.text) && passage.recency < best.passage.recency
  const close = statements.filter((one) => one.sentence.score >= best.sentence.score - AS_GOOD && !isBefore(one))
  const others = close.map((one) => verdict(question, one, userName)).filter((other) => other !== undefined)
  return others.every((other) => other === word) ? word : undefined
}

/**
 * The sentences with the first one that decides a question for yes or no at the start, if the best one leaves it open;
 * `undefined` where none of the good ones does.
 *
 * @param statements best first
 */
export function decidingFirst(
  question: AskedQuestion,
  statements: readonly Statement[],
  userName?: string,
): readonly AnswerSentence[] | undefined {
  const [best] = statements
  if (best === undefined || question.kind !== 'yes-no' || STATES_WORD.test(best.sentence.text)) return undefined
  if (verdict(question, best, userName) !== undefined) return undefined
  const good = statements.filter(({ sentence }) => sentence.score >= best.sentence.score - NEARLY_AS_GOOD)
  const first = good.find((one) => verdict(question, one, userName) !== undefined)?.sentence
  if (first === undefined) return undefined
  const others = statements.map(({ sentence }) => sentence).filter((one) => one !== first)
  return [{ ...first, score: best.sentence.score }, ...others]
}

/** Whether the best sentence, or one nearly as good, decides a question for yes or no by its own words. */
export function decidesItself(question: AskedQuestion, statements: readonly Statement[], userName?: string): boolean {
  const least = (statements[0]?.sentence.score ?? 0) - NEARLY_AS_GOOD
  return (
    question.kind === 'yes-no' &&
    statements.some((one) => one.sentence.score >= least && verdict(question, one, userName) !== undefined)
  )
}

const ASKS_OTHERWISE = /\b(?:what|which|how|why|who|whose|whom|where|when|or|tell|show|list|find|likely)\b/i
const SAYS_EITHER = /\b(?:yes|yep|yeah|sure|of course|agreed|approved|allowed|nope|refused|rejected|declined)\b/i

/** Whether a question can only be answered by yes or no; not `Do you know when it is?` or `Is it red or blue?` */
export function asksWhether({ kind, text }: AskedQuestion): boolean {
  return kind === 'yes-no' && !ASKS_OTHERWISE.test(text)
}

/** Whether words affirm or deny anything. */
export function saysWhether(words: string): boolean {
  return SAYS_EITHER.test(words) || DENIES.test(words)
}

/** What keeps something from happening; `not` often denies something else of it. */
const REVOKES =
  /\b(?:never|reject(?:s|ed)|declin(?:es|ed)|refus(?:es|ed)|cancel(?:l?ed)|called off|turned down|decid(?:es?|ed) (?:not to|against))\b/i

/** `When did I cancel it?` presumes `did I cancel it?` */
const PRESUMES = /^\W*(?:and |so |but )?(?:when|why|how long)\s+((?:did|was|were|has|have|had)\s+(?!not\b).+)$/is

/**
 * Whether a good sentence denies what a question takes for granted and none confirms it: `When did I cancel the gym?`, which
 * was renewed.
 */
export function isPremiseDenied(question: AskedQuestion, statements: readonly Statement[], userName?: string): boolean {
  const text = PRESUMES.exec(question.text)?.[1]
  if (text === undefined || NEGATES.test(text)) return false
  const presumed = { ...question, text, kind: 'yes-no' as const }
  const least = (statements[0]?.sentence.score ?? 0) - AS_GOOD
  const good = statements.filter(({ sentence }) => sentence.score >= least)
  const words = good.map((one) => verdict(presumed, one, userName))
  const isDenied = good.some(
    ({ sentence }, i) => words[i] === 'No' && (REVOKES.test(sentence.text) || saysOpposite(text, sentence.text)),
  )
  return isDenied && !words.includes('Yes')
}

type Verdict = 'Yes' | 'No' | undefined

/** By passage and position of the sentence: an answer asks for each up to three times. */
const verdicts = new WeakMap<AskedQuestion, Map<string, Verdict>>()

/** @param userName the same for all statements of a question */
function verdict(question: AskedQuestion, statement: Statement, userName: string | undefined): Verdict {
  const known = verdicts.get(question) ?? new Map<string, Verdict>()
  verdicts.set(question, known)
  const key = `${statement.sentence.passage} ${statement.sentence.position}`
  if (!known.has(key)) known.set(key, judge(question, statement, userName))
  return known.get(key)
}

function judge(question: AskedQuestion, statement: Statement, userName: string | undefined): Verdict {
  const { text, features, isAboutAsked } = statement.sentence
  if (features.isQuestion === 1 || !isAboutAsked || HEDGES.test(text)) return undefined
  if (saysEnded(question.text, text) || (!DENIES.test(text) && saysMoved(question.text, text))) return 'No'
  const content = contentTerms(question.terms, question.names)
  const clause = closestClause(text, content)
  if (isOfSomebodyElse(question.text, clause, statement.passage, userName)) return undefined
  const label = LABEL.exec(text)?.[0] ?? ''
  // `not public yet` behind the clause that is asked about denies something else.
  const most = heldShare(content, wordsOf(clause, content))
  // A sentence of a document denies several things, and its headings say nothing of them.
  const leastDenied = statement.passage.isTurn ? most * LEAST_DENIED : Math.max(most * LEAST_DENIED, OF_DOCUMENT)
  const deniesThis = (words: string) =>
    deniesAsked(words, question.text) && (statement.passage.isTurn || !lacksSomethingElse(words, question.text))
  const isDenied = text
    .split(CLAUSES)
    .some((one) => deniesThis(one) && heldShare(content, wordsOf(one, content)) > leastDenied)
  const saysNo = isDenied || deniesThis(label)
  if (!isAboutAskedThing(question.text, statement, clause)) return undefined
  const denies = saysNo !== NEGATES.test(question.text)
  const words = wordsOf(text, content)
  const isNamed = question.names.size > 0 && [...question.names].every((name) => words.has(hashTerm(name)))
  const share = heldShare(content, new Set([...words, ...statement.passage.headings]))
  if (namesOtherValue(question.text, text, content)) return 'No'
  if (saysOpposite(question.text, text) && share >= LEAST_OPPOSITE && !PLAN.test(text)) return 'No'
  if (!holdsNames(question, statement)) return undefined
  if (isNamed && ASKS_WHETHER_DONE.test(question.text) && text.split(CLAUSES).some((one) => GIVES_UP.test(one)))
    return 'No'
  if (denies) {
    const isOnlyNone = ASKS_STATE.test(question.text) && ONLY_NONE.test(text) && !saysNot(text)
    if (isOnlyNone && share < CONFIRMS) return undefined
    // `Does it work without a network?`: a sentence that denies nothing has to state what is asked.
    return share >= (saysNo ? CONTRADICTS : CONFIRMS) && heldShare(content, words) > 0 ? 'No' : undefined
  }
  if (share < CONFIRMS || PLAN.test(text)) return undefined
  if (!statement.passage.isTurn && heldShare(content, words) < OWN_OF_DOCUMENT) return undefined
  // `Hanna is coming. Jon can't make it.` confirms nothing of Jon.
  if (deniesBeside(question, statement)) return undefined
  const verb = SMALL_VERB.exec(question.text)?.[1]
  return verb === undefined || wordsOf(text).isSupersetOf(wordsOf(verb)) ? 'Yes' : undefined
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

/** Whether words deny something, other than by the verb that is asked for: `Can I cancel it?`, `cancelled for free`. */
function deniesAsked(words: string, question: string): boolean {
  if (NEGATES.test(words)) return true
  const denial = DENIES.exec(words)?.[0]
  if (denial === undefined) return false
  const asked = analyze(question)
  return !analyze(denial).some((term) => asked.some((other) => isSameRoot(term, other)))
}

/** Whether words only say that there is none of something that isn't asked for: `Windows has no installer yet`. */
function lacksSomethingElse(words: string, question: string): boolean {
  const things = [...words.matchAll(NONE_OF)].map(([, thing = '']) => thing)
  if (things.length === 0 || DENIES.test(words.replace(NONE_OF, ' '))) return false
  const asked = analyze(question)
  return !things.some((thing) => analyze(thing).some((term) => asked.some((other) => isSameRoot(term, other))))
}

/** Verbs that exclude each other, as far as one thing is concerned. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/\bcancel(?:l?(?:ed|ing))?\b|\bquit\b|\bterminat/i, /\b(?:renew(?:ed|s)?|extend(?:ed|s)?|prolong(?:ed|s)?)\b/i],
  [/\baccept(?:ed|ing)?\b|\bapprov/i, /\b(?:declin|refus|reject|turn(?:ed|s)? (?:it |them )?down)\p{L}*/iu],
  [/\bdeclin|\brefus|\breject|\bturn(?:ed|ing)?\b.*\bdown\b/i, /\b(?:accept(?:ed|s)?|approved?)\b/i],
  [/\bs(?:ell|old|elling)\b|\bg(?:ive|ave) (?:\S+ )?away\b/i, /\b(?:kept|keep(?:s|ing)?)\b/i],
  [/\bkeep|\bkept\b/i, /\b(?:sold|gave away|given away|threw (?:it )?away)\b/i],
]

/** Whether a sentence says the opposite of what is asked: `was renewed`, of what was cancelled. */
function saysOpposite(question: string, sentence: string): boolean {
  return OPPOSITES.some(([asked, opposite]) => asked.test(question) && opposite.test(sentence) && !asked.test(sentence))
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
function closestClause(text: string, content: readonly QueryTerm[]): string {
  const held = (clause: string) => heldShare(content, wordsOf(clause, content))
  return text.split(CLAUSES).toSorted((a, b) => held(b) - held(a))[0] ?? text
}

/** Hashes of the words of a text, and of those of the question that are of the same root: `renewed` for `the renewal`. */
function wordsOf(text: string, content: readonly QueryTerm[] = []): ReadonlySet<number> {
  const terms = analyze(withVerbs(text))
  const related = content.filter(({ term }) => terms.some((other) => isSameRoot(term, other)))
  return new Set([...terms.map(hashTerm), ...related.map(({ hash }) => hash)])
}

function isSameRoot(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= LEAST_ROOT && long.length - short.length <= MOST_ENDING && long.startsWith(short)
}

function heldShare(content: readonly QueryTerm[], held: ReadonlySet<number>): number {
  let [sum, total] = [0, 0]
  for (const { hash, typed, weight } of content) {
    total += weight
    // A guessed spelling confirms nothing.
    if (held.has(typed === undefined ? hash : hashTerm(typed))) sum += weight
  }
  return total === 0 ? 0 : sum / total
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
  const held = new Set([...wordsOf(`${passage.text} ${passage.speaker ?? ''}`), ...passage.headings])
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
