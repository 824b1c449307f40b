import type { z } from 'zod'
import { Semaphore } from '../lib/semaphore.ts'

/**
 * Model contracts. Limits are data, so that a caller can plan; a failing provider rejects with an `AppError` that is
 * retried, never falls back to other vectors.
 */

/** Vectors of different spaces are never compared. `id` changes whenever the numbers would. */
interface EmbeddingSpace {
  readonly id: string
  readonly dimensions: number
}

export interface Embedder {
  readonly space: EmbeddingSpace
  readonly maxBatch: number
  /** Longest text that influences the vector, in characters; longer text is cut. */
  readonly maxCharacters: number
  /** Absent: costs nothing. */
  readonly price?: Price
  /**
   * One L2-normalised vector for each text, in order. An all-zero vector means that no token was known. Models that tell
   * questions from passages are told which these are; `passage` when absent.
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

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
}

/** Tokens as the provider counted them; estimated from characters / 4 where it tells none. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/**
 * A language model that answers with JSON. Rejects with `AppError`: `unavailable` (down, slow, overloaded; with
 * `retryAfterSeconds` where the provider says so), `rate_limited` (the same, for its limits), `invalid` (refused for good:
 * wrong key, unknown model), never with the provider's own text, which may hold what it was sent.
 */
export interface LanguageModel {
  /** Provider and model, e.g. `openai-compatible:qwen3`: differs whenever the answers would. Holds no key. */
  readonly id: string
  readonly maxInputTokens: number
  readonly maxOutputTokens: number
  /** Calls that may run at the same time. */
  readonly maxConcurrent: number
  /** Absent: costs nothing, or nobody said what. */
  readonly price?: Price
  /** One answer, unchecked: `text` should be JSON of the schema, and may be anything. */
  generate(request: GenerateRequest): Promise<GeneratedText>
}

export interface GenerateRequest extends ModelCallOptions {
  /** What the model is to do; never holds text of sources. */
  readonly instructions: string
  /** In turn from `user`; the last is the one to answer. */
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]
  /** What the answer must be. Providers that can are made to keep to it; the caller checks all the same. */
  readonly schema: z.ZodType
  /** Letters, digits and `_`. */
  readonly schemaName: string
  /** At most the model's own limit. */
  readonly maxOutputTokens?: number
  /**
   * Told what the call has cost at most when it ends although the provider may have answered: it was given up, or what
   * came is none of its answers. Nobody knows whether it was paid for.
   */
  readonly onUnheard?: (most: TokenUsage) => void
}

export interface GeneratedText {
  readonly text: string
  readonly usage: TokenUsage
}

/** Compares a question with passages, both read together. */
export interface Reranker {
  readonly id: string
  readonly maxPassages: number
  /** Longest passage that is read, in characters; longer ones are cut. */
  readonly maxCharacters: number
  readonly price?: Price
  /** Relevance of each passage in [0, 1], in their order. */
  rerank(query: string, passages: readonly string[], options?: ModelCallOptions): Promise<Float32Array>
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

/** A price is for a million tokens, so that tokens times dollars are millionths of a dollar. */
export function microDollars({ inputTokens, outputTokens }: TokenUsage, price: Price | undefined): number {
  return price === undefined ? 0 : Math.ceil(inputTokens * price.input + outputTokens * price.output)
}

const ASCII_PER_TOKEN = 4
const LAST_ASCII = 0x7f

/**
 * Tokens that a text takes, without the model's tokenizer: four characters of ASCII are one, and so is each other
 * character. Too many for most texts with accents, about right for English and Chinese, too few for none that was tried.
 */
export function estimateTokens(text: string): number {
  let ascii = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) <= LAST_ASCII) ascii++
  return Math.ceil(ascii / ASCII_PER_TOKEN) + (text.length - ascii)
}

/** The same model, of which at most `maxConcurrent` calls run at a time; further ones wait in order. */
export function limitConcurrency(model: LanguageModel): LanguageModel {
  const permits = new Semaphore(model.maxConcurrent)
  return { ...model, generate: (request) => permits.run({ signal: request.signal }, () => model.generate(request)) }
}
