import type { Chunk, Extraction, IndexedChunk, ParsedDocument } from '../domain/document.ts'
import { analyze, hashTerm, SELF_MARK } from '../kit/analyze.ts'
import type { Embeddings } from './embed.ts'
import { isFirstPerson } from './first-person.ts'
import type { Stage } from './stage.ts'

/** Input of `index`: what the stages before it made of one item. */
export interface IndexInput {
  readonly document: Pick<ParsedDocument, 'kind' | 'meta'>
  readonly extraction: Extraction
  readonly embeddings: Embeddings
  /** IANA time zone in which the date words of a chunk are spelt. */
  readonly timeZone: string
}

/** Adds to each chunk the terms it is found by. `madeBy` of the item is set by the pipeline, which knows all stages. */
export const indexItem: Stage<'index', IndexInput, IndexedChunk[]> = {
  name: 'index',
  version: 2,
  async run({ extraction, embeddings, timeZone }) {
    const dateWords = createDateWords(timeZone)
    return extraction.chunks.map((chunk, i) => {
      const body = analyze(chunk.text)
      const meta = metaTerms(chunk, dateWords)
      const isSelf = chunk.kind === 'turn' && isFirstPerson(chunk.text)
      return {
        ...chunk,
        bodyTerms: body.join(' '),
        metaTerms: meta.join(' '),
        bodyHashes: Uint32Array.from(body, hashTerm),
        metaHashes: Uint32Array.from(isSelf ? [...meta.map(hashTerm), SELF_MARK] : meta.map(hashTerm)),
        tokens: embeddings.tokens[i]!,
        vector: embeddings.vectors[i]!,
      }
    })
  },
}

function metaTerms(chunk: Chunk, dateWords: (at: Date) => string): string[] {
  const { speaker, heading, at } = chunk
  return analyze([speaker, heading, at && dateWords(at)].filter((part) => part !== undefined).join(' . '))
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
