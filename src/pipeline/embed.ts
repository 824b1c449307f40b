import type { Chunk } from '../domain/document.ts'
import type { Embedder } from '../models/model.ts'
import type { Stage } from './stage.ts'

/** Output of `embed`: for each chunk, in order, its vector and the token ids for soft matching. */
export interface Embeddings {
  readonly spaceId: string
  readonly vectors: readonly Float32Array[]
  /** Empty arrays when the embedder has no tokens. */
  readonly tokens: readonly Uint16Array[]
}

const NO_TOKENS = new Uint16Array(0)

/** Embeds the text of chunks. Rejects with the embedder's `AppError`, so that the item is tried again. */
export function createEmbedStage(embedder: Embedder): Stage<'embed', readonly Chunk[], Embeddings> {
  return {
    name: 'embed',
    version: 1,
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
