import type { AnswerSentence, AskedQuestion } from './answer-sentence.ts'
import { DENIES, NEGATES, saysOpposite } from './denials.ts'
import { asksStill } from './ended-state.ts'
import { type Statement, verdict } from './sentence-verdict.ts'

/** A sentence that says the opposite and scores hardly less leaves it open. */
const AS_GOOD = 1.5
/** Maximum score difference of a sentence that decides what the best one leaves open. */
const NEARLY_AS_GOOD = 3
const STATES_WORD = /^\W*(?:yes|no)\b/i

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
