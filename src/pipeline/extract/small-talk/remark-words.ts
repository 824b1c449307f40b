import { readFileSync } from 'node:fs'
import { packagePath } from '../../../lib/files.ts'

/** Words of a sentence as `remark-words.txt` has them. */
export function plainWords(sentence: string): string[] {
  return sentence.toLowerCase().match(/[a-z]+/g) ?? []
}

interface WordTone {
  readonly tone: number
  readonly squares: number
}

let tones: ReadonlyMap<string, WordTone> | undefined

/**
 * Above 0 if the words of an English sentence are those of remarks, below for news: the projection of the sum of their vectors, divided by
 * its length as if they were perpendicular. Rare words count for nothing.
 */
export function remarkTone(sentence: string): number {
  tones ??= readTones()
  let [tone, squares] = [0, 0]
  for (const word of plainWords(sentence)) {
    const listed = tones.get(word)
    if (listed === undefined) continue
    tone += listed.tone
    squares += listed.squares
  }
  return squares === 0 ? 0 : tone / Math.sqrt(squares)
}

/** Each line: a word, its tone and the square of its length, in hundredths. Written by `fit-remarks.ts`. */
function readTones(): ReadonlyMap<string, WordTone> {
  const lines = readFileSync(packagePath('models/words-en/remark-words.txt'), 'latin1').trim().split('\n')
  return new Map(
    lines.map((line) => {
      const [word = '', tone, squares] = line.split(' ')
      return [word, { tone: Number(tone) / 100, squares: Number(squares) / 100 }]
    }),
  )
}
