import { packagePath } from '../../src/lib/files.ts'
import type { Embedder } from '../../src/models/model.ts'
import { loadStaticEmbedder } from '../../src/models/static/static-embedder.ts'

export const BUILT_IN_MODEL = packagePath('models/static-en-40k')

let loading: Promise<Embedder> | undefined

/** The built-in embedding model. It keeps nothing of what it embeds, and to load it takes longer than most tests. */
export function builtInEmbedder(): Promise<Embedder> {
  loading ??= loadStaticEmbedder(BUILT_IN_MODEL)
  return loading
}
