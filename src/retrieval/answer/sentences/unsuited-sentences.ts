import { isEventSource } from '../../../domain/source-type.ts'
import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { sentencesOf } from '../../../lib/sentences.ts'
import { type AnswerKind, holdsKind } from '../../question/answer-kind.ts'
import { asksHow } from '../../question/question-form.ts'
import { asksForCommand } from '../../recall/code-lines.ts'
import { describesAddressee } from './about-others.ts'
import { type AnswerPassage, type AnswerSentence, ASKS_SAID, type AskedQuestion, isSection } from './answer-sentence.ts'
import { ASKS_MAKER, saysMaker } from './asked-maker.ts'
import { askedSettings, isOfOtherSetting } from './asked-setting.ts'
import { REPORTS } from './asked-speaker.ts'
import { continuesWithInstruction, instructs } from './instructions.ts'
import { introduces, listBelow } from './list-below.ts'
import { namesListed } from './listed-noun.ts'
import { isOfNobody, isOfThirdPerson } from './owner-question.ts'

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
/** Words of a sentence that tells how to do something. */
const LEAST_WORDS = 3
/** Penalty of a sentence that can't answer: one and a half times the weight of the requested kind of answer. */
const UNSUITED = 3
/** Penalty of a document for a question about its owner, and of a label: behind nearly anything else. */
const UNRELATED_PENALTY = 6

/** Ranks sentences of events and lists of pages that can't have the answer behind the others. */
export function suitedFirst(
  sentences: readonly AnswerSentence[],
  question: AskedQuestion,
  passages: readonly AnswerPassage[],
): readonly AnswerSentence[] {
  const settings = askedSettings(question.text)
  const weighed = sentences.map((sentence) => {
    const passage = passages[sentence.passage]!
    if (isSection(passage) && asksHow(question.text) && isLabel(sentence.text)) {
      return { ...sentence, score: sentence.score - UNRELATED_PENALTY }
    }
    if (isUnsuited(sentence, question, passage) || describesAddressee(sentence, question, passage))
      return { ...sentence, score: sentence.score - UNSUITED }
    if (isOfNobody(question.text, passage)) return { ...sentence, score: sentence.score - UNRELATED_PENALTY }
    const isOther = isSection(passage) && isOfOtherSetting(settings, sentence.text, passage.headings)
    return isOther || statesNothing(sentence, question, passage)
      ? { ...sentence, score: sentence.score - UNSUITED }
      : sentence
  })
  return weighed.toSorted((a, b) => b.score - a.score)
}

interface PassageContent {
  readonly sentences: readonly string[]
  /** Hashes of its words and those of its headings. */
  readonly words: ReadonlySet<number>
}

/** What each passage holds, which is asked for once for each of its sentences. */
const contents = new WeakMap<AnswerPassage, PassageContent>()

function readPassage(passage: AnswerPassage): PassageContent {
  const known = contents.get(passage)
  if (known !== undefined) return known
  const { text, headings } = passage
  const content = {
    sentences: sentencesOf(text, 'joined'),
    words: headings.union(new Set(analyze(text).map(hashTerm))),
  }
  contents.set(passage, content)
  return content
}

/** Whether a sentence of documentation only introduces what isn't quoted, or is of a part without a name of the question. */
function statesNothing({ text }: AnswerSentence, question: AskedQuestion, passage: AnswerPassage): boolean {
  if (!isSection(passage)) return false
  const { words } = readPassage(passage)
  if ([...question.names].some((name) => !words.has(hashTerm(name)))) return true
  if (question.kind === 'list' && !namesListed(text, question.text)) return true
  return (
    question.kind !== 'other' &&
    !asksForCommand(question.text) &&
    introduces(text) &&
    listBelow(text, passage.text).length === 0
  )
}

/** `src` of a link, `rotate 7` of a configuration. */
function isLabel(sentence: string): boolean {
  return (sentence.match(/[\p{L}\d]+/gu) ?? []).length < LEAST_WORDS && !sentence.includes('`')
}

const EVENT_LINE = /\b(?:What|When|Where): .*?(?=\b(?:When|Where|With): |\n|$)/gs

/** Whether the description of an event tells who does something: `Colin drives.` */
function describesSomebody(event: string): boolean {
  return sentencesOf(event.replace(EVENT_LINE, ''), 'joined').some((sentence) => holdsKind('person', sentence, 0))
}

/** Whether a sentence is of an event or a list of pages that can't have the answer, or of documentation and says nothing of how to do what is asked. */
export function isUnsuited(
  { features, text: own, position }: AnswerSentence,
  question: AskedQuestion,
  passage: AnswerPassage,
): boolean {
  const { kind, text } = question
  if (isOfThirdPerson(own, question, passage)) return true
  if (asksHow(text) && isSection(passage))
    return !instructs(own, text) && !continuesWithInstruction(readPassage(passage).sentences[position + 1], text)
  if (ASKS_MAKER.test(text) && isSection(passage)) return features.around < 1 || !saysMaker(own)
  // Why something happened, of which the passage says next to nothing, is the reason of something else.
  if (kind === 'reason' && features.around < LEAST_OF_REASON) return true
  const isEvent = isEventSource(passage.sourceType)
  if (!isEvent && passage.sourceType !== 'browser') return false
  // The day on which it is serviced is not that on which it was installed.
  const isOther = kind === 'time' && ASKS_DONE.test(text) && features.around < 1
  const isDeed = kind === 'time' && ASKS_DEED.test(text) && features.around < 1
  if (!isEvent) return (isOther || isDeed) && !ASKS_READING.test(text)
  // An event with somebody is nothing that they said.
  if (ASKS_SAID.test(text) && !REPORTS.test(passage.text)) return true
  if (kind === 'yes-no') return features.around < 1
  if (kind === 'person') return !NAMES_PEOPLE.test(passage.text) && !describesSomebody(passage.text)
  return (
    isOther || (NOT_OF_EVENTS.has(kind) && !holdsKind(kind, passage.text.replace(WHEN_LINE, ''), 0, question.locale))
  )
}
