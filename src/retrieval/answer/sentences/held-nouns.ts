import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { sentencesOf } from '../../../lib/sentences.ts'
import type { ChunkRow } from '../../../store/search/search.ts'
import { type AnswerKind, holdsKind, MEASURED_KINDS } from '../../question/answer-kind.ts'
import { isQuestion } from '../../question/question-form.ts'
import type { AnswerPassage, AnswerSentence, AskedQuestion } from './answer-sentence.ts'
import { suitsAskedTime } from './asked-moment.ts'
import { askedNouns, isHeldInAnyForm } from './asked-nouns.ts'
import { leavesOpen } from './left-open.ts'

/** Kinds of questions that are answered without their words. */
const OTHERWISE: ReadonlySet<AnswerKind> = new Set(['yes-no', 'list'])

/** What was found for a question, and its sentences, best first. */
interface Found {
  readonly question: AskedQuestion
  readonly passages: readonly AnswerPassage[]
  readonly sentences: readonly AnswerSentence[]
  /** One for each passage. */
  readonly read: readonly { readonly row: Pick<ChunkRow, 'itemKey'> }[]
  readonly isReplied: boolean
}

/** Whether the best sentence is of what a question in another language names, and states it; true for questions in English. */
export function isOfAskedNouns(found: Found): boolean {
  const {
    question,
    passages,
    sentences: [best],
    isReplied,
  } = found
  if (question.locale === undefined || best === undefined) return true
  const passage = passages[best.passage]!
  if (leavesOpen(best, question, passage)) return false
  if (isReplied) return true
  const isValue = MEASURED_KINDS.has(question.kind)
  if (isValue && (best.features.isQuestion === 1 || isOfWhatPrecedes(best, question, passage))) return false
  return OTHERWISE.has(question.kind) || holdsNouns(best, found)
}

/**
 * Whether the nouns of a question are in the passage of a sentence, around it, or in what else was found of that talk or thread.
 * Other words stand for a noun, and one part of a compound for all of it.
 */
function holdsNouns({ passage }: AnswerSentence, found: Found): boolean {
  const { people } = found.question
  const nouns = askedNouns(found.question).map((terms) => terms.filter(({ term }) => !people.has(term)))
  const named = nouns.filter(({ length }) => length > 0)
  if (named.length === 0) return true
  const held = wordsOfTalk(passage, found)
  return named.every((terms) => terms.some((term) => isHeldInAnyForm(term, held)))
}

/** Hashes of the words of a passage, of those around it, and of the others of its item or mail thread. */
function wordsOfTalk(at: number, { passages, read }: Pick<Found, 'passages' | 'read'>): ReadonlySet<number> {
  const { subject, headings, near } = passages[at]!
  const { itemKey } = read[at]!.row
  const isOfThread = (other: AnswerPassage) =>
    subject.size > 0 && subject.size === other.subject.size && subject.isSubsetOf(other.subject)
  const together = passages.filter((other, i) => read[i]!.row.itemKey === itemKey || isOfThread(other))
  const words = together.map(({ title = '', speaker = '', text }) => `${title} ${speaker} ${text}`)
  return hashesOf(words.join(' ')).union(headings).union(near)
}

/**
 * Whether a value stands before all that names what is asked for, and what names it has no value: `Total 421 €. The dampers
 * are fine.` says nothing of what the dampers cost.
 */
function isOfWhatPrecedes(
  { text, position }: AnswerSentence,
  question: AskedQuestion,
  { text: whole, title = '', speaker = '', headings, before }: AnswerPassage,
): boolean {
  const nouns = askedNouns(question).flat()
  const holdsNoun = (held: ReadonlySet<number>) => nouns.some((noun) => isHeldInAnyForm(noun, held))
  const sentences = sentencesOf(whole, 'joined')
  const named = hashesOf(`${title} ${speaker} ${text} ${sentences.slice(0, position).join(' ')}`)
  if (nouns.length === 0 || holdsNoun(named.union(headings).union(before))) return false
  const later = sentences.slice(position + 1).filter((one) => holdsNoun(hashesOf(one)))
  return later.length > 0 && !later.some((one) => holdsAskedValue(one, question))
}

function holdsAskedValue(text: string, { text: question, kind, locale }: AskedQuestion): boolean {
  return !isQuestion(text) && holdsKind(kind, text, 0, locale) && suitsAskedTime(question, text, locale)
}

function hashesOf(text: string): Set<number> {
  return new Set(analyze(text).map(hashTerm))
}
