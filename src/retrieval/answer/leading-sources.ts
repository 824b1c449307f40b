import { isEventSource } from '../../domain/source-type.ts'
import type { ChunkRow } from '../../store/search/search.ts'
import type { AnswerKind } from '../question/answer-kind.ts'
import { asksHow } from '../question/question-form.ts'
import { clipWords } from '../recall/quote-text.ts'
import { type Evidence, replacedTime, type Source } from './evidence/evidence.ts'
import type { ReadSentences } from './evidence/read-sentences.ts'
import { fittingSentences, type LeadSentence, quotationText } from './lead-quotation.ts'
import { type AnswerPassage, type AnswerSentence, COUNTS, isComplete, isSection } from './sentences/answer-sentence.ts'
import { isOfAsked } from './sentences/asked-speaker.ts'
import { askedFirst } from './sentences/asked-version.ts'
import { DENIES } from './sentences/denials.ts'
import { continuesWithInstruction } from './sentences/instructions.ts'
import { entriesOf } from './sentences/labeled-items.ts'
import { askedLines } from './sentences/labeled-lines.ts'
import { listBelow } from './sentences/list-below.ts'
import { namesListed } from './sentences/listed-noun.ts'
import { besideLimits, MOST_LISTED_CHARACTERS, sentenceWindow } from './sentences/sentence-window.ts'

/** Maximum sentences in a list answer. */
export const MOST_LISTED = 8
/** Maximum characters of a sentence with its neighbors. */
const MOST_WINDOW = 320
/** Characters of one passage's sentences in a list. */
const MOST_LISTED_OF_ONE = 320
/** Characters of a list with the sentence above it. */
const MOST_ENTRY = 500
/** Limits that leave out no neighbor. */
const WHOLE = { after: Number.POSITIVE_INFINITY, before: Number.POSITIVE_INFINITY }
/** Minimum share of the question in a sentence, relative to the best sentence of its passage. */
const LEAST_COVERAGE = 1 / 3
/** Characters of all sentences of a list. */
export const MOST_LEAD_CHARACTERS = 900
/** Maximum score difference of a further sentence in a list. */
const LISTED_BELOW = 1.5
/** The same where it names what is listed. */
const NAMED_BELOW = 3.5
/**
 * The first line has two sentences of different passages that score nearly alike: for an open answer within 1, for a value
 * within .5. A day, a yes or no, and a speaker are of one sentence.
 */
const MOST_ALIKE = 2
const OPEN: ReadonlySet<AnswerKind> = new Set(['other', 'reason'])
const OPEN_BELOW = 1
const VALUE_BELOW = 0.5
/** The least share of the question in a second sentence of a document, relative to the best sentence. */
const LEAST_LISTED = 0.75
const OF_ONE: ReadonlySet<AnswerKind> = new Set(['time', 'yes-no', 'speaker'])
/** What a sentence of a document states alone: `The fee is 740 euros.` */
const STATED_ALONE: ReadonlySet<AnswerKind> = new Set([
  'time',
  'money',
  'duration',
  'number',
  'frequency',
  'code',
  'age',
  'measure',
  'size',
  'extent',
])
/** A question with more terms often asks for several things. */
const MOST_TERMS_OF_ONE = 8
/** The best sentences with their neighbors: one, or for a list several of different passages. */
export function leadingSources(evidence: Evidence, ranked: ReadSentences): Source[] {
  const { read, newest } = ranked
  const sentences = askedFirst(onSubject(ranked.sentences), ranked, evidence)
  const [best] = sentences
  if (best === undefined) return []
  const { most, below, characters } = leadLimits(ranked)
  const isList = asksForSeveral(ranked)
  // A question is quoted with its reply, which leaves no room for another passage.
  const isAsking = !isList && best.features.isQuestion === 1 && read[best.passage]!.row.kind === 'turn'
  const isNear = (sentence: AnswerSentence) =>
    sentence.score >= best.score - below && isAsTelling(sentence, best, read[sentence.passage]!.row.kind)
  const isEntry = (one: AnswerSentence) => one === best || isEntryOfList(one, isNear(one), ranked)
  const leading: Source[] = []
  let total = 0
  const further = sentences.filter((one) => one === best || one.features.isQuestion === 0)
  for (const sentence of further.filter(isList ? isEntry : isNear)) {
    if (leading.length === (isAsking ? 1 : most)) break
    const { row, position } = read[sentence.passage]!
    const same = leading.findIndex((source) => source.row.chunkId === row.chunkId)
    if (same >= 0) {
      if (isList && isNear(sentence)) leading[same] = withSentence(leading[same]!, sentence)
      continue
    }
    // What held before has a line of its own.
    if (leading.length > 0 && newest.currentOf(row.chunkId) !== undefined) continue
    const replaced = replacedTime(row.chunkId, evidence)
    // A short event stays whole.
    if (leading.length === 0 && isShortEvent(sentence, ranked)) return [{ row, position, ...replaced }]
    const isChange = replaced.replacedAt !== undefined
    const lead = leadSentences(sentence, sentences, ranked, { characters, isChange })
    const answer = quotationText(lead)
    // Different passages can have the same sentence.
    if (leading.some((source) => source.answer === answer)) continue
    total += answer.length
    if (leading.length > 0 && total > MOST_LEAD_CHARACTERS) break
    leading.push({ row, position, answer, lead, ...replaced })
  }
  return leading
}

/** Whether a sentence beside the best is of a turn, or answers as the best does: a document may hold the same words by chance. */
function isAsTelling(
  { features }: AnswerSentence,
  { features: best }: AnswerSentence,
  kind: ChunkRow['kind'],
): boolean {
  const isOfKind = features.holdsKind >= best.holdsKind
  return kind === 'turn' || (isOfKind && features.coverage >= best.coverage * LEAST_LISTED)
}

/** Whether a sentence is a further entry of a list: nearly as good as the best or with the listed noun, and of whom is asked about. */
function isEntryOfList(sentence: AnswerSentence, isNear: boolean, ranked: ReadSentences): boolean {
  const { passages, question } = ranked
  const [best] = ranked.sentences
  if (isSection(passages[sentence.passage]!))
    return isListed(sentence, ranked) && sentence.features.coverage >= best!.features.coverage * LEAST_LISTED
  return (isNear || isListed(sentence, ranked)) && isOfAsked(sentence, passages[sentence.passage]!, question)
}

function isShortEvent({ passage }: AnswerSentence, { read, passages }: ReadSentences): boolean {
  return isEventSource(read[passage]!.row.sourceType) && passages[passage]!.text.length <= MOST_WINDOW
}

/** A sentence with the neighbors that continue it, and of its lines those that are asked for. */
function leadSentences(
  sentence: AnswerSentence,
  all: readonly AnswerSentence[],
  { read, question, passages }: ReadSentences,
  { characters: most, isChange }: { readonly characters: number; readonly isChange: boolean },
): LeadSentence[] {
  const { kind } = read[sentence.passage]!.row
  const whole = wholeEntry(sentence, all, passages[sentence.passage]!, question.text)
  if (whole !== undefined) return whole
  const isWhy = question.kind === 'reason' && sentence.features.holdsKind === 0
  const limits = besideLimits(sentence, kind)
  // A replacement often takes two sentences: one about the old state, and one about the new.
  const beside = isChange ? WHOLE : isWhy ? { ...limits, after: WHOLE.after } : limits
  const isValue = STATED_ALONE.has(question.kind) && question.terms.length <= MOST_TERMS_OF_ONE
  const isWhole = isComplete(sentence) || (isValue && sentence.features.holdsKind === 1 && !DENIES.test(sentence.text))
  const isAlone = kind === 'prose' && isWhole && !isChange
  const lead = sentenceWindow(sentence, all, {
    characters: isAlone ? 0 : most,
    ...beside,
    isWhy,
    isDocument: kind === 'prose',
  })
  return lead.map((one) => ({ ...one, text: askedLines(one.text, passages[sentence.passage]!.text, question) }))
}

/** Of documentation: the list that a sentence introduces, or the setting, row or list that it is of. */
function wholeEntry(
  sentence: AnswerSentence,
  all: readonly AnswerSentence[],
  passage: AnswerPassage,
  question: string,
): LeadSentence[] | undefined {
  if (!isSection(passage)) return undefined
  const { text, position } = sentence
  const listed = listBelow(text, passage.text)
  if (listed.length > 0) {
    const items = listed.map((item, i) => ({ text: item, position: position + 1 + i }))
    return [...fittingSentences([{ text, position }, ...items], MOST_ENTRY)]
  }
  const next = all.find((one) => one.passage === sentence.passage && one.position === position + 1)
  if (asksHow(question) && next !== undefined && continuesWithInstruction(next.text, question))
    return [sentence, next].map((one) => ({ text: clipWords(one.text), position: one.position }))
  const entry = entriesOf(passage.text).get(position)
  if (entry === undefined) return undefined
  const parts = all
    .filter((one) => one.passage === sentence.passage && one.position >= entry.first && one.position <= entry.last)
    .toSorted((a, b) => a.position - b.position)
  const isShort = parts.reduce((sum, one) => sum + one.text.length, 0) <= MOST_WINDOW
  return parts
    .filter((one) => isShort || one === sentence || one.position === entry.first)
    .map((one) => ({ text: clipWords(one.text), position: one.position }))
}

/** How many passages the first line is of, how much less the others may score, and the characters of each. */
function leadLimits(ranked: ReadSentences): { most: number; below: number; characters: number } {
  const { kind } = ranked.question
  if (asksForSeveral(ranked)) return { most: MOST_LISTED, below: LISTED_BELOW, characters: MOST_LISTED_CHARACTERS }
  const below = OPEN.has(kind) ? OPEN_BELOW : VALUE_BELOW
  return { most: OF_ONE.has(kind) ? 1 : MOST_ALIKE, below, characters: MOST_WINDOW }
}

/** Whether a sentence names what a list is of, and scores less than others for other words only. */
function isListed({ text, score, features }: AnswerSentence, { question, sentences }: ReadSentences): boolean {
  if (features.isQuestion === 1 || score < sentences[0]!.score - NAMED_BELOW) return false
  return namesListed(text, question.text)
}

/** Whether a list is asked for, or how many there are where no sentence says it. */
export function asksForSeveral({ question: { kind, text }, sentences: [best] }: ReadSentences): boolean {
  return kind === 'list' || (kind === 'number' && COUNTS.test(text) && best?.features.holdsKind === 0)
}

/** A further sentence of a passage that is already listed. */
function withSentence(source: Source, { text, position }: AnswerSentence): Source {
  const { lead = [] } = source
  const both = [...lead, { text: clipWords(text), position }]
  const answer = quotationText(both)
  const isKnown = lead.some((one) => one.position === position)
  if (lead.length === 0 || isKnown || answer.length > MOST_LISTED_OF_ONE) return source
  return { ...source, lead: both, answer }
}

/**
 * Sentences with far less of the question than the best of their passage come last, unless they have the requested kind of
 * answer: `The invoice is over 89,900 kr` beside `The heat pump runs`.
 */
function onSubject(sentences: readonly AnswerSentence[]): AnswerSentence[] {
  const most = new Map<number, number>()
  for (const { passage, features } of sentences) {
    most.set(passage, Math.max(most.get(passage) ?? 0, features.coverage))
  }
  const least = (passage: number) => LEAST_COVERAGE * most.get(passage)!
  const held = sentences.filter(
    ({ passage, features }) => features.coverage >= least(passage) || features.holdsKind === 1,
  )
  return [...held, ...sentences.filter((sentence) => !held.includes(sentence))]
}
