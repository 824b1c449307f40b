/**
 * Model contracts. Limits are data, so that a caller can plan; a failing provider rejects with an `AppError` that is
 * retried, never falls back to other vectors.
 */

/** Vectors of different spaces are never compared. `id` changes whenever the numbers would. */
export interface EmbeddingSpace {
  readonly id: string
  readonly dimensions: number
}

export interface Embedder {
  readonly space: EmbeddingSpace
  readonly maxBatch: number
  /** Longest text that influences the vector, in characters; longer text is cut. */
  readonly maxCharacters: number
  /** One L2-normalised vector for each text, in order. An all-zero vector means that no token was known. */
  embed(texts: readonly string[]): Promise<Float32Array[]>
  /** Present when the model can also match token by token (late interaction). */
  readonly tokens?: TokenMatcher
}

/**
 * Soft token matching on a static table: sum over distinct query tokens t of
 * idf(t) * max over passage tokens u of relu(cos(t,u) - threshold) / (1 - threshold).
 */
export interface TokenMatcher {
  /** Distinct token ids of a text without those that carry no meaning; what is stored with each passage. */
  encode(text: string): Uint16Array
  /** Similarities of one query against passages, each a list of token ids. `weights` are idf by query token. */
  match(query: Uint16Array, weights: Float32Array, passages: readonly Uint16Array[]): Float32Array
}
