import type { ChunkRow } from '../../../store/search/search.ts'
import { holdsKind } from '../../question/answer-kind.ts'
import { clipWords } from '../../recall/quote-text.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import type { Source } from '../evidence/evidence.ts'
import { IS_GREETING } from '../evidence/replies-first.ts'
import { type LeadSentence, quotationText } from '../lead-quotation.ts'
import type { AnswerSentence } from './answer-sentence.ts'
import { DENIES } from './denials.ts'
import { causeBeside } from './stated-cause.ts'

/** Maximum characters of a sentence with its neighbors in a list. */
export const MOST_LISTED_CHARACTERS = 140
/** Maximum score differences of the sentences shown after and before the best one; the next often continues it. */
const AFTER_BELOW = { turn: 3, prose: 1 }
const BEFORE_BELOW = { turn: 1.2, prose: 1 }
/** The former after a sentence that repeats the question: `Last Friday I went to a council meeting for adoption.` */
const AFTER_ECHO = { turn: 4, prose: 2 }
/** Share of many new words below which a sentence repeats the question: fewer than six. */
const LEAST_NEWS = 0.7
/** A greeting at the start of a mail, with what follows it in the same sentence, or alone. */
const GREETING = /^(?:hello|hi|hey|dear|good (?:morning|evening|afternoon))\b[^,!.?]{0,40}[,!]\s+(?=\S)/i

/** `It was my way of dealing with stress`; not `It feels like ...` and `It's knowing that ... that counts`. */
const REFERS_BACK =
  /^(?:and |but |so )?(?:it(?! (?:feels|felt|seems|seemed)\b|['’]s \p{L}+ing\b)|that|this|these|those|they|he|she)\b|^(?:trying|being|having|after that|then)\b/iu

/** `Best book this year.` says nothing without the sentence before. */
const JUDGES = /^(?:the |my )?(?:best|worst|favou?rite|most \p{L}+|\p{L}{3,}est) (?:\p{L}+ ?){1,4}[.!]$/iu

/** How much a sentence is shown with. */
interface WindowLimits {
  /** Of the sentence and its neighbors. */
  readonly characters: number
  /** How much less than the sentence those after and before it may score. */
  readonly after: number
  readonly before: number
  /** Whether a cause beside it is shown with it. */
  readonly isWhy?: boolean
  /** Whether it is of a document, in which what was agreed stands behind what somebody wanted. */
  readonly isDocument?: boolean
}

/** A sentence as an entry of a list, with its neighbors while they fit. */
export function listEntry(
  sentence: AnswerSentence,
  all: readonly AnswerSentence[],
  { row, position }: Pick<ReadChunk, 'row' | 'position'>,
): Source {
  const limits = { characters: MOST_LISTED_CHARACTERS, ...besideLimits(sentence, row.kind) }
  const lead = sentenceWindow(sentence, all, limits)
  return { row, position, answer: quotationText(lead), lead }
}

/** How much less than a sentence those after and before it may score to be shown with it. */
export function besideLimits({ features }: AnswerSentence, kind: ChunkRow['kind']): { after: number; before: number } {
  const isEcho = features.newWords < LEAST_NEWS && features.holdsKind === 0
  return { after: (isEcho ? AFTER_ECHO : AFTER_BELOW)[kind], before: BEFORE_BELOW[kind] }
}

/** The sentence with its neighbors, best first, while they fit. */
export function sentenceWindow(
  chosen: AnswerSentence,
  all: readonly AnswerSentence[],
  limits: WindowLimits,
): LeadSentence[] {
  const passage = all.filter((one) => one.passage === chosen.passage).toSorted((a, b) => a.position - b.position)
  let from = passage.indexOf(chosen)
  let to = from
  let length = chosen.text.length
  // `Mr Aydin does it` after `The heating is serviced on Friday`; `It starts on the 12th` after `It can't start in June`.
  const isAnswered = chosen.features.holdsKind === 1 && !DENIES.test(chosen.text)
  const held = isAnswered ? undefined : kindBeside(passage, from, limits.characters - length)
  const holder = held ?? (limits.isWhy ? causeBeside(passage, from, limits.characters - length) : undefined)
  if (holder !== undefined) {
    ;[from, to] = [Math.min(from, holder), Math.max(to, holder)]
    length += passage[holder]!.text.length + 1
  }
  const agreed = limits.isDocument ? agreedBehind(passage, to) : undefined
  if (agreed !== undefined) {
    to = agreed
    length = passage.slice(from, to + 1).reduce((sum, { text }) => sum + text.length + 1, 0)
  }
  const before = holder === undefined ? referredTo(passage, from, limits.characters - length) : undefined
  if (before !== undefined) {
    from--
    length += before.text.length + 1
  }
  for (;;) {
    const beside = [passage[to + 1], passage[from - 1]].filter((one) => one !== undefined)
    const fitting = beside.filter(
      ({ text, score, features, position }) =>
        length + text.length < limits.characters &&
        score >= chosen.score - (position > chosen.position ? limits.after : limits.before) &&
        !features.isQuestion &&
        !features.isChatter &&
        !IS_GREETING.test(text),
    )
    const [best] = fitting.toSorted((a, b) => b.score - a.score)
    if (best === undefined) break
    length += best.text.length + 1
    if (best === passage[to + 1]) to++
    else from--
  }
  return passage
    .slice(from, to + 1)
    .map(({ text, position }) => ({ text: clipWords(text.replace(GREETING, '')), position }))
}

/** `Camille wants 60,000 euros`, `Hedda suggests Thursday`: what somebody would like, and not what was agreed. */
const WANTED =
  /\b(?:wants?|wanted|suggest(?:s|ed)|propos(?:es|ed)|asks? for|asked for|thinks?|thought|prefers?|preferred|would (?:like|prefer|take))\b/i
/** `We take 50,000 and look again in June.` */
const AGREED =
  /^(?:(?:so|then|in the end|finally|eventually),? )?(?:we(?:['’]ll| will)? (?:take|took|agreed?|decided?|settled?|choose|chose|go|keep|stay|stick)\b|(?:decision|decided|agreed|outcome|result)\b)/i
/** Sentences of a note between what somebody wants and what is agreed. */
const MOST_BETWEEN = 3

/** Index of the sentence behind one in the same entry of a note that says what was agreed instead; with the value that is asked for, if that one has it. */
function agreedBehind(passage: readonly AnswerSentence[], from: number): number | undefined {
  const chosen = passage[from]!
  if (!WANTED.test(chosen.text)) return undefined
  for (let at = from + 1; at <= from + MOST_BETWEEN; at++) {
    const next = passage[at]
    if (next === undefined || next.position !== passage[at - 1]!.position + 1) return undefined
    if (AGREED.test(next.text) && hasSameValue(next, chosen) && next.features.isQuestion === 0) return at
    // What somebody else wants may be something else.
    const isOther = WANTED.test(next.text) && !(chosen.features.holdsKind === 1 && hasSameValue(next, chosen))
    if (isOther || ENTRY.test(next.text)) return undefined
  }
  return undefined
}

/** `We take 50,000` behind an amount with its currency: a figure that counts nothing. */
const BARE_FIGURE = /(?<![\d:.,]|\b(?:at|by) )\d[\d,]+(?= (?:is|and|but|until|from|instead)\b|[.;!]?\s*$)/

/** Whether a sentence has the value that is asked for, if another one has. */
function hasSameValue({ text, features }: AnswerSentence, other: AnswerSentence): boolean {
  if (features.holdsKind >= other.features.holdsKind) return true
  return holdsKind('money', other.text, 0) && BARE_FIGURE.test(text)
}

/** `Office: the lease ends in March` begins another entry. */
const ENTRY = /^\p{Lu}[\p{L} ]{1,30}: /u

/** The sentence before one that begins with a pronoun, if it fits. */
function referredTo(passage: readonly AnswerSentence[], from: number, characters: number): AnswerSentence | undefined {
  const [before, chosen] = [passage[from - 1], passage[from]!]
  const isNext = before !== undefined && before.position + 1 === chosen.position && before.text.length < characters
  if (!isNext || !(REFERS_BACK.test(chosen.text) || JUDGES.test(chosen.text))) return undefined
  return before.features.isQuestion + before.features.isChatter > 0 ? undefined : before
}

/** Index of a neighbor with the requested kind of answer that fits: the next one, else the previous one. */
function kindBeside(passage: readonly AnswerSentence[], from: number, characters: number): number | undefined {
  return [from + 1, from - 1].find((i) => {
    const beside = passage[i]
    return beside?.features.holdsKind === 1 && beside.features.isQuestion === 0 && beside.text.length < characters
  })
}
