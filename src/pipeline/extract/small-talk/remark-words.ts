import { readFileSync } from 'node:fs'
import { packagePath } from '../../../lib/files.ts'

/** Words of a sentence as `remark-words.txt` has them. */
export function plainWords(sentence: string): string[] {
  return sentence.toLowerCase().match(/[a-z]+/g) ?? []
}

interface WordScore {
  readonly score: number
  /** Of the vector of the word. */
  readonly squaredNorm: number
}

let scores: ReadonlyMap<string, WordScore> | undefined

/**
 * Above 0 if the words of an English sentence are those of remarks, below for news: the sum of their scores, divided by the length that
 * the sum of their vectors would have if they were perpendicular. Rare words count for nothing.
 */
export function remarkScore(sentence: string): number {
  scores ??= readScores()
  let [score, squaredNorm] = [0, 0]
  for (const word of plainWords(sentence)) {
    const listed = scores.get(word)
    if (listed === undefined) continue
    score += listed.score
    squaredNorm += listed.squaredNorm
  }
  return squaredNorm === 0 ? 0 : score / Math.sqrt(squaredNorm)
}

/** Each line: a word, its score and the squared norm of its vector, both in hundredths. Written by `fit-remarks.ts`. */
function readScores(): ReadonlyMap<string, WordScore> {
  const lines = readFileSync(packagePath('models/words-en/remark-words.txt'), 'latin1').trim().split('\n')
  return new Map(
    lines.map((line) => {
      const [word = '', score, squaredNorm] = line.split(' ')
      return [word, { score: Number(score) / 100, squaredNorm: Number(squaredNorm) / 100 }]
    }),
  )
}
