import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { isAbsent } from '../lib/files.ts'
import { splitSentences } from '../lib/sentences.ts'

/** Of a transcript, its end: what an agent still has in its context. */
const MOST_BYTES = 512 * 1_024
/** Shorter sentences stand anywhere. */
const LEAST_CHARACTERS = 24
/** Share of its longer sentences that a transcript must hold for a passage to stand in it. */
const MOST_OF_IT = 0.7

/** What stands in the transcript of a session, however it is written down there. */
export class Transcript {
  readonly #words: string

  private constructor(words: string) {
    this.#words = words
  }

  /** Nothing stands in a transcript that is absent or can't be read. */
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

/** Letters and digits with single spaces: transcripts are JSON, in which line ends and quotes are escaped. */
function plainWords(text: string): string {
  return text
    .replace(/\\(?:u[0-9a-fA-F]{4}|.)/g, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
