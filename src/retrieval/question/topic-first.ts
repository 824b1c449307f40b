import { isNoEnglish } from '../../lib/english-words.ts'

/** What a question is about, before the question itself: `Xmas do - what date is it now?` */
const TOPIC =
  /^\W*((?!(?:when|where|who|what|which|how|why|is|are|was|were|did|does|do|can|hey|hi|hello|ok(?:ay)?|please|claude|codex|cursor)\b)[^?:–—]{3,60}?)(?: [-–—] |: )((?:when|where|who|what|which|how|why|is|are|was|were|did|does|do)\b[^?]{3,})\??\W*$/i
/** `Tell me - when is it due?`, `Quick question: ...` */
const NO_TOPIC = /\b(?:I|tell|remind|question|wonder(?:ing)?|sure|sorry|note|btw|help|know|curious)\b/i
const PRONOUN = /\b(?:it|they|them)\b/i

/** A question whose topic stands before it, with the topic in its place: `what date is xmas do now?`; any other as it is. */
export function topicInPlace(question: string): string {
  const [, topic, asked] = TOPIC.exec(question) ?? []
  if (topic === undefined || asked === undefined || NO_TOPIC.test(topic)) return question
  const [word = ''] = /^\p{L}+/u.exec(topic) ?? []
  // A capital would make it a name.
  const subject = isNoEnglish(word) ? topic : `${topic[0]!.toLowerCase()}${topic.slice(1)}`
  return PRONOUN.test(asked) ? `${asked.replace(PRONOUN, () => subject)}?` : `${asked}, ${subject}?`
}
