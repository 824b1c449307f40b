import { statSync } from 'node:fs'
import { hasReranker, isInstalled, isLocalModelName, localModelFiles } from '../local/local-models.ts'
import type { Rerankers } from '../model.ts'
import { RERANKER_SETTINGS, type RerankerSettings } from '../model-settings.ts'
import type { OnnxEnvironment } from '../onnx/onnx-models.ts'
import { type ModelsSettings, openModels } from './open-models.ts'

/** A reranker that is to be used, and for what. */
export interface NamedReranker {
  readonly settings: RerankerSettings
  /** It comes with the embedding model, and recall keeps its built-in order. */
  readonly answersOnly: boolean
}

export interface OpenedRerankers {
  readonly rerankers: Rerankers
  /** As of `rerankerVersion`. */
  readonly version: string
  close(): Promise<void>
}

/**
 * The one that config.yaml names, otherwise the one that comes with a local embedding model.
 * @param folder the folder of models in the home
 */
export function namedReranker({ embedding, reranker }: ModelsSettings, folder: string): NamedReranker | undefined {
  if (reranker?.provider === 'none') return undefined
  if (reranker !== undefined) return { settings: reranker, answersOnly: false }
  const { provider, model } = embedding ?? { provider: '', model: '' }
  if (provider !== 'local' || !isLocalModelName(model) || !hasReranker(model, folder)) return undefined
  return { settings: RERANKER_SETTINGS.parse({ provider, model }), answersOnly: true }
}

/** Whether it is of a local model that was removed. */
export function isRemoved({ settings: { provider, model } }: NamedReranker, folder: string): boolean {
  return provider === 'local' && isLocalModelName(model) && !isInstalled(model, folder)
}

/** @throws AppError as `openModels` */
export async function openReranker(named: NamedReranker, environment: OnnxEnvironment): Promise<OpenedRerankers> {
  const version = rerankerVersion(named, environment.cacheFolder)
  const { reranker, close } = await openModels({ reranker: named.settings }, environment)
  const rerankers = reranker === undefined ? {} : named.answersOnly ? { answers: reranker } : { recall: reranker }
  return { rerankers, version, close }
}

/** Changes with the settings, the file of the key and the installed file; empty: none. */
export function rerankerVersion(named: NamedReranker | undefined, folder: string): string {
  if (named === undefined) return ''
  const { provider, model, api_key_file: key } = named.settings
  const file = provider === 'local' && isLocalModelName(model) ? localModelFiles(model, folder).reranker : key
  const found = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })
  return JSON.stringify([named, found?.mtimeMs, found?.size])
}
