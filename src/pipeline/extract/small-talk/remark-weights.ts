import type { RemarkSigns } from './remark-signs.ts'

/** Written by `node test/eval/fit-remarks.ts`. */
export const REMARK_WEIGHTS: Readonly<Record<keyof RemarkSigns | 'constant', number>> = {
  constant: 1.51,
  length: 0.09,
  unknown: -0.91,
  unknownShare: -1.45,
  nouns: -0.36,
  determined: -0.85,
  caseMarks: -1.22,
  katakana: -2.87,
  past: -1.18,
  commits: -0.76,
  denies: -0.48,
  first: -0.14,
  listener: 0.76,
  opens: 0.73,
  evaluates: 0.34,
  pointsBack: -0.37,
  wishes: 1.23,
  exclaims: -0.04,
  emoji: 1.67,
  particle: -0.11,
}
