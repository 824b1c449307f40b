import type { RemarkFeatures } from './remark-features.ts'

/** Written by `node test/eval/fit-remarks.ts --fit`. */
export const REMARK_WEIGHTS: Readonly<Record<keyof RemarkFeatures | 'constant', number>> = {
  constant: 1.5,
  length: 0.07,
  unknown: -0.94,
  unknownShare: -1.49,
  nouns: -0.32,
  determined: -0.88,
  caseMarks: -1.23,
  katakana: -2.86,
  past: -1.17,
  commits: -0.78,
  denies: -0.48,
  first: -0.12,
  listener: 0.74,
  opens: 0.74,
  praises: 1.37,
  evaluates: 0.19,
  pointsBack: -0.35,
  wishes: 1.34,
  exclaims: -0.04,
  emoji: 1.69,
  particle: -0.07,
}
