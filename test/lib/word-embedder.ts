import type { Embedder, EmbedOptions } from '../../src/models/model.ts'
import { unitVector } from '../../src/models/prepare-embedding.ts'
import { wordVector } from '../fakes/openai-server.ts'

/** A small model without a file: texts with the same words are near each other. */
export interface WordEmbedder extends Embedder {
  /** Texts of every call, in order. */
  readonly calls: (readonly string[])[]
  /** Runs before each call is answered; what it throws the call rejects with. */
  before: (texts: readonly string[], options: EmbedOptions) => unknown
}

/** @param seed another one is another space */
export function wordEmbedder({ seed = 1, dimensions = 16, maxBatch = 4 } = {}): WordEmbedder {
  const embedder: WordEmbedder = {
    space: { id: `words:${seed}:${dimensions}`, dimensions },
    maxBatch,
    maxCharacters: 1_000,
    calls: [],
    before: () => undefined,
    async embed(texts, options = {}) {
      embedder.calls.push(texts)
      await embedder.before(texts, options)
      return texts.map((text) => unitVector(Float32Array.from(wordVector(text, dimensions, seed))))
    },
  }
  return embedder
}
