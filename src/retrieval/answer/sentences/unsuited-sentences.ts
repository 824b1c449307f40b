import { isEventSource } from '../../../domain/source-type.ts'
import { type AnswerKind, holdsKind } from '../../question/answer-kind.ts'
import { describesAddressee } from './about-others.ts'
import type { AnswerPassage, AnswerSentence, AskedQuestion } from './answer-sentence.ts'
import { isOfNobody } from './owner-question.ts'

/**
 * Kinds of answers that an event has only in its description: its title, time, place and people answer none of these.
 */
const NOT_OF_EVENTS: ReadonlySet<AnswerKind> = new Set(['money', 'number', 'code', 'reason', 'age', 'decision'])
/** `When did I read about heat pumps?` is answered by a list of visited pages. */
const ASKS_READING =
  /\b(?:read|look(?:ed)?|search(?:ed)?|visit(?:ed)?|brows(?:e|ed)|open(?:ed)?|see|saw|seen|find|found)\b/i
/** `When was the heat pump installed?` */
const ASKS_DONE = /\b(?:was|were|been|got)\b.*\b\p{L}{2,}ed\b/iu
/** `When did we buy the saw?`: not on the day on which its page was visited. */
const ASKS_DEED = /\bdid (?:I|we|you|\p{L}+) \p{L}/iu
const WHEN_LINE = /\bWhen: .*?(?=\bWhere: |\bWith: |\n|$)/s
const NAMES_PEOPLE = /^With: /m
/** Minimum share of the question in the passage of a reason. */
const LEAST_OF_REASON = 0.4
/** Penalty of a sentence that can't answer: one and a half times the weight of the requested kind of answer. */
const UNSUITED = 3
/** Penalty of a document for a question about its owner: behind nearly anything of the owner. */
const OF_NOBODY = 6

/** Ranks sentences of events and lists of pages that can't have the answer behind the others. */
export function suitedFirst(
  sentences: readonly AnswerSentence[],
  question: AskedQuestion,
  passages: readonly AnswerPassage[],
): readonly AnswerSentence[] {
  const weighed = sentences.map((sentence) =>
    isUnsuited(sentence, question, passages[sentence.passage]!) ||
    describesAddressee(sentence, question, passages[sentence.passage]!)
      ? { ...sentence, score: sentence.score - UNSUITED }
      : isOfNobody(question.text, passages[sentence.passage]!)
        ? { ...sentence, score: sentence.score - OF_NOBODY }
        : sentence,
  )
  return weighed.toSorted((a, b) => b.score - a.score)
}

/** Whether a sentence is of an event or a list of pages that can't have the answer. */
export function isUnsuited(
  { features }: AnswerSentence,
  { kind, text }: AskedQuestion,
  passage: AnswerPassage,
): boolean {
  // Why something happened, of which the passage says next to nothing, is the reason of something else.
  if (kind === 'reason' && features.around < LEAST_OF_REASON) return true
  const isEvent = isEventSource(passage.sourceType)
  if (!isEvent && passage.sourceType !== 'browser') return false
  // The day on which it is serviced is not that on which it was installed.
  const isOther = kind === 'time' && ASKS_DONE.test(text) && features.around < 1
  const isDeed = kind === 'time' && ASKS_DEED.test(text) && features.around < 1
  if (!isEvent) return (isOther || isDeed) && !ASKS_READING.test(text)
  if (kind === 'yes-no') return features.around < 1
  if (kind === 'person') return !NAMES_PEOPLE.test(passage.text)
  return isOther || (NOT_OF_EVENTS.has(kind) && !holdsKind(kind, passage.text.replace(WHEN_LINE, ''), 0))
}
