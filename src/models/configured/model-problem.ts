import { loadStaticEmbedder, MODEL_FOLDER } from '../static/static-embedder.ts'

/** Loads the built-in embedding model and asks it for a vector. @returns what is wrong; `undefined` when it answers */
export async function modelProblem(): Promise<string | undefined> {
  try {
    const embedder = await loadStaticEmbedder(MODEL_FOLDER)
    const [vector] = await embedder.embed(['memory'])
    if (vector?.some((value) => value !== 0)) return undefined
    return `The model in ${MODEL_FOLDER} knows no word: install recalld again.`
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `The model in ${MODEL_FOLDER} cannot be loaded (${reason}): install recalld again.`
  }
}
