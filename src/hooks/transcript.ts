import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { isAbsent } from '../lib/files.ts'
import { splitSentences } from '../lib/sentences.ts'

/** Only the end of a transcript is read, because it is what the agent still has in its context. */
const MOST_BYTES = 512 * 1_024
/** Shorter sentences are too common to compare. */
const LEAST_CHARACTERS = 24
/** Share of a passage's sentences that a transcript must contain for the passage to count as known. */
const MOST_OF_IT = 0.7

/** The words of a session's transcript, in any format. */
export class Transcript {
  readonly #words: string

  private constructor(words: string) {
    this.#words = words
  }

  /** A missing or unreadable transcript is empty. */
  static read(path: string | undefined): Transcript {
    return new Transcript(path === undefined ? '' : plainWords(endOf(path)))
  }

  holds(text: string): boolean {
    if (this.#words === '') return false
    const sentences = splitSentences(text)
      .map(plainWords)
      .filter(({ length }) => length >= LEAST_CHARACTERS)
    const held = sentences.filter((sentence) => this.#words.includes(sentence))
    return sentences.length > 0 && held.length >= sentences.length * MOST_OF_IT
  }
}

function endOf(path: string): string {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if (isAbsent(error) || (error instanceof Error && 'code' in error)) return ''
    throw error
  }
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) return ''
    const bytes = Buffer.alloc(Math.min(MOST_BYTES, stat.size))
    const read = readSync(file, bytes, 0, bytes.length, stat.size - bytes.length)
    return bytes.toString('utf8', 0, read)
  } finally {
    closeSync(file)
  }
}

/** Letters and digits with single spaces. Removes JSON escapes, because transcripts are JSON. */
function plainWords(text: string): string {
  return text
    .replace(/\\(?:u[0-9a-fA-F]{4}|.)/g, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
