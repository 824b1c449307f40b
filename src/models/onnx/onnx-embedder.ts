import { basename } from 'node:path'
import type { Embedder } from '../model.ts'
import type { EmbeddingSettings } from '../model-settings.ts'
import { preparationDigest, preparedText } from '../prepared-text.ts'
import { unitVector } from '../unit-vector.ts'
import { OnnxRunner } from './onnx-runner.ts'
import { type OnnxSurroundings, onnxStart } from './onnx-settings.ts'

/** Texts computed in one go: a question waits no longer than these take. */
const TEXTS_IN_ONE_GO = 8

/** An embedder with a thread of its own. */
export interface OnnxEmbedder extends Embedder {
  close(): Promise<void>
}

/**
 * Loads an ONNX model for embeddings in a thread of its own. Its space is named after its files.
 *
 * @throws AppError as `openOnnxModel`
 */
export async function openOnnxEmbedder(
  settings: EmbeddingSettings,
  surroundings: OnnxSurroundings,
): Promise<OnnxEmbedder> {
  const runner = new OnnxRunner(onnxStart('embed', settings, surroundings), settings.timeout_seconds * 1_000)
  const { digest, dimensions } = await runner.open()
  const { dtype = 'fp32', pooling = 'mean', max_batch: maxBatch, max_characters: maxCharacters } = settings
  const name = `onnx:${basename(settings.model)}:${dimensions}`
  return {
    space: { id: `${name}:${digest}:${dtype}-${pooling}:${preparationDigest(settings)}`, dimensions },
    maxBatch,
    maxCharacters,
    async embed(texts, { purpose, signal } = {}) {
      const vectors = texts.map(() => new Float32Array(dimensions))
      const prepared = texts.flatMap((text, index) => {
        const seen = preparedText(text, purpose, settings)
        return seen === undefined ? [] : [{ index, seen }]
      })
      for (let start = 0; start < prepared.length; start += TEXTS_IN_ONE_GO) {
        const some = prepared.slice(start, start + TEXTS_IN_ONE_GO)
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
