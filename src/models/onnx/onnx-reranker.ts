import { basename } from 'node:path'
import type { Reranker } from '../model.ts'
import type { RerankerSettings } from '../model-settings.ts'
import { OnnxRunner } from './onnx-runner.ts'
import { type OnnxSurroundings, onnxStart } from './onnx-settings.ts'

/** Passages computed in one go, so that memory stays bounded and a call that nobody waits for any more ends soon. */
const PASSAGES_IN_ONE_GO = 10

/** A reranker with a thread of its own. */
export interface OnnxReranker extends Reranker {
  close(): Promise<void>
}

/**
 * Loads a cross-encoder in a thread of its own.
 *
 * @throws AppError as `openOnnxModel`
 */
export async function openOnnxReranker(
  settings: RerankerSettings,
  surroundings: OnnxSurroundings,
): Promise<OnnxReranker> {
  const runner = new OnnxRunner(onnxStart('rerank', settings, surroundings), settings.timeout_seconds * 1_000)
  const { digest } = await runner.open()
  const { max_passages: maxPassages, max_characters: maxCharacters } = settings
  const cut = (text: string) => text.slice(0, maxCharacters).toWellFormed()
  return {
    id: `onnx:${basename(settings.model)}:${digest}`,
    maxPassages,
    maxCharacters,
    async rerank(query, passages, { signal } = {}) {
      const scores = new Float32Array(passages.length)
      for (let start = 0; start < passages.length; start += PASSAGES_IN_ONE_GO) {
        const some = passages.slice(start, start + PASSAGES_IN_ONE_GO).map(cut)
        const request = { type: 'rerank', query: cut(query), passages: some } as const
        scores.set(await runner.run(request, { signal, urgent: true }), start)
      }
      return scores
    },
    close: () => runner.close(),
  }
}
