import { statementsOf } from './deciding-sentence.ts'
import type { Source } from './evidence/evidence.ts'
import type { ReadSentences } from './evidence/read-sentences.ts'
import { boxState } from './forms/open-boxes.ts'
import { isOfNamesake, STATES_QUESTION } from './likely-answer.ts'
import type { AskedQuestion } from './sentences/answer-sentence.ts'
import { repliedWord } from './sentences/replied-verdict.ts'
import { yesOrNo } from './sentences/yes-or-no.ts'

/** Before a task that is asked about and not checked off. */
const NOT_DONE = 'Not checked off: '

/** `No: ` before a stored answer such as `Not yet`; nothing before one that begins with the word. */
export function pairedVerdict({ kind, text }: AskedQuestion, [pair]: readonly Source[]): string | undefined {
  if (kind !== 'yes-no' || pair === undefined) return undefined
  const { answer = '' } = pair
  const word = repliedWord(answer, text)
  if (word === undefined) return undefined
  return /^\W*(?:yes|no)\b/i.test(answer) ? '' : `${word}: `
}

/** `No: ` before the sentence that denies what is asked. */
export function leadVerdict(read: ReadSentences, [lead]: readonly Source[], userName?: string): string | undefined {
  if (read.question.kind !== 'yes-no' || lead === undefined || isOfNamesake(read)) return undefined
  const statements = statementsOf(read)
  const first = statements.find(({ sentence }) => read.read[sentence.passage]!.row === lead.row)
  if (first === undefined) return undefined
  const { sentence, passage } = first
  const isOpenTask = boxState(passage.text, sentence.text) === 'open'
  if (isOpenTask && sentence.features.coverage >= STATES_QUESTION) return NOT_DONE
  const word = yesOrNo(read.question, [first, ...statements.filter((one) => one !== first)], userName)
  return word === undefined ? undefined : `${word}: `
}
