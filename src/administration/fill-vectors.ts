import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../config.ts'
import type { Log } from '../lib/log.ts'
import { modelsSettings } from '../models/configured/open-models.ts'
import type { Embedder } from '../models/model.ts'
import type { SpaceRow } from '../store/spaces/spaces.ts'
import type { Store } from '../store/store.ts'
import { createVectorFiller } from '../worker/vector-filler.ts'
import { embeddingDescription, embeddingName } from './embedding-name.ts'

/** Keeps the space of the plugged-in model filled. @param stack ends it */
export async function fillVectors(
  { config, store, embedder, log }: { config: Config; store: Store; embedder: Embedder | undefined; log: Log },
  stack: AsyncDisposableStack,
): Promise<void> {
  const mismatch = await embeddingMismatch(config, store, embedder)
  if (mismatch !== undefined) log.warn(mismatch)
  const filler = createVectorFiller({ spaces: store.spaces, embedder, log })
  stack.defer(() => filler.stop())
  filler.start()
}

/**
 * A sentence when questions are asked in another space than that of the model in config.yaml.
 *
 * @param embedder that model, when it is open; else it is known by its settings
 */
export async function embeddingMismatch(
  config: Config,
  store: Store,
  embedder?: Embedder,
): Promise<string | undefined> {
  const settings = modelsSettings(config.models).embedding
  const active = (await store.spaces.list()).find(({ state }) => state === 'active')
  const remedy = 'run "recalld reindex" to change that.'
  if (settings === undefined) {
    if (active === undefined) return undefined
    return `The memory is indexed with ${embeddingName(active.model)}, which config.yaml does not name any more: ${remedy}`
  }
  const wanted = embeddingDescription(settings)
  const isSame = (space: SpaceRow) =>
    embedder === undefined ? isDeepStrictEqual(space.model, wanted) : space.spaceId === embedder.space.id
  if (active !== undefined && isSame(active)) return undefined
  const is = active === undefined ? 'the built-in model' : embeddingName(active.model)
  return `config.yaml names the embedding model ${embeddingName(wanted)}, but questions are asked with ${is}: ${remedy}`
}
