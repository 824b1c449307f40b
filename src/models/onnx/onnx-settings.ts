import { availableParallelism } from 'node:os'
import type { Dtype } from './onnx-files.ts'
import type { OnnxStart } from './onnx-model.ts'
import { TRANSFORMERS_PACKAGE } from './transformers-package.ts'

export interface OnnxSurroundings {
  /** Keeps what is downloaded from the hub. */
  readonly cacheFolder: string
  /** Address of `@huggingface/transformers`, where it is not installed beside recalld. */
  readonly package?: string | undefined
}

interface OnnxSettings {
  readonly model: string
  readonly url?: string | undefined
  readonly dtype?: Dtype | undefined
  readonly threads?: number | undefined
  readonly pooling?: 'mean' | 'cls' | undefined
}

/** More threads make one text no faster, and take the processor from everything else. */
const MOST_THREADS = 4

export function onnxStart(
  task: OnnxStart['task'],
  settings: OnnxSettings,
  { cacheFolder, package: address = TRANSFORMERS_PACKAGE }: OnnxSurroundings,
): OnnxStart {
  const half = Math.max(1, Math.floor(availableParallelism() / 2))
  return {
    task,
    model: settings.model,
    dtype: settings.dtype ?? 'fp32',
    threads: settings.threads ?? Math.min(MOST_THREADS, half),
    pooling: settings.pooling ?? 'mean',
    cacheFolder,
    hub: settings.url,
    package: address,
  }
}
