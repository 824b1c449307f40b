import { isEventSource } from '../domain/source-type.ts'
import { type AnswerKind, holdsKind } from './answer-kind.ts'
import type { AnswerSentence } from './answer-sentence.ts'
import type { Source } from './evidence.ts'
import type { ReadSentences } from './read-sentences.ts'

/** Kinds of answers of which a pattern recognizes nearly every form. */
const AMOUNTS: ReadonlySet<AnswerKind> = new Set(['money', 'duration', 'age', 'measure', 'size', 'extent'])
/** Maximum score difference of a sentence with the value that the best one lacks. */
const NEARLY_AS_GOOD = 3

/** `since middle school`, `for many many years`, `for ages` */
const VAGUE = /\bsince\b|\b(?:hours|days|weeks|months|years|decades|ages|lifetime|life)\b/i
/** Whether a text has a time span that no number gives. */
function isVague(kind: AnswerKind, text: string): boolean {
  return kind === 'duration' && VAGUE.test(text)
}

/** The sentences with the first one that has an amount, a time span or an age at the start, where that is asked for. */
export function valueFirst(sentences: readonly AnswerSentence[], kind: AnswerKind): readonly AnswerSentence[] {
  const [best] = sentences
  if (best === undefined || !AMOUNTS.has(kind) || best.features.holdsKind === 1 || isVague(kind, best.text))
    return sentences
  const valued = sentences.find(
    ({ score, features }) =>
      features.holdsKind === 1 && features.isQuestion === 0 && score >= best.score - NEARLY_AS_GOOD,
  )
  if (valued === undefined) return sentences
  return [{ ...valued, score: best.score }, ...sentences.filter((one) => one !== valued)]
}

/** Whether the first line has what is asked for, where that is an amount, a time, a time span, an age or a person. */
export function holdsValue(ranked: ReadSentences, leading: readonly Source[]): boolean {
  const { question, read, passages } = ranked
  const { kind } = question
  if (kind === 'person') return namesSomebody(ranked, leading)
  if (!AMOUNTS.has(kind) && kind !== 'time') return true
  return leading.some(({ row, answer }) => {
    const at = read.findIndex((one) => one.row.chunkId === row.chunkId)
    const text = answer ?? passages[at]?.text ?? ''
    // Sentences with a day of their own state when something was, and events have one in their fields.
    if (kind === 'time' && (row.at !== undefined || isEventSource(row.sourceType))) return true
    if (kind === 'measure' || kind === 'extent') return isMeasured(ranked, at, text)
    return holdsKind(kind, text, 0) || isVague(kind, text)
  })
}

/** Whether the sentence with the measure is about what is asked: `Swam 1200 m` says nothing of the pool. */
function isMeasured({ sentences, passages, question }: ReadSentences, passage: number, shown: string): boolean {
  const isTurn = passages[passage]?.isTurn === true
  return sentences.some(
    (one) =>
      one.passage === passage &&
      shown.includes(one.text) &&
      holdsKind(question.kind, one.text, 0) &&
      (one.features.coverage > 0 || (isTurn && one.features.around > 0)),
  )
}

const IS_SOMEBODY = /\b(?:I|we|you|he|she|they|my|our|your|his|her|their)\b/i

/** Whether the first line says who, as what somebody says or is invited to always does: `repair the gutter` doesn't. */
function namesSomebody({ read, sentences, passages }: ReadSentences, leading: readonly Source[]): boolean {
  return leading.some(({ row, lead = [] }) => {
    const at = read.findIndex((one) => one.row.chunkId === row.chunkId)
    if (passages[at]?.isTurn !== false || isEventSource(row.sourceType)) return true
    return sentences.some(
      ({ passage, position, text, features }) =>
        passage === at &&
        lead.some((one) => one.position === position) &&
        (features.holdsKind === 1 || IS_SOMEBODY.test(text)),
    )
  })
}
