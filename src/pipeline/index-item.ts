import type { Chunk, Extraction, IndexedChunk, ParsedDocument, UploadedFile } from '../domain/document.ts'
import { fileNameWords } from '../domain/file-name-words.ts'
import { createChunkTerms, hashTerm, QUOTED_MARK, SELF_MARK, TOOL_MARK } from '../lib/analyze.ts'
import type { Embedder } from '../models/model.ts'
import { isFirstPerson } from './parse/conversation/is-spoken.ts'
import type { Stage } from './stage.ts'

/** Output of `embed`: for each chunk, in order, its vector and the token ids for soft matching. */
interface Embeddings {
  readonly spaceId: string
  readonly vectors: readonly Float32Array[]
  /** Empty arrays when the embedder has no tokens. */
  readonly tokens: readonly Uint16Array[]
}

const NO_TOKENS = new Uint16Array(0)

/** Embeds the text of chunks. Rejects with the embedder's `AppError`, so that the item is retried. */
export function createEmbedStage(embedder: Embedder): Stage<'embed', readonly Chunk[], Embeddings> {
  return {
    name: 'embed',
    async run(chunks) {
      const vectors: Float32Array[] = []
      for (let start = 0; start < chunks.length; start += embedder.maxBatch) {
        const batch = chunks.slice(start, start + embedder.maxBatch)
        vectors.push(...(await embedder.embed(batch.map((chunk) => chunk.text))))
      }
      const tokens = chunks.map((chunk) => embedder.tokens?.encode(chunk.text) ?? NO_TOKENS)
      return { spaceId: embedder.space.id, vectors, tokens }
    },
  }
}

/** Input of `index`: the output of the earlier stages for one item. */
interface IndexInput {
  readonly document: Pick<ParsedDocument, 'kind' | 'meta'>
  readonly extraction: Extraction
  readonly embeddings: Embeddings
  readonly file: Pick<UploadedFile, 'fileName' | 'sourceType' | 'timeZone'>
}

/** Adds its search terms to each chunk. The pipeline, which knows all stages, sets `pipelineVersion` of the item. */
export const indexItem: Stage<'index', IndexInput, IndexedChunk[]> = {
  name: 'index',
  async run({ extraction, embeddings, file }) {
    const termsOf = createChunkTerms(file.timeZone)
    const named = fileNameWords(file)
    return extraction.chunks.map((chunk, i) => {
      // The words of a turn that are not its own are those of its speaker.
      const { body, meta } = termsOf(chunk.kind === 'prose' ? { ...chunk, named } : chunk)
      return {
        ...chunk,
        bodyTerms: body.join(' '),
        metaTerms: meta.join(' '),
        bodyHashes: hashTerms(body),
        metaHashes: Uint32Array.of(...hashTerms(meta), ...marksOf(chunk)),
        tokens: embeddings.tokens[i]!,
        vector: embeddings.vectors[i]!,
      }
    })
  },
}

function hashTerms(terms: readonly string[]): Uint32Array {
  const hashes = new Uint32Array(terms.length)
  for (let i = 0; i < terms.length; i++) hashes[i] = hashTerm(terms[i]!)
  return hashes
}

/** At most one, as the last of the meta hashes. */
function marksOf({ kind, role, text }: Chunk): number[] {
  if (role === 'tool') return [TOOL_MARK]
  if (role === 'quoted') return [QUOTED_MARK]
  return kind === 'turn' && isFirstPerson(text) ? [SELF_MARK] : []
}
