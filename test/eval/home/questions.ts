import { readFileSync } from 'node:fs'
import { HOME_FOLDER } from './home-uploads.ts'

/** Of development, further yes-no and list questions of development, or the ones that nobody looks at while answers are tuned. */
export type HomeHalf = 'dev' | 'forms' | 'final-2'

/** README.md says what each field means, and how an answer is marked by them. */
export interface OwnQuestion {
  readonly id: string
  readonly kind: string
  readonly text: string
  /** What was asked before, of a follow-up question. */
  readonly context?: string
  /** Absent: the question has no answer. */
  readonly answer?: readonly string[]
  readonly speaker?: string
  readonly date?: string
  readonly outdated?: readonly string[]
  /** Ids of the items that hold the answer. */
  readonly evidence: readonly string[]
}

export interface HomeQuestion extends OwnQuestion {
  readonly half: HomeHalf
  /** A wall time in Oslo. */
  readonly askedAt: string
}

/** The questions of one part. */
export function homeQuestions(half: HomeHalf): HomeQuestion[] {
  const lines = readFileSync(`${HOME_FOLDER}/questions-${half}.jsonl`, 'utf8').trim().split('\n')
  return lines.map((line): HomeQuestion => JSON.parse(line))
}
