import type { AnswerPassage, AnswerSentence, AskedQuestion } from './answer-sentence.ts'
import { AGENT, askedSpeaker } from './asked-speaker.ts'

const KNOWS_NOTHING =
  /^\W*(?:(?:sorry|unfortunately|no|well|hm+)[,.]? )?I (?:do not|don['’]?t|can ?not|can['’]?t) (?:know\b|access\b|tell\b|look up\b|have (?:\p{L}+ ){0,4}(?:here|access|information|records?|details|in (?:my|this)\b))/iu
const IS_AGENT = /^(?:ai|bot)$/i

/** Whether an agent says that it doesn't know, where its words aren't asked for: `I don't have tide tables here`. */
export function isUnknownToAgent(
  { text }: AnswerSentence,
  { text: question }: AskedQuestion,
  { speaker = '' }: AnswerPassage,
): boolean {
  const isAgent = AGENT.test(speaker) || IS_AGENT.test(speaker)
  return isAgent && askedSpeaker(question) !== 'agent' && KNOWS_NOTHING.test(text)
}
