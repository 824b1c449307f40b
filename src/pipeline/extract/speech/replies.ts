import { endsWithQuestion, spokenSentences } from './spoken-sentences.ts'

/** An utterance, as far as what stands around it matters. */
interface Said {
  readonly speaker: string | undefined
  readonly text: string
}

/** Whether the utterance follows a question of somebody else, or the sentence that explains it. */
export function repliesTo(utterance: Said, before: Said | undefined): boolean {
  if (before === undefined || before.speaker === utterance.speaker) return false
  return /[?？][^?？]{0,120}$/.test(before.text) || endsWithQuestion(before.text)
}

/** The one of several people who answers a question to "you", or takes on what it asks for, and so was asked; the speaker. */
export function answererOf({ speaker, text }: Said, next: Said | undefined): string | undefined {
  const asksYou = /\byou\b[^?]*\?\s*$/i.test(text)
  if (!asksYou || next === undefined || next.speaker === speaker) return undefined
  const isTaken = takesOn(text, next.text)
  return isTaken || ANSWERS.test(next.text) ? next.speaker : undefined
}
const ANSWERS = /^(?:(?:oh|well|hm+|ah|sorry|so)[, ]+)?(?:yes|yeah|yep|yup|no|nope|not yet|sure)\b/i
const REQUEST = /\b(?:can|could|would|will) you (?:please |maybe |also |both )*(\p{L}*)[^?]*\?\s*$/iu

/** Whether the reply is about what the request asks for; whoever a request names at its end may not be who speaks next. */
function takesOn(request: string, reply: string): boolean {
  const verb = REQUEST.exec(request)?.[1]?.toLowerCase()
  if (verb === undefined || NAMED_AT_END.test(request)) return false
  const [, own, object] = OWN_DEED.exec(reply) ?? []
  if (own !== undefined) return object !== undefined || [verb, 'do', 'send'].includes(own.toLowerCase())
  return TAKES_ON.test(reply)
}
const NAMED_AT_END = /, \p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?\?\s*$/u
/** `I'll send`, `I can check it`, but not `I can't`. */
const OWN_DEED =
  /^(?:(?:oh|well|ah|so|and|ok|okay|of course|no problem)[,.! ]+)*I(?:['’]ll| will| can(?!['’]?t|not))(?! be\b) (?:\p{L}+ly |just |also )?(\p{L}+)(?: (it|that|this|them)(?!\p{L}))?/iu
const TAKES_ON =
  /^(?:(?:oh|well|ah|so|and)[, ]+)?(?:I (?:can|will)[.!]*$|will do\b|(?:okay|ok|done)[.!]*$|(?:on it|consider it done|of course|no problem|happy to|with pleasure)\b)/i

/** Whether only one sentence says anything, so that whoever it asks is who all of it is said to. */
export function isOneRequest({ text }: Said): boolean {
  return REQUEST.test(text) && spokenSentences(text, true).filter((sentence) => / \S+ /.test(sentence)).length === 1
}

/** `Yep` to `Can everybody hear me?` */
export function confirmsNothing({ text }: Said, before: Said, isChatter: (sentence: string) => boolean): boolean {
  return BARE_YES.test(text) && spokenSentences(before.text, true).every(isChatter)
}
const BARE_YES = /^(?:yes|yeah|yep|yup|no|nope)[\s.!]*$/i

/** `Parfait merci` with more messages below it: they are about something else than what was asked. */
export function goesOn({ text }: Said, isChatter: (sentence: string) => boolean): boolean {
  const [first = '', ...others] = text.split('\n\n')
  return others.length > 0 && !YES_OR_NO.test(first) && spokenSentences(first, true).every(isChatter)
}
const YES_OR_NO = /^(?:yes|yeah|yep|yup|no|nope|ja|nein|oui|non|sí|はい|いいえ|是|不)(?![\p{L}])/iu
