import type { z } from 'zod'
import { Semaphore } from '../lib/semaphore.ts'

/**
 * Model contracts. Limits are data, so that callers can plan. A failing provider rejects with an `AppError` that is
 * retried; it never falls back to other vectors.
 */

/** Vectors of different spaces are never compared. `id` changes whenever the vectors would. */
interface EmbeddingSpace {
  readonly id: string
  readonly dimensions: number
}

export interface Embedder {
  readonly space: EmbeddingSpace
  readonly maxBatch: number
  /** Characters that influence the vector; the rest of a longer text is ignored. */
  readonly maxCharacters: number
  /** Absent: costs nothing. */
  readonly price?: Price
  /**
   * One L2-normalized vector per text, in order. An all-zero vector means that no token was known. `purpose` matters only to
   * models that distinguish questions from passages; `passage` when absent.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>
  /** Present when the model can also match token by token (late interaction). */
  readonly tokens?: TokenMatcher
}

export interface EmbedOptions extends ModelCallOptions {
  readonly purpose?: 'query' | 'passage'
}

interface ModelCallOptions {
  /** Aborted: the call rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** US dollars per million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
}

/** Tokens as counted by the provider; estimated as characters / 4 when it reports none. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/**
 * A language model that answers with JSON. Rejects with `AppError`: `unavailable` (down, slow, overloaded; with
 * `retryAfterSeconds` if the provider states it), `rate_limited` (likewise), `invalid` (refused permanently: wrong key,
 * unknown model), never with the provider's own text, which may contain what was sent.
 */
export interface LanguageModel {
  /** Provider and model, e.g. `openai-compatible:qwen3`; changes whenever the answers would. Contains no key. */
  readonly id: string
  readonly maxInputTokens: number
  readonly maxOutputTokens: number
  /** Maximum number of concurrent calls. */
  readonly maxConcurrent: number
  /** Absent: free, or unknown. */
  readonly price?: Price
  /** One unchecked answer: `text` should be JSON of the schema, but may be anything. */
  generate(request: GenerateRequest): Promise<GeneratedText>
}

export interface GenerateRequest extends ModelCallOptions {
  /** The task of the model; never contains text from sources. */
  readonly instructions: string
  /** Alternating, starting with `user`; the last one is to be answered. */
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]
  /** The schema of the answer. Providers enforce it if they can; the caller checks it anyway. */
  readonly schema: z.ZodType
  /** Letters, digits and `_`. */
  readonly schemaName: string
  /** At most the limit of the model. */
  readonly maxOutputTokens?: number
  /**
   * Called with the maximum cost of a call that ended without a usable answer although the provider may have charged
   * for it: it was aborted, or the response was malformed.
   */
  readonly onUnheard?: (most: TokenUsage) => void
  /** Called with what the answer holds so far, unchecked, while it arrives; not by models that answer all at once. */
  readonly onPartial?: (value: unknown) => void
}

export interface GeneratedText {
  readonly text: string
  readonly usage: TokenUsage
}

/** A passage as a reranker reads it. */
export interface RerankedPassage {
  /** Begins with the speaker, if there is one. */
  readonly text: string
  /** The turn before it in its conversation. */
  readonly before?: string
}

/** Scores passages for a question with a cross-encoder. */
export interface Reranker {
  readonly id: string
  readonly maxPassages: number
  /** Weight of its scores in the order, in [0, 1]. */
  readonly part: number
  /** Weight of its best score in the relevance of the results, in [0, 1]. */
  readonly certainty: number
  /** Characters of a passage that are read; the rest is ignored. */
  readonly maxCharacters: number
  readonly price?: Price
  /** Relevance of each passage in [0, 1], in their order. */
  rerank(query: string, passages: readonly RerankedPassage[], options?: ModelCallOptions): Promise<Float32Array>
}

/** The rerankers in use. */
export interface Rerankers {
  /** Orders what recall finds. Absent: the built-in ranking does. */
  readonly recall?: Reranker
  /** Orders what answers are made from. Absent: as `recall`. */
  readonly answers?: Reranker
}

/**
 * Soft token matching on a static table: sum over distinct query tokens t of
 * idf(t) * max over passage tokens u of relu(cos(t,u) - threshold) / (1 - threshold).
 */
export interface TokenMatcher {
  /** Distinct token ids of a text, without punctuation and function words; stored with each passage. */
  encode(text: string): Uint16Array
  /** Similarities of one query against passages, each a list of token ids. `weights` are idf by query token. */
  match(query: Uint16Array, weights: Float32Array, passages: readonly Uint16Array[]): Float32Array
}

/** Prices are per million tokens, so tokens times dollars are millionths of a dollar. */
export function microDollars({ inputTokens, outputTokens }: TokenUsage, price: Price | undefined): number {
  return price === undefined ? 0 : Math.ceil(inputTokens * price.input + outputTokens * price.output)
}

/** Wraps a model so that at most `maxConcurrent` calls run at a time; further calls wait in order. */
export function limitConcurrency(model: LanguageModel): LanguageModel {
  const permits = new Semaphore(model.maxConcurrent)
  return { ...model, generate: (request) => permits.run({ signal: request.signal }, () => model.generate(request)) }
}
