import { pino } from 'pino'
import { systemClock } from '../../src/lib/clock.ts'
import { openLocalEmbedder } from '../../src/models/local/local-embedder.ts'
import { openLocalReranker } from '../../src/models/local/local-reranker.ts'
import type { Embedder, Reranker } from '../../src/models/model.ts'
import { EMBEDDING_SETTINGS, RERANKER_SETTINGS } from '../../src/models/model-settings.ts'
import { backgroundCosine, cosineScale } from '../../src/retrieval/recall/background-cosine.ts'
import type { RecallSources } from '../../src/retrieval/recall/rank-chunks.ts'
import { createReranking } from '../../src/service/question-models.ts'
import { cacheEmbedder } from './cached-embedder.ts'

/** What `recalld models add minilm` installs. */
export interface InstalledModels {
  readonly encoder: Embedder
  readonly reranker: Reranker
}

/**
 * The models that `recalld models add minilm` installed in this folder. `RECALLD_EVAL_VECTORS` names a file that keeps the vectors
 * of passages between runs.
 */
export async function openInstalledModels(folder: string): Promise<InstalledModels & AsyncDisposable> {
  const place = { provider: 'local', model: 'minilm' } as const
  const encoder = await openLocalEmbedder({ ...EMBEDDING_SETTINGS.parse(place), model: 'minilm' }, folder)
  const reranker = await openLocalReranker({ ...RERANKER_SETTINGS.parse(place), model: 'minilm' }, folder)
  const vectors = process.env.RECALLD_EVAL_VECTORS
  return {
    ...unhurried({ encoder: vectors === undefined ? encoder : cacheEmbedder(encoder, vectors), reranker }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([encoder.close(), reranker.close()])
    },
  }
}

/** Without the time limits of a question: a busy machine must not change what is measured. */
function unhurried({ encoder, reranker }: InstalledModels): InstalledModels {
  return {
    encoder: {
      ...encoder,
      embed: (texts, options) => encoder.embed(texts, options?.purpose ? { purpose: options.purpose } : {}),
    },
    reranker: { ...reranker, rerank: (query, passages) => reranker.rerank(query, passages) },
  }
}

/** Its vectors with the tokens of the built-in model, as the product has both. */
export function withTokens(encoder: Embedder, { tokens }: Embedder): Embedder {
  return { ...encoder, ...(tokens && { tokens }) }
}

/** How the product asks with them, beside the built-in model. */
export async function askWith(
  { encoder, reranker }: InstalledModels,
  builtIn: Embedder,
): Promise<Required<Pick<RecallSources, 'embedQuestion' | 'rerank'>>> {
  const scale = cosineScale(await backgroundCosine(builtIn), await backgroundCosine(encoder))
  return {
    async embedQuestion(text, signal) {
      const [vector] = await encoder.embed([text], { purpose: 'query', ...(signal && { signal }) })
      return { vector: vector!, spaceId: encoder.space.id, cosineScale: scale }
    },
    rerank: createReranking({ reranker, clock: systemClock, log: pino({ enabled: false }) }),
  }
}
