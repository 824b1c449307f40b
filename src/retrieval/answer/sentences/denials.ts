import { analyze } from '../../../lib/analyze.ts'
import { isSameRoot } from '../../question/held-words.ts'

/** Words that deny something. */
export const DENIES =
  /\b(?:no(?!-(?!one\b)\p{L})|not|never|no longer|nobody|nothing|none|neither|nor|without|cannot|reject(?:s|ed)?|declin(?:es|ed)|refus(?:es|ed)|forbidden|prohibited|cancel(?:l?ed)?|instead of|gave up|(?:decid(?:es?|ed)|advis(?:es?|ed)|vot(?:es?|ed)) against|negative for|(?:is|are|was|were) off(?! (?:to|on|the|sick|work|duty)\b))\b|n['’]t\b/iu
/** What negates any verb; the other words of `DENIES` deny something only where the question doesn't ask for them. */
export const NEGATES =
  /\b(?:no(?!-(?!one\b)\p{L})|not|never|nobody|nothing|none|neither|nor|without|cannot)\b|n['’]t\b/iu
/** What a sentence says there is none of: `has no installer yet`, `without a network`. */
const NONE_OF = /\b(?:no(?! longer\b)|without)\s+([^,.;:()]{1,40})/gi

/** Whether words deny something, other than by the verb that is asked for: `Can I cancel it?`, `cancelled for free`. */
export function deniesAsked(words: string, question: string): boolean {
  if (NEGATES.test(words)) return true
  const denial = DENIES.exec(words)?.[0]
  if (denial === undefined) return false
  const asked = analyze(question)
  return !analyze(denial).some((term) => asked.some((other) => isSameRoot(term, other)))
}

/** Whether words only say that there is none of something that isn't asked for: `Windows has no installer yet`. */
export function lacksSomethingElse(words: string, question: string): boolean {
  const things = [...words.matchAll(NONE_OF)].map(([, thing = '']) => thing)
  if (things.length === 0 || DENIES.test(words.replace(NONE_OF, ' '))) return false
  const asked = analyze(question)
  return !things.some((thing) => analyze(thing).some((term) => asked.some((other) => isSameRoot(term, other))))
}

const SUBJECT =
  /^\W*(?:(?:and|but|so|note|that|because|since|as)\W+)*([^,;:]{0,80}?)\s(?:(?:is|are|was|were|does|do|did|can|could|will|would|should|has|have|must|may)(?:n['’]t| not| never)|cannot|never)\b/iu
const PRONOUN = /\b(?:it|this|that|these|those|they|there|you|we|i|he|she|one)$/iu

const CONDITION = /\b(?:when|while|if|unless|until|once|where)\b/i

/** Whether a clause whose main part lacks a word of the question denies something of another subject: `The callback is not available in hooks`. */
export function deniesAnotherSubject(clause: string, question: string): boolean {
  const subject = SUBJECT.exec(clause)?.[1] ?? ''
  const terms = PRONOUN.test(subject) ? [] : analyze(subject)
  const asked = analyze(question)
  const isShared = (term: string, others: readonly string[]) =>
    others.some((other) => term === other || isSameRoot(term, other))
  const isOfOther = terms.length > 0 && !terms.some((term) => isShared(term, asked))
  const [main = ''] = clause.split(CONDITION)
  const held = analyze(main)
  return isOfOther && asked.some((term) => !isShared(term, held))
}

/** Verbs that exclude each other, as far as one thing is concerned. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/\bcancel(?:l?(?:ed|ing))?\b|\bquit\b|\bterminat/i, /\b(?:renew(?:ed|s)?|extend(?:ed|s)?|prolong(?:ed|s)?)\b/i],
  [/\baccept(?:ed|ing)?\b|\bapprov/i, /\b(?:declin|refus|reject|turn(?:ed|s)? (?:it |them )?down)\p{L}*/iu],
  [/\bdeclin|\brefus|\breject|\bturn(?:ed|ing)?\b.*\bdown\b/i, /\b(?:accept(?:ed|s)?|approved?)\b/i],
  [/\bs(?:ell|old|elling)\b|\bg(?:ive|ave) (?:\S+ )?away\b/i, /\b(?:kept|keep(?:s|ing)?)\b/i],
  [
    /^\W*(?:is|are)\b.*\benabled\b/i,
    /^(?!.*\benabled\b).*\b(?:is|are) (?:\p{L}+ )?disabled\b(?! (?:if|when|while|unless|for|in|on)\b)/iu,
  ],
  [
    /^\W*(?:is|are)\b.*\bdisabled\b/i,
    /^(?!.*\bdisabled\b).*\b(?:is|are) (?:\p{L}+ )?enabled\b(?! (?:if|when|while|unless|for|in|on)\b)/iu,
  ],
  [/\bkeep|\bkept\b/i, /\b(?:sold|gave away|given away|threw (?:it )?away)\b/i],
]

/** Whether a sentence says the opposite of what is asked: `was renewed`, of what was cancelled. */
export function saysOpposite(question: string, sentence: string): boolean {
  return OPPOSITES.some(([asked, opposite]) => asked.test(question) && opposite.test(sentence) && !asked.test(sentence))
}
