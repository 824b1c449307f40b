import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import type { Embedder, RerankedPassage, Reranker } from '../model.ts'
import type { EmbeddingSettings, RerankerSettings } from '../model-settings.ts'
import { preparationDigest, preparedText, unitVector } from '../prepare-embedding.ts'
import { type Dtype, type OnnxStart, TRANSFORMERS_PACKAGE } from './onnx-model.ts'
import { OnnxRunner } from './onnx-runner.ts'

/** Texts per batch; a question waits at most this long. */
const TEXTS_IN_ONE_GO = 8

/** An embedder in its own process. */
export interface ProcessEmbedder extends Embedder {
  close(): Promise<void>
}

/**
 * Loads an ONNX embedding model in its own process. Its space is named after the hash of its files.
 *
 * @throws AppError as `openOnnxModel`
 */
export async function openOnnxEmbedder(
  settings: EmbeddingSettings,
  environment: OnnxEnvironment,
): Promise<ProcessEmbedder> {
  const runner = new OnnxRunner(onnxStart('embed', settings, environment), settings.timeout_seconds * 1_000)
  const { digest, dimensions } = await runner.open()
  const { dtype = 'fp32', pooling = 'mean' } = settings
  const id = `onnx:${basename(settings.model)}:${dimensions}:${digest}:${dtype}-${pooling}`
  return embedInProcess(runner, { id, dimensions, settings, textsInOneGo: TEXTS_IN_ONE_GO })
}

interface ProcessSpace {
  /** The space, without the settings for preparing texts. */
  readonly id: string
  readonly dimensions: number
  readonly settings: EmbeddingSettings
  readonly textsInOneGo: number
}

/** An embedder that uses an open runner. */
export function embedInProcess(
  runner: OnnxRunner,
  { id, dimensions, settings, textsInOneGo }: ProcessSpace,
): ProcessEmbedder {
  const { max_batch: maxBatch, max_characters: maxCharacters } = settings
  return {
    space: { id: `${id}:${preparationDigest(settings)}`, dimensions },
    maxBatch,
    maxCharacters,
    async embed(texts, { purpose, signal } = {}) {
      const vectors = texts.map(() => new Float32Array(dimensions))
      const prepared = texts.flatMap((text, index) => {
        const seen = preparedText(text, purpose, settings)
        return seen === undefined ? [] : [{ index, seen }]
      })
      for (let start = 0; start < prepared.length; start += textsInOneGo) {
        const some = prepared.slice(start, start + textsInOneGo)
        const request = { type: 'embed', texts: some.map(({ seen }) => seen) } as const
        const numbers = await runner.run(request, { signal, urgent: purpose === 'query' })
        for (const [row, { index }] of some.entries()) {
          vectors[index] = unitVector(numbers.slice(row * dimensions, (row + 1) * dimensions))
        }
      }
      return vectors
    },
    close: () => runner.close(),
  }
}

/** Passages per batch, so that memory stays bounded and an aborted call ends soon. */
const PASSAGES_IN_ONE_GO = 10

/** Passages that are reranked unless the settings say otherwise. */
const USUAL_PASSAGES = 30
/** Weights of such a model in the order and in the relevance. Not measured. */
const PART = 0.7
const CERTAINTY = 0.5

/** A reranker in its own process. */
export interface ProcessReranker extends Reranker {
  close(): Promise<void>
}

/**
 * Loads a cross-encoder in its own process.
 *
 * @throws AppError as `openOnnxModel`
 */
export async function openOnnxReranker(
  settings: RerankerSettings,
  environment: OnnxEnvironment,
): Promise<ProcessReranker> {
  const runner = new OnnxRunner(onnxStart('rerank', settings, environment), settings.timeout_seconds * 1_000)
  const { digest } = await runner.open()
  const { max_passages: maxPassages = USUAL_PASSAGES, max_characters: maxCharacters } = settings
  const id = `onnx:${basename(settings.model)}:${digest}`
  return rerankInProcess(runner, { id, maxPassages, maxCharacters, part: PART, certainty: CERTAINTY })
}

/** A reranker that uses an open runner. */
export function rerankInProcess(runner: OnnxRunner, limits: Omit<Reranker, 'rerank' | 'price'>): ProcessReranker {
  const cut = (text: string) => text.slice(0, limits.maxCharacters).toWellFormed()
  const cutPassage = ({ text, before }: RerankedPassage): RerankedPassage => {
    return { text: cut(text), ...(before !== undefined && { before: cut(before) }) }
  }
  return {
    ...limits,
    async rerank(query, passages, { signal } = {}) {
      const scores = new Float32Array(passages.length)
      for (let start = 0; start < passages.length; start += PASSAGES_IN_ONE_GO) {
        const some = passages.slice(start, start + PASSAGES_IN_ONE_GO).map(cutPassage)
        const request = { type: 'rerank', query: cut(query), passages: some } as const
        scores.set(await runner.run(request, { signal, urgent: true }), start)
      }
      return scores
    },
    close: () => runner.close(),
  }
}

export interface OnnxEnvironment {
  /** The folder for downloads from the hub. */
  readonly cacheFolder: string
  /** Address of `@huggingface/transformers`, if it is not installed next to recalld. */
  readonly package?: string | undefined
}

interface OnnxSettings {
  readonly model: string
  readonly url?: string | undefined
  readonly dtype?: Dtype | undefined
  readonly threads?: number | undefined
  readonly pooling?: 'mean' | 'cls' | undefined
}

/** More threads do not speed up one text and slow down everything else. */
const MOST_THREADS = 4

/** Half of the cores. */
export function usualThreads(): number {
  return Math.min(MOST_THREADS, Math.max(1, Math.floor(availableParallelism() / 2)))
}

export function onnxStart(
  task: OnnxStart['task'],
  settings: OnnxSettings,
  { cacheFolder, package: address = TRANSFORMERS_PACKAGE }: OnnxEnvironment,
): OnnxStart {
  return {
    task,
    model: settings.model,
    dtype: settings.dtype ?? 'fp32',
    threads: settings.threads ?? usualThreads(),
    pooling: settings.pooling ?? 'mean',
    cacheFolder,
    hub: settings.url,
    package: address,
  }
}
