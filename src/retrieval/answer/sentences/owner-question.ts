import { analyze } from '../../../lib/analyze.ts'
import type { AnswerPassage, AskedQuestion } from './answer-sentence.ts'

/** `What am I reading?`, `Which books did I like?`, `Have I paid?`: of the owner's deeds and states. `How do I` asks anybody. */
const ASKS_OF_OWNER =
  /^\W*(?:(?:and|so|but) )?(?:\p{L}+ ){0,4}?(?:did|have|had|am|was|haven['’]t|didn['’]t|wasn['’]t) I\b(?! (?:to|supposed|meant|able|allowed)\b)/iu
const FIRST_PERSON = /\b(?:I|[Mm](?:e|y|ine|yself)|[Ww]e|us|[Oo]ur(?:s|selves)?)\b/

const OF_ANOTHER = /^\W*(?:he|she|they)(?:['’]s|['’]re|['’]ve| is| was| are| were| has| have| can| does)\b/i
const OF_SPEAKER = /\b(?:am|was) I\b/i

/** Whether somebody else says of a third person what a question asks about its owner: `he's allergic to kiwifruit` to `What am I allergic to?` */
export function isOfThirdPerson(
  text: string,
  { text: question, kind, people }: Pick<AskedQuestion, 'text' | 'kind' | 'people'>,
  { isTurn, speaker = '' }: AnswerPassage,
): boolean {
  const isOwn = analyze(speaker).some((term) => people.has(term))
  return isTurn && !isOwn && kind === 'other' && OF_SPEAKER.test(question) && OF_ANOTHER.test(text)
}

/** Whether a passage is of a document in which nobody speaks of themselves, although a question asks about its owner. */
export function isOfNobody(question: string, { text, sourceType, isTurn }: AnswerPassage): boolean {
  return !isTurn && sourceType === 'technical_docs' && ASKS_OF_OWNER.test(question) && !FIRST_PERSON.test(text)
}
