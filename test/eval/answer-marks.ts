import type { Loss } from './answer-losses.ts'

/** How one answer was marked; what does not apply to its question is absent. */
export interface AnswerMarks {
  readonly isAnswerable: boolean
  readonly abstained: boolean
  readonly right?: boolean
  /** Right in the first line. */
  readonly first?: boolean
  /** Right in the first sentence of the first line. */
  readonly sentence?: boolean
  readonly speaker?: boolean
  readonly date?: boolean
  /** Of a value that has changed: the first line gives the one that was asked for. */
  readonly current?: boolean
  /** The first line gives another value than the one that was asked for. */
  readonly outdated?: boolean
}

/** One question of a set, with its answer. */
export interface MarkedAnswer {
  readonly kind: string
  readonly question: string
  /** What would be right, in words. */
  readonly expected: string
  readonly response: string
  readonly marks: AnswerMarks
  readonly ms: number
  /** Of a wrong answer, where that was asked for. */
  readonly loss?: Loss
}

export const ANSWERS_HEAD = [
  'set',
  'questions',
  'answered',
  'right',
  'right in first line',
  'in first sentence',
  'unanswerable',
  'abstained',
  'speaker',
  'date',
  'current value',
  'p50 ms',
]

/** The cells of `ANSWERS_HEAD`, in percent but for the numbers of questions and milliseconds. */
export function answersRow(name: string, answers: readonly MarkedAnswer[]): (string | number)[] {
  const marks = answers.map((answer) => answer.marks)
  const answerable = marks.filter(({ isAnswerable }) => isAnswerable)
  const unanswerable = marks.filter(({ isAnswerable }) => !isAnswerable)
  const share = (key: 'right' | 'first' | 'sentence' | 'speaker' | 'date' | 'current') =>
    percent(answerable.flatMap(({ [key]: mark }) => (mark === undefined ? [] : [mark])))
  return [
    name,
    answerable.length,
    percent(answerable.map(({ abstained }) => !abstained)),
    share('right'),
    share('first'),
    share('sentence'),
    unanswerable.length,
    percent(unanswerable.map(({ abstained }) => abstained)),
    share('speaker'),
    share('date'),
    share('current'),
    median(answers.map(({ ms }) => ms)).toFixed(1),
  ]
}

/** Whether the answer is none that a person would want: wrong, outdated, missing, or given where there is none. */
export function isBad({ marks }: MarkedAnswer): boolean {
  if (!marks.isAnswerable) return !marks.abstained
  return [marks.first, marks.speaker, marks.date, marks.current].includes(false)
}

function percent(some: readonly boolean[]): string {
  return some.length === 0 ? '-' : ((100 * some.filter(Boolean).length) / some.length).toFixed(1)
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0
}
