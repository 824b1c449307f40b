import { readEmbeddingModel } from '../config/model-entry.ts'
import { AppError } from '../domain/errors.ts'
import type { Log } from '../lib/log.ts'
import type { PluggedIn } from '../models/configured/plugged-in.ts'
import { openLocalEmbedder } from '../models/local/local-embedder.ts'
import { isInstalled, isLocalModelName, type LocalModelName } from '../models/local/local-models.ts'
import type { Embedder } from '../models/model.ts'
import { EMBEDDING_SETTINGS } from '../models/model-settings.ts'

/** A model that was opened, and how it is closed. */
export interface OpenedLocalModel {
  readonly name: LocalModelName
  close(): Promise<void>
}

interface FollowedModel {
  readonly files: { readonly models: string; readonly config: string }
  readonly pluggedIn: PluggedIn<Embedder>
  /** The one that the start opened. */
  readonly opened?: OpenedLocalModel
  /** Counts its calls. */
  readonly measure: (embedder: Embedder) => Embedder
  readonly log: Log
}

/**
 * Has the running service use the local model that config.yaml names, and let go of one that it no longer names. Embedding
 * models of other providers change with a restart.
 *
 * @param stack closes the model
 */
export function followLocalModel(followed: FollowedModel, stack: AsyncDisposableStack): () => Promise<void> {
  const model = new LocalModelInUse(followed)
  stack.defer(() => model.close())
  return () => model.follow()
}

class LocalModelInUse {
  readonly #followed: FollowedModel
  #opened: OpenedLocalModel | undefined

  constructor(followed: FollowedModel) {
    this.#followed = followed
    this.#opened = followed.opened
  }

  async close(): Promise<void> {
    await this.#opened?.close()
  }

  async follow(): Promise<void> {
    const { pluggedIn, log } = this.#followed
    // A model of another provider stays until the restart.
    if (pluggedIn.current !== undefined && this.#opened === undefined) return
    const named = this.#named()
    if (named === this.#opened?.name) return
    if (this.#opened !== undefined) {
      const { name, close } = this.#opened
      this.#opened = undefined
      await pluggedIn.replace(undefined)
      await close()
      log.info({ model: name }, 'a local model was removed')
    }
    if (named !== undefined) await this.#open(named)
  }

  async #open(name: LocalModelName): Promise<void> {
    const { files, pluggedIn, measure, log } = this.#followed
    const settings = EMBEDDING_SETTINGS.parse(readEmbeddingModel(files.config))
    const embedder = await openLocalEmbedder({ ...settings, model: name }, files.models)
    this.#opened = { name, close: () => embedder.close() }
    await pluggedIn.replace(measure(embedder))
    log.info({ model: name }, 'a local model was added')
  }

  #named(): LocalModelName | undefined {
    const { files, log } = this.#followed
    try {
      const entry = readEmbeddingModel(files.config)
      const name = String(entry?.model)
      const isNamed = entry?.provider === 'local' && isLocalModelName(name) && isInstalled(name, files.models)
      return isNamed ? name : undefined
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      log.warn({ err: error }, 'config.yaml was changed and cannot be read; models stay as they are')
      return this.#opened?.name
    }
  }
}
