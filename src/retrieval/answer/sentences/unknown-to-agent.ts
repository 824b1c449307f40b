import type { AnswerPassage, AnswerSentence } from './answer-sentence.ts'
import { AGENT } from './asked-speaker.ts'

const KNOWS_NOTHING =
  /^\W*(?:(?:sorry|unfortunately|no|well|hm+)[,.]? )?I (?:do not|don['’]?t|can ?not|can['’]?t) (?:have|know|see|find|access|tell|check|look)\b/i
const IS_AGENT = /^(?:ai|bot)$/i

/** Whether an agent says that it doesn't know: `I don't have tide tables here`. */
export function isUnknownToAgent({ text }: AnswerSentence, { speaker = '' }: AnswerPassage): boolean {
  return (AGENT.test(speaker) || IS_AGENT.test(speaker)) && KNOWS_NOTHING.test(text)
}
