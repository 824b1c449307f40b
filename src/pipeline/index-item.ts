import type { Extraction, IndexedChunk, ParsedDocument } from '../domain/document.ts'
import { hashTerm, SELF_MARK } from '../lib/analyze.ts'
import { createChunkTerms } from '../lib/chunk-terms.ts'
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

/** Adds to each chunk the terms it is found by. `pipelineVersion` of the item is set by the pipeline, which knows all stages. */
export const indexItem: Stage<'index', IndexInput, IndexedChunk[]> = {
  name: 'index',
  version: 2,
  async run({ extraction, embeddings, timeZone }) {
    const termsOf = createChunkTerms(timeZone)
    return extraction.chunks.map((chunk, i) => {
      const { body, meta } = termsOf(chunk)
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
