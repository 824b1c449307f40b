import { hasVerb } from './reported-speech.ts'
import { VERBS } from './speech-acts.ts'

/** `The chapel never got its share, could you check that?`, `The label is wrong, please correct it`. */
const REQUEST_BEHIND = new RegExp(
  `^(.{8,}), (?:(?:so|and|but) )?((?:(?:can|could|would|will) you (?:please |maybe |also )*(?:${VERBS})\\b[^,]*\\?|please (?:do not |don['’]t |never )?[a-z]{2,} .+))$`,
  'i',
)
/** `I'm going on Monday, is that too late?` */
const QUESTION_BEHIND =
  /^(.{8,}), (?:(?:so|and|but) )?((?:is|are|was|were|would|will|does|do|did|has|have|can|could|should) (?:that|it|this|you|we|they) [^,]+\?)$/i
/** `Rhian can you draft something by Friday and I'll show it to the others` */
const PROMISE_BEHIND =
  /^((?:@?\p{Lu}[\p{L}'’-]+,? )?(?:[Cc]an|[Cc]ould|[Ww]ould|[Ww]ill) you (?![^?]*\b(?:if|whether|that|tell|ask)\b)(?:please )?[a-z]{2,} [^,?]{3,}?),? and (I['’]ll [^?]+?)[?.!]*$/u
/** `Please don't tell them yet, we may drop it`. */
const REASON_BEHIND =
  /^((?:please (?:do not |don['’]t |never )?|(?:can|could|would|will) you (?:please )?)[a-z]{2,} [^,]{4,}), ((?:we|I|they|it|he|she|there)(?:['’](?:ll|ve|re|d|s|m)| [a-z]+) .+)$/i
/** Half of a sentence belongs to the request behind it: `If it rains, please call`. */
const HALF =
  /^(?:if|when|whenever|while|after|before|as|once|until|unless|because|since|although|in case|whoever|whatever|whichever|anyone who|those who|also|hi|hello)\b/i
/** Checked first because that is much faster. */
const MAY_HOLD =
  /, (?:(?:so|and|but) )?(?:please|(?:is|are|was|were|do|does|did|has|have|can|could|would|will|should) (?:you|that|it|this|we|they)\b)|^(?:please|(?:can|could|would|will) you)\b.*, /i

/** A statement and the request or question attached to it as two sentences, so that neither is lost with the other. */
export function requestsApart(sentence: string): string[] {
  const [, wanted, promised] = PROMISE_BEHIND.exec(sentence) ?? []
  if (wanted !== undefined && promised !== undefined) return [`${wanted}?`, `${promised}.`]
  if (!MAY_HOLD.test(sentence)) return [sentence]
  const [, statement, request] = REQUEST_BEHIND.exec(sentence) ?? QUESTION_BEHIND.exec(sentence) ?? []
  if (statement !== undefined && request !== undefined && hasVerb(statement) && !HALF.test(statement))
    return [`${statement}.`, capitalized(request)]
  const [, asked, reason] = REASON_BEHIND.exec(sentence) ?? []
  if (asked === undefined || reason === undefined || !hasVerb(reason)) return [sentence]
  return [`${asked}${/^please/i.test(asked) ? '.' : '?'}`, capitalized(reason)]
}

/** `Could you check that?` says nothing without the statement before it. */
export function needsStatement(request: string): boolean {
  return NEEDS.test(request)
}
const NEEDS = /\b(?:it|that|this|them|those|one|him|her)\b(?! [a-z]+s?\b.{12})/i

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
