import { analyze } from '../../../lib/analyze.ts'
import { isNoEnglish } from '../../../lib/english-words.ts'
import type { AnswerKind } from '../../question/answer-kind.ts'
import type { AnswerSentence, AskedQuestion } from './answer-sentence.ts'
import { NEGATES } from './denials.ts'

const ASKS_DUTY =
  /\b(?:I|we|you) (?:still )?(?:have|need|had|ought) to (\p{L}+)|\b(?:(?:am|are|was|were) (?:I|we|you) (?:supposed|meant) to|(?:should|must|shall) (?:I|we|you)) (\p{L}+)/iu
const OPEN: ReadonlySet<AnswerKind> = new Set(['other', 'list'])
/** Verbs that say next to nothing about the task. */
const EMPTY = new Set(analyze('do make get go be have take know use want'))
/** Maximum score difference of a sentence with the verb from the best one, which often has the names of the question. */
const NEARLY_AS_GOOD = 3

/** `What is Ravi supposed to do before the pilot?` */
const ASKS_DUTY_OF =
  /\b(?:(?:is|was|does|did|has) (\p{Lu}[\p{L}\p{M}'’-]+)(?: \p{Lu}[\p{L}\p{M}'’-]+)? (?:still )?(?:supposed|meant|expected|have|need|got) to|(?:should|must) (\p{Lu}[\p{L}\p{M}'’-]+)(?: \p{Lu}[\p{L}\p{M}'’-]+)? do)\b/u

/** The term of whose duty a question asks for. */
function dutyOf({ text, kind }: Pick<AskedQuestion, 'text' | 'kind'>): string | undefined {
  const [, first, second] = OPEN.has(kind) ? (ASKS_DUTY_OF.exec(text) ?? []) : []
  return analyze(first ?? second ?? '')[0]
}

/** `Who was supposed to bring samples to Priya?`, `Who has to check the alarm?` */
const ASKS_WHOSE_DUTY =
  /^\W*(?:and |so )?who(?:['’]s (?:to|going to|supposed to)| (?:should|will|must|has to|had to|needs to|(?:is|was) (?:to|going to|supposed to|meant to|asked to))) \p{L}/iu
/** The least share of the question in the line of whose task it is. */
const LEAST_OF_TASK = 0.6

/** Whether a line of a list gives a task to whose duty is asked for: `Ravi: second till for the pilot`. */
export function assignsTo({ text, features }: AnswerSentence, question: Pick<AskedQuestion, 'text' | 'kind'>): boolean {
  if (question.kind === 'person' && ASKS_WHOSE_DUTY.test(question.text))
    return features.coverage >= LEAST_OF_TASK && isNameInFront(text)
  const asked = dutyOf(question)
  const assigned = asked === undefined || features.coverage === 0 ? undefined : ASSIGNED.exec(text)?.[1]
  return assigned !== undefined && analyze(assigned).includes(asked!)
}

/** `Yesenia: 3 samples`; not `Balance: 300 euros`. */
function isNameInFront(text: string): boolean {
  return isNoEnglish(ASSIGNED.exec(text)?.[1] ?? '')
}

/** `Ravi: `, `Ravi and Kofi: ` */
const ASSIGNED = /^((?:\p{Lu}[\p{L}\p{M}'’-]+(?:,? and |, | & |\/| )?){1,4}):\s+\S/u

/** The sentences with a line at the start that gives such a task, and has as much of the question as the best one. */
function assignedFirst(
  sentences: readonly AnswerSentence[],
  question: Pick<AskedQuestion, 'text' | 'kind'>,
): readonly AnswerSentence[] {
  const [best] = sentences
  const line = sentences.find(
    (one) =>
      assignsTo(one, question) &&
      one.score >= best!.score - NEARLY_AS_GOOD &&
      one.features.coverage >= best!.features.coverage * LEAST_OF_DUTY,
  )
  if (line === undefined) return sentences
  return [{ ...line, score: best!.score + CLEARLY_AHEAD }, ...sentences.filter((one) => one !== line)]
}

/** The least share of the question in such a line, relative to the best sentence. */
const LEAST_OF_DUTY = 0.75
/** How far ahead it is, so that nothing else is quoted with it. */
const CLEARLY_AHEAD = 1

/**
 * Starts with a sentence of the best passage that has the verb of what is to be done, if the best one lacks it and is hardly
 * better: `Please bring the form` for `What do I have to bring to the meeting?`, not when the meeting is.
 */
export function dutyFirst(sentences: readonly AnswerSentence[], question: AskedQuestion): readonly AnswerSentence[] {
  const { kind, text } = question
  if (dutyOf(question) !== undefined) return assignedFirst(sentences, question)
  const [best] = sentences
  const [, first, second] = ASKS_DUTY.exec(text) ?? []
  const [verb] = analyze(first ?? second ?? '')
  if (best === undefined || verb === undefined || EMPTY.has(verb) || !OPEN.has(kind)) return sentences
  const hasVerb = (one: AnswerSentence) => one.features.isQuestion === 0 && analyze(one.text).includes(verb)
  const canLead = (one: AnswerSentence) =>
    one.passage === best.passage && one.score >= best.score - NEARLY_AS_GOOD && !NEGATES.test(one.text)
  const asked = hasVerb(best) ? undefined : sentences.find((one) => hasVerb(one) && canLead(one))
  if (asked === undefined) return sentences
  return [{ ...asked, score: best.score }, ...sentences.filter((one) => one !== asked)]
}
