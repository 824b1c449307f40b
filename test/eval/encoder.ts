import { openLocalEmbedder } from '../../src/models/local/local-embedder.ts'
import type { Embedder } from '../../src/models/model.ts'
import { EMBEDDING_SETTINGS } from '../../src/models/model-settings.ts'

/** The sentence encoder that `recalld models add minilm` installed in this folder. */
export async function openEncoder(folder: string) {
  const settings = EMBEDDING_SETTINGS.parse({ provider: 'local', model: 'minilm' })
  const encoder = await openLocalEmbedder({ ...settings, model: 'minilm' }, folder)
  return { ...encoder, [Symbol.asyncDispose]: () => encoder.close() }
}

/** Its vectors with the tokens of the built-in model, as the product has both. */
export function withTokens(encoder: Embedder, { tokens }: Embedder): Embedder {
  return { ...encoder, ...(tokens && { tokens }) }
}
