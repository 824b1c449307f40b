import { analyze } from '../../../lib/analyze.ts'
import type { ChunkRow } from '../../../store/search/search.ts'
import type { AnswerKind } from '../../question/answer-kind.ts'
import { ANY_MONTH } from '../../question/calendar-names.ts'
import {
  type AnswerPassage,
  type AnswerSentence,
  ASKS_NEWEST,
  ASKS_OLDEST,
  type AskedQuestion,
} from './answer-sentence.ts'
import { withFirst } from './with-first.ts'

const NO_VALUES: ReadonlySet<AnswerKind> = new Set(['list', 'yes-no', 'time'])
/** In months times 100. */
const HALF_A_YEAR = 600
/** How much less a line may score that has as much of the question. */
const NEARLY_AS_GOOD = 1.5
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
/** `June 15: Ferritin 24`, `15 June 2026`; not `Ferritin 24`. */
const NAMED_DAY = new RegExp(`\\b(${ANY_MONTH})\\.? (\\d{1,2})\\b|\\b(\\d{1,2})\\.? (${ANY_MONTH})\\b`, 'i')
const ISO_DAY = /\b((?:19|20)\d\d)-(\d\d)-(\d\d)\b/

/**
 * Of several lines of a note with a value of what is asked for (`June 15: Ferritin 24`, `Sept 21: Ferritin 41`), the newest for
 * `last` and `now`, the oldest for `first`. Notes go on at their end, unless the dates of these lines say otherwise.
 *
 * @param rows of the passages
 */
export function newestLineFirst(
  sentences: readonly AnswerSentence[],
  { text: question, kind }: AskedQuestion,
  passages: readonly AnswerPassage[],
  rows: readonly Pick<ChunkRow, 'itemKey' | 'ordinal'>[],
): readonly AnswerSentence[] {
  const [best] = sentences
  const isLast = ASKS_NEWEST.test(question)
  if (best === undefined || isLast === ASKS_OLDEST.test(question) || NO_VALUES.has(kind)) return sentences
  const { isTurn, sourceType } = passages[best.passage]!
  if (isTurn || sourceType === 'technical_docs' || best.features.coverage === 0 || !hasValue(best.text))
    return sentences
  const lines = sentences
    .filter(
      ({ passage, features, score, text }) =>
        rows[passage]!.itemKey === rows[best.passage]!.itemKey &&
        features.coverage >= best.features.coverage &&
        features.holdsKind >= best.features.holdsKind &&
        score >= best.score - NEARLY_AS_GOOD &&
        hasValue(text) &&
        labelOf(text) === labelOf(best.text),
    )
    .toSorted((a, b) => rows[a.passage]!.ordinal - rows[b.passage]!.ordinal || a.position - b.position)
  const days = lines.flatMap(({ text }) => dayOf(text) ?? [])
  const steps = days.slice(1).map((day, i) => day - days[i]!)
  // A step back by more than half a year is a step into the next one.
  const isDescending = steps.filter((step) => step < 0 && step > -HALF_A_YEAR).length > steps.length / 2
  const asked = isLast === isDescending ? lines[0]! : lines.at(-1)!
  return asked === best ? sentences : withFirst(asked, best.score, sentences)
}

function hasValue(text: string): boolean {
  return /\d/.test(text.replace(NAMED_DAY, '').replace(ISO_DAY, ''))
}

/** What the value of a line is of: `Gym bag: 49 euros` is of something else than `Gym: 35 euros`. */
function labelOf(text: string): string {
  const [label = ''] = text.replace(NAMED_DAY, '').replace(ISO_DAY, '').split(/\d/)
  return [...new Set(analyze(label))].sort().join(' ')
}

/** A number that grows with the day within the year that a line names. */
function dayOf(text: string): number | undefined {
  const [, year, monthOfYear, dayOfMonth] = ISO_DAY.exec(text) ?? []
  if (year !== undefined) return Number(`${monthOfYear}${dayOfMonth}`)
  const [, before, day, dayBefore, behind] = NAMED_DAY.exec(text) ?? []
  const month = MONTHS.indexOf((before ?? behind ?? '').slice(0, 3).toLowerCase())
  return month < 0 ? undefined : month * 100 + Number(day ?? dayBefore)
}
