/** What a question is about, before the question itself: `Xmas do - what date is it now?` */
const TOPIC =
  /^\W*((?!(?:when|where|who|what|which|how|why|is|are|was|were|did|does|do|can|hey|hi|hello|ok(?:ay)?|please|claude|codex|cursor)\b)[^?:–—]{3,60}?)(?: [-–—] |: )((?:when|where|who|what|which|how|why|is|are|was|were|did|does|do)\b[^?]{3,})\??\W*$/i
const PRONOUN = /\b(?:it|that|this|they|them)\b(?! (?:of|is that)\b)/i

/** A question whose topic stands before it, with the topic in its place: `what date is Xmas do now?`; any other as it is. */
export function topicInPlace(question: string): string {
  const [, topic, asked] = TOPIC.exec(question) ?? []
  if (topic === undefined || asked === undefined) return question
  return PRONOUN.test(asked) ? `${asked.replace(PRONOUN, topic)}?` : `${asked}, ${topic}?`
}
