import { readIfPresent } from '../config/config-document.ts'
import { modelsSection } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import type { Log } from '../lib/log.ts'
import { modelsSettings, openModels } from '../models/configured/open-models.ts'
import type { PluggedIn } from '../models/configured/plugged-in.ts'
import { isInstalled, isLocalModelName } from '../models/local/local-models.ts'
import type { Embedder } from '../models/model.ts'
import type { EmbeddingSettings } from '../models/model-settings.ts'
import { closing, modelVersion } from './follow-language-model.ts'

/** A model that was opened, and how it is closed. */
export interface OpenedEmbeddingModel {
  readonly settings: EmbeddingSettings
  close(): Promise<void>
}

interface FollowedModel {
  readonly files: { readonly models: string; readonly config: string }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly pluggedIn: PluggedIn<Embedder>
  /** The one that the start opened. */
  readonly opened?: OpenedEmbeddingModel
  /** Counts its calls. */
  readonly measure: (embedder: Embedder) => Embedder
  readonly log: Log
}

/**
 * Has the running service use the embedding model that config.yaml names, and let go of one that it no longer names.
 * Those of the provider onnx, which may have to be downloaded, change with a restart.
 *
 * @param stack closes the model
 */
export function followEmbeddingModel(followed: FollowedModel, stack: AsyncDisposableStack): () => Promise<void> {
  const model = new EmbeddingModelInUse(followed)
  stack.defer(() => model.close())
  return () => model.follow()
}

class EmbeddingModelInUse {
  readonly #followed: FollowedModel
  #opened: OpenedEmbeddingModel | undefined
  #version: string

  constructor(followed: FollowedModel) {
    this.#followed = followed
    this.#opened = followed.opened
    this.#version = modelVersion(followed.opened?.settings)
  }

  async close(): Promise<void> {
    await this.#followed.pluggedIn.settled()
    await this.#opened?.close()
  }

  async follow(): Promise<void> {
    const { pluggedIn, log } = this.#followed
    const named = this.#named()
    if (named === 'as before' || named?.provider === 'onnx' || this.#opened?.settings.provider === 'onnx') return
    const version = modelVersion(named)
    if (version === this.#version) return
    if (this.#opened !== undefined) {
      const { settings, close } = this.#opened
      this.#opened = undefined
      this.#version = ''
      await pluggedIn.replace(undefined, closing(close, log))
      log.info({ model: settings.model }, 'an embedding model was removed')
    }
    if (named !== undefined) await this.#open(named)
    this.#version = version
  }

  async #open(settings: EmbeddingSettings): Promise<void> {
    const { files, pluggedIn, measure, log } = this.#followed
    const { embedding, close } = await openModels({ embedding: settings }, { cacheFolder: files.models })
    this.#opened = { settings, close }
    await pluggedIn.replace(embedding && measure(embedding), () => Promise.resolve())
    log.info({ model: settings.model }, 'an embedding model was added')
  }

  #named(): EmbeddingSettings | 'as before' | undefined {
    const { files, env, log } = this.#followed
    try {
      const { embedding } = modelsSettings(modelsSection(readIfPresent(files.config) ?? '', env))
      const { model } = embedding ?? { model: '' }
      const isMissing = embedding?.provider === 'local' && isLocalModelName(model) && !isInstalled(model, files.models)
      return isMissing ? undefined : embedding
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      log.warn({ err: error }, 'config.yaml was changed and cannot be read; models stay as they are')
      return 'as before'
    }
  }
}
