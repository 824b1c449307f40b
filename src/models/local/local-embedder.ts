import type { EmbeddingSettings } from '../model-settings.ts'
import { embedInProcess, type ProcessEmbedder, usualThreads } from '../onnx/onnx-models.ts'
import { OnnxRunner } from '../onnx/onnx-runner.ts'
import { type LocalModelName, localModelFiles } from './local-models.ts'

/** A question waits for at most this many texts; larger batches are no faster. */
const TEXTS_IN_ONE_GO = 1

/**
 * Loads an installed embedding model in its own process. Its space is named after the hash of its files.
 * @param folder the folder of models in the home
 * @throws AppError as `openLocalModel`
 */
export async function openLocalEmbedder(
  settings: EmbeddingSettings & { readonly model: LocalModelName },
  folder: string,
): Promise<ProcessEmbedder> {
  const { model, threads = usualThreads(), timeout_seconds: seconds } = settings
  const runner = new OnnxRunner(
    { task: 'local', model, files: localModelFiles(model, folder), threads },
    seconds * 1_000,
  )
  const { digest, dimensions } = await runner.open()
  const id = `local:${model}:${dimensions}:${digest}`
  return embedInProcess(runner, { id, dimensions, settings, textsInOneGo: TEXTS_IN_ONE_GO })
}
