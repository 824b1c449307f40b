import { analyze } from './analyze.ts'

/** What a chunk is found by. */
export interface ChunkTerms {
  /** Of its text. */
  readonly body: readonly string[]
  /** Of speaker, heading and date. */
  readonly meta: readonly string[]
}

interface TermSource {
  readonly text: string
  readonly speaker?: string | undefined
  readonly heading?: string | undefined
  readonly at?: Date | undefined
}

/**
 * Analyses chunks. Index and whoever makes it again use this one function, so that both find the same.
 *
 * @param timeZone IANA; in which the date of a chunk is spelt
 */
export function createChunkTerms(timeZone: string): (chunk: TermSource) => ChunkTerms {
  const dateWords = createDateWords(timeZone)
  return ({ text, speaker, heading, at }) => {
    const told = [speaker, heading, at && dateWords(at)].filter((part) => part !== undefined)
    return { body: analyze(text), meta: analyze(told.join(' . ')) }
  }
}

/** `Friday 8 May 2026`, so that the words of a date in a question find what was said then. */
function createDateWords(timeZone: string): (at: Date) => string {
  // Made on first use: most documents have no times, and making a format costs as much as indexing a chunk.
  let format: Intl.DateTimeFormat | undefined
  return (at) => {
    format ??= new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
    })
    return format.format(at)
  }
}
