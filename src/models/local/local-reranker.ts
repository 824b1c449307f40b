import type { RerankerSettings } from '../model-settings.ts'
import { type ProcessReranker, rerankInProcess, usualThreads } from '../onnx/onnx-models.ts'
import { OnnxRunner } from '../onnx/onnx-runner.ts'
import { type LocalModelName, localModelFiles } from './local-models.ts'

/** Weight of its scores in the order (decision 72). */
const PART = 0.4
/** The mix alone tells better whether anything answers (decision 72). */
const CERTAINTY = 0
/** Passages that it reads unless the settings say otherwise; more find little and take longer (decision 72). */
const USUAL_PASSAGES = 9

/**
 * Loads the reranker that is installed with a local model, in its own process.
 * @param folder the folder of models in the home
 * @throws AppError `invalid` when it is not installed, or its files or the engine cannot be loaded
 */
export async function openLocalReranker(
  settings: RerankerSettings & { readonly model: LocalModelName },
  folder: string,
): Promise<ProcessReranker> {
  const { model, threads = usualThreads(), timeout_seconds: seconds } = settings
  const files = localModelFiles(model, folder)
  const runner = new OnnxRunner({ task: 'local reranker', model, files, threads }, seconds * 1_000)
  const { digest } = await runner.open()
  const { max_passages: maxPassages = USUAL_PASSAGES, max_characters: maxCharacters } = settings
  return rerankInProcess(runner, {
    id: `local:${model}:${digest}`,
    maxPassages,
    maxCharacters,
    part: PART,
    certainty: CERTAINTY,
  })
}
