import { type AnswerKind, KINDS_OF_FORM } from '../question/answer-kind.ts'
import { askedCategory } from '../question/asked-category.ts'
import { countTerms, type TermCounts } from '../question/query-terms.ts'
import type { UnderstoodQuery } from '../question/understand-query.ts'
import { type FeatureTable, neighbor } from '../recall/features.ts'
import type { Ranking } from '../recall/rank-chunks.ts'
import { bestOfStretches } from '../recall/row-kinds.ts'
import { ANSWER_THRESHOLD, ANSWER_WEIGHTS, ENCODER_ANSWER_THRESHOLD, logistic } from '../recall/weights.ts'
import type { Evidence } from './evidence/evidence.ts'
import {
  type AnswerSentence,
  ASKS_SAID,
  type AskedQuestion,
  COUNTS,
  contentTerms,
} from './sentences/answer-sentence.ts'
import { holdsNames } from './supported-names.ts'

/** Features that separate an answer from a passage on the same subject. Shares are of the question's weight without names. */
export interface AnswerEvidence {
  /** Best soft match of the three best chunks by or about the person in question, as a share of a perfect one. */
  readonly askedSoft: number
  readonly relevance: number
  /** The largest share in the chunks within two positions of one of the three best. */
  readonly coverage: number
  /** Terms of the question divided by 12, at most 1: long matches are rarely chance. */
  readonly terms: number
  /** How far the best chunk is ahead of a further one, as a share of its score. */
  readonly ahead: number
  /** 1: every name of the question occurs in the best passages. */
  readonly holdsNames: number
  /** Score of the best sentence. */
  readonly score: number
  /** 1: the question names a speaker of the passages, but somebody else says the best sentence, and no mail about them has it. */
  readonly isByOthers: number
  readonly isQuestion: number
  readonly newWords: number
  /** How much more of the question is in the best sentence of anybody than in the best of the person in question. */
  readonly coverageGap: number
  /** The largest share in a passage by the person in question, with the two chunks before it. */
  readonly askedAround: number
  /** 1: a stored question-answer pair has nearly the same question. */
  readonly isPaired: number
  /** 1: a yes-no question, which a sentence can answer without a new name, number or date. */
  readonly isYesNo: number
  /** 1: asks how much, and that sentence has no amount. */
  readonly lacksAmount: number
  /** 1: it has no answer of the kind that is asked for, or nothing of the category. */
  readonly lacksKind: number
  /** 1: asks for a kind that is recognized by its form: a time, an amount, a number or a code. */
  readonly isValue: number
  /** 1: asks for no kind that is known. */
  readonly isOther: number
  /** 1: the sentence that the answer begins with has the requested kind of answer. */
  readonly holdsKind: number
  /** Capitalized words of the question divided by 3. */
  readonly names: number
}

/** What is weighed for a question, and by which weights. */
export interface WeighedEvidence extends AnswerEvidence {
  /** Whether the question names a speaker of the passages, or asks what somebody said. */
  readonly isAboutSpeaker: boolean
}

const BEST = 3
const NO_NAMES: ReadonlySet<string> = new Set()
/** Kinds that nothing in a sentence shows. */
const FORMLESS: ReadonlySet<AnswerKind> = new Set(['other', 'list', 'yes-no'])
const AROUND = [-2, -1, 0, 1, 2]
const MANY_TERMS = 12
const MANY_NAMES = 3
/** Minimum of `ahead` for a question about several things, whose fifth passage may answer as well as the first. */
const AHEAD_OF_LIST = 0.5
/** Index of the chunk to which the best is compared. */
const FIFTH = 4
/** Stretches of talk among the five best chunks of chats between two, on which the weights were fitted: 3.5 to 4 (decision 84). */
const STRETCHES_OF_FIVE = 4

/**
 * Names are capitalized words of a question that occur among the speakers, headings and dates of the results. A question
 * without a name is about everybody.
 *
 * @param read the sentences of the best passages, best first, and the question that they were compared with
 * @param deciding the sentence that the answer begins with
 */
export function weighEvidence(
  text: string,
  evidence: Evidence,
  { sentences, question }: { readonly sentences: readonly AnswerSentence[]; readonly question: AskedQuestion },
  userName?: string,
  deciding: AnswerSentence | undefined = sentences[0],
): WeighedEvidence {
  const { ranking } = evidence
  const { query, rows, ranked } = ranking
  const counts = countTerms(query.terms, rows)
  const isList = question.kind === 'list' || COUNTS.test(text)
  const holdsKind = deciding?.features.holdsKind ?? 0
  const asksKind = !isList && (!FORMLESS.has(question.kind) || askedCategory(text) !== undefined)
  const names = namedTerms(text, ranking, counts)
  const positions = ranked.map(({ position }) => position)
  const isByAsked = (position: number): boolean => [...names].some((q) => counts.meta[position * counts.width + q]! > 0)
  const asked = names.size === 0 ? positions : positions.filter(isByAsked)
  const softOf = ownSoftShare(query, ranking.features)
  const most = (some: readonly number[], value: (position: number) => number): number =>
    some.slice(0, BEST).reduce((largest, position) => Math.max(largest, value(position)), 0)
  return {
    askedSoft: most(asked, softOf),
    relevance: ranking.relevance,
    coverage: most(positions, (position) => coverageAround(position, ranking, counts, names)),
    terms: Math.min(1, query.terms.length / MANY_TERMS),
    ahead: Math.max(isList && ranked.length > 0 ? AHEAD_OF_LIST : 0, aheadOfOthers(ranking)),
    holdsNames: holdsNames(text, evidence, userName) ? 1 : 0,
    ...weighSentences(sentences, question),
    isPaired: evidence.paired.length > 0 ? 1 : 0,
    isYesNo: question.kind === 'yes-no' ? 1 : 0,
    holdsKind,
    lacksAmount: question.kind === 'money' && holdsKind === 0 ? 1 : 0,
    lacksKind: asksKind && holdsKind === 0 ? 1 : 0,
    isValue: KINDS_OF_FORM.has(question.kind) ? 1 : 0,
    isOther: question.kind === 'other' ? 1 : 0,
    names: question.names.size / MANY_NAMES,
    isAboutSpeaker: question.asked.size > 0 || ASKS_SAID.test(text),
  }
}

function aheadOfOthers({ ranked, features: { kinds } }: Ranking): number {
  const [best] = ranked
  if (best === undefined) return 0
  const isOfGroup = kinds[best.position] === 'group'
  const other = isOfGroup ? bestOfStretches(ranked, kinds, STRETCHES_OF_FIVE)[STRETCHES_OF_FIVE - 1] : ranked[FIFTH]
  return 1 - (other?.share ?? 0)
}

/** Whether a person in the question says a sentence, or a document or an event names them: `Ruth turns 70`. */
function isOfAsked({ features, isOfDocument }: AnswerSentence): boolean {
  return features.isByAsked === 1 || isOfDocument
}

function weighSentences(sentences: readonly AnswerSentence[], { asked, terms, names }: AskedQuestion) {
  const best = sentences[0]
  const isNamed = asked.size > 0
  // A note about somebody is theirs only where something else is asked for: `Who's doing Stan's books?`
  const asksMore = contentTerms(terms, NO_NAMES).some(({ term }) => !names.has(term))
  const isTheirs = asksMore ? isOfAsked : ({ features }: AnswerSentence) => features.isByAsked === 1
  const theirs = isNamed ? sentences.filter(({ features }) => features.isByAsked === 1) : sentences
  const most = (some: readonly AnswerSentence[], name: 'coverage' | 'around') =>
    some.reduce((largest, { features }) => Math.max(largest, features[name]), 0)
  return {
    score: best?.score ?? 0,
    isByOthers: isNamed && best !== undefined && !isOfAsked(best) && !best.isOfSubject ? 1 : 0,
    isQuestion: best?.features.isQuestion ?? 0,
    newWords: best?.features.newWords ?? 0,
    coverageGap: most(sentences, 'coverage') - most(isNamed ? sentences.filter(isTheirs) : sentences, 'coverage'),
    askedAround: most(theirs, 'around'),
  }
}

/** For scripts without tokens, the share of the question's weight in the body replaces the soft match. */
function ownSoftShare({ tokens }: UnderstoodQuery, { ownSoft, coverage }: FeatureTable) {
  const perfect = tokens ? tokens.weights.reduce((sum, weight) => sum + weight, 0) : 0
  return (position: number) => (perfect > 0 ? ownSoft[position]! / perfect : coverage[position]!)
}

function coverageAround(
  position: number,
  { query, rows }: Ranking,
  { body, meta, width }: TermCounts,
  names: ReadonlySet<number>,
): number {
  const around = AROUND.map((distance) => (distance === 0 ? position : neighbor(rows, position, distance))).filter(
    (at) => at >= 0,
  )
  let [held, total] = [0, 0]
  const named = new Set([...names].map((q) => query.terms[q]!.term))
  const content = new Set(contentTerms(query.terms, named))
  for (const [q, term] of query.terms.entries()) {
    const { weight } = term
    if (names.has(q) || !content.has(term)) continue
    total += weight
    // A heading is part of the answer, except in a turn, where it is the speaker.
    const isHeld = around.some(
      (at) => body[at * width + q]! > 0 || (rows[at]!.kind === 'prose' && meta[at * width + q]! > 0),
    )
    if (isHeld) held += weight
  }
  return total === 0 ? 1 : held / total
}

function namedTerms(text: string, { query, rows }: Ranking, counts: TermCounts): Set<number> {
  const capitalized = new Set((text.match(/(?<!^)\b\p{Lu}[\p{L}\p{M}]+/gu) ?? []).map((word) => word.toLowerCase()))
  const names = new Set<number>()
  for (const [q, { term }] of query.terms.entries()) {
    const isCapitalized = [...capitalized].some((word) => word.startsWith(term.slice(0, Math.max(3, term.length - 1))))
    if (isCapitalized && rows.some((_, position) => counts.meta[position * counts.width + q]! > 0)) names.add(q)
  }
  return names
}

/** Whether the results probably answer the question: a logistic model fitted by `test/eval/fit-answers.ts`. */
export function isLikelyAnswer(evidence: WeighedEvidence, { isEncoded }: Pick<UnderstoodQuery, 'isEncoded'>): boolean {
  const weights = evidence.isAboutSpeaker ? ANSWER_WEIGHTS.speaker : ANSWER_WEIGHTS.other
  const probability = logistic<keyof AnswerEvidence>(weights, evidence)
  return probability >= (isEncoded ? ENCODER_ANSWER_THRESHOLD : ANSWER_THRESHOLD)
}
