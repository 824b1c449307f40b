import { type EmbeddingModel, embedMany } from 'ai'
import { AppError } from '../../domain/errors.ts'
import type { Embedder, EmbedOptions } from '../model.ts'
import type { EmbeddingSettings, LanguageProvider } from '../model-settings.ts'
import { preparationDigest, preparedText, unitVector } from '../prepare-embedding.ts'
import { callModel } from './call-model.ts'
import { openProvider } from './open-provider.ts'

/** Some providers accept one text per request, while the AI SDK would send the whole batch at once. */
const MOST_PARALLEL_CALLS = 4

type HostedSettings = EmbeddingSettings & { readonly provider: LanguageProvider }
type ProviderOptions = NonNullable<Parameters<typeof embedMany>[0]['providerOptions']>

/**
 * An embedder behind the AI SDK. It never retries.
 *
 * @throws AppError `invalid` when the provider's package is not installed, or its key cannot be read
 */
export async function openHostedEmbedder(settings: HostedSettings): Promise<Embedder> {
  const { provider, model: name, dimensions, max_batch: maxBatch, max_characters: maxCharacters } = settings
  const opened = (await openProvider(settings)).embeddingModel?.(name)
  if (opened === undefined || dimensions === undefined) {
    throw new AppError('invalid', `The provider ${provider} can't embed without ${opened ? 'dimensions' : 'a model'}.`)
  }
  const id = `${provider}:${name}`
  const embedBatch = async (texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> => {
    const prepared = texts.map((text) => preparedText(text, options.purpose, settings))
    const sent = prepared.filter((text) => text !== undefined)
    if (sent.length === 0) return texts.map(() => new Float32Array(dimensions))
    const made = await callModel(
      { model: id, timeoutMs: settings.timeout_seconds * 1_000, signal: options.signal },
      (signal) => embeddings({ model: opened, texts: sent, settings, dimensions, options, signal }),
    )
    const vectors = checkedVectors(made, { id, count: sent.length, dimensions })
    let next = 0
    return prepared.map((text) => (text === undefined ? new Float32Array(dimensions) : vectors[next++]!))
  }
  return {
    space: { id: `${id}:${dimensions}:${preparationDigest(settings)}`, dimensions },
    maxBatch,
    maxCharacters,
    ...(settings.price !== undefined && { price: settings.price }),
    async embed(texts, options = {}) {
      const vectors: Float32Array[] = []
      for (let start = 0; start < texts.length; start += maxBatch) {
        vectors.push(...(await embedBatch(texts.slice(start, start + maxBatch), options)))
      }
      return vectors
    },
  }
}

/**
 * The dimensions of a vector as the model makes it.
 * @param settings its dimensions do not matter
 * @throws AppError as an embedder does
 */
export async function measureDimensions(settings: EmbeddingSettings): Promise<number> {
  const { provider, model: name } = settings
  if (provider === 'local' || provider === 'onnx')
    throw new AppError('invalid', `${provider} is not a hosted provider.`)
  const model = (await openProvider({ ...settings, provider })).embeddingModel?.(name)
  const id = `${provider}:${name}`
  if (model === undefined) throw new AppError('invalid', `The provider ${provider} has no embedding models.`)
  const { embeddings } = await callModel(
    { model: id, timeoutMs: settings.timeout_seconds * 1_000, signal: undefined },
    (abortSignal) => embedMany({ model, values: ['memory'], maxRetries: 0, abortSignal }),
  )
  const [vector] = embeddings
  if (vector === undefined || vector.length === 0) throw new AppError('unavailable', `${id} returned no vector.`)
  return vector.length
}

interface EmbeddingsCall {
  readonly model: EmbeddingModel
  readonly texts: string[]
  readonly settings: HostedSettings
  readonly dimensions: number
  readonly options: EmbedOptions
  readonly signal: AbortSignal
}

async function embeddings(call: EmbeddingsCall): Promise<number[][]> {
  const { model, texts, signal } = call
  const { embeddings } = await embedMany({
    model,
    values: texts,
    maxRetries: 0,
    maxParallelCalls: MOST_PARALLEL_CALLS,
    abortSignal: signal,
    providerOptions: providerOptions(call),
  })
  return embeddings
}

/**
 * Provider options: the dimensions, where models support more than one size, and whether a text is a question,
 * where the provider takes that as an option and no prefixes are set.
 */
function providerOptions({ settings, dimensions, options }: EmbeddingsCall): ProviderOptions {
  const { provider, model, query_prefix: query, passage_prefix: passage } = settings
  const isQuery = options.purpose === 'query'
  switch (provider) {
    case 'openai':
    case 'azure':
      return { openai: { dimensions } }
    case 'google': {
      const taskType = isQuery ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT'
      const hasPrefixes = query !== undefined || passage !== undefined
      return { google: { outputDimensionality: dimensions, ...(!hasPrefixes && { taskType }) } }
    }
    case 'bedrock': {
      const sized = model.includes('titan-embed-text-v2') ? { dimensions } : {}
      return { amazonBedrock: { inputType: isQuery ? 'search_query' : 'search_document', ...sized } }
    }
    default:
      return {}
  }
}

interface Expected {
  readonly id: string
  readonly count: number
  readonly dimensions: number
}

/** Returns normalized vectors. @throws AppError when there are too few, or their dimensions are wrong */
function checkedVectors(made: readonly (readonly number[])[], { id, count, dimensions }: Expected): Float32Array[] {
  if (made.length !== count) {
    throw new AppError('unavailable', `${id} returned ${made.length} vectors for ${count} texts.`)
  }
  return made.map((numbers) => {
    if (numbers.length !== dimensions) {
      const found = numbers.length
      throw new AppError(
        'invalid',
        `${id} returns vectors of ${found} dimensions, not ${dimensions}. Set dimensions to ${found}.`,
      )
    }
    const vector = Float32Array.from(numbers)
    if (!vector.every(Number.isFinite)) throw new AppError('unavailable', `${id} returned an invalid vector.`)
    return unitVector(vector)
  })
}
