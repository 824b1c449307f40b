import { z } from 'zod'
import type { FileSection } from '../../config/file-section.ts'
import { AppError, locatedMessage } from '../../domain/errors.ts'
import { askForObject } from '../ask-for-object.ts'
import type { Embedder, LanguageModel, Reranker } from '../model.ts'
import type { EmbeddingSettings, LanguageSettings, RerankerSettings } from '../model-settings.ts'
import type { OnnxEnvironment } from '../onnx/onnx-models.ts'
import { loadStaticEmbedder, MODEL_FOLDER } from '../static/static-embedder.ts'
import { type ModelsSettings, modelsSettings, openModels } from './open-models.ts'

/** The test result of a configured model. */
export interface ModelTrial {
  readonly kind: 'language' | 'embedding' | 'reranker'
  /** Provider and name. */
  readonly model: string
  /** The problem and its remedy. Absent when the model works. */
  readonly problem?: string
  /** Seconds until the answer. */
  readonly seconds?: number
  /** Throughput per second. */
  readonly rate?: { readonly perSecond: number; readonly unit: 'tokens' | 'texts' | 'passages' }
  /** For language models: whether the first answer matched the schema. */
  readonly keepsToSchema?: boolean
  /** US dollars per million tokens; `unknown` when config.yaml has none; absent for models on this machine. */
  readonly price?: { readonly input: number; readonly output: number } | 'unknown'
}

type Result = Omit<ModelTrial, 'kind' | 'model'>

/**
 * Tests each configured model; a failure does not stop the others.
 *
 * @throws AppError `invalid` when the section in config.yaml is wrong
 */
export async function tryModels(section: FileSection, environment: OnnxEnvironment): Promise<ModelTrial[]> {
  const { language, embedding, reranker } = modelsSettings(section)
  const trials: ModelTrial[] = []
  const attempt = async (kind: ModelTrial['kind'], settings: ModelsSettings) => {
    const { provider = '', model = '' } = settings[kind] ?? {}
    trials.push({ kind, model: `${provider}:${model}`, ...(await tryOne(settings, environment)) })
  }
  if (language) await attempt('language', { language })
  if (embedding) await attempt('embedding', { embedding })
  if (reranker && reranker.provider !== 'none') await attempt('reranker', { reranker })
  return trials
}

/** Tests a language model that is not in config.yaml yet. */
export async function tryLanguageModel(language: LanguageSettings, environment: OnnxEnvironment): Promise<ModelTrial> {
  const model = `${language.provider}:${language.model}`
  return { kind: 'language', model, ...(await tryOne({ language }, environment)) }
}

/** As `tryLanguageModel`. */
export async function tryEmbeddingModel(
  embedding: EmbeddingSettings,
  environment: OnnxEnvironment,
): Promise<ModelTrial> {
  const model = `${embedding.provider}:${embedding.model}`
  return { kind: 'embedding', model, ...(await tryOne({ embedding }, environment)) }
}

/** As `tryLanguageModel`. */
export async function tryReranker(reranker: RerankerSettings, environment: OnnxEnvironment): Promise<ModelTrial> {
  const model = `${reranker.provider}:${reranker.model}`
  return { kind: 'reranker', model, ...(await tryOne({ reranker }, environment)) }
}

/** Of models that run on this machine, which cost nothing. */
const LOCAL_PROVIDERS: ReadonlySet<string> = new Set(['local', 'onnx'])

async function tryOne(settings: ModelsSettings, environment: OnnxEnvironment): Promise<Result> {
  try {
    const { language, embedding, reranker, close } = await openModels(settings, environment)
    try {
      if (language) return await tryLanguage(language.model)
      if (embedding) return await tryEmbedder(embedding, LOCAL_PROVIDERS.has(settings.embedding?.provider ?? ''))
      return reranker ? await tryOrder(reranker) : {}
    } finally {
      await close()
    }
  } catch (error) {
    if (error instanceof AppError) return { problem: locatedMessage(error) }
    throw error
  }
}

const NOTE = z.strictObject({
  headline: z.string().min(1).describe('A short title of the note.'),
  people: z.array(z.string()).describe('Names of the people in it.'),
  decisions: z.array(z.string()).describe('The decisions, one sentence each.'),
})

const NOTE_TEXT =
  'Ada and Bob met on Monday. They moved the launch of the shop from Friday to the week after, because the payment provider is not ready. Bob tells the customers, Ada asks the provider for a date.'

async function tryLanguage(model: LanguageModel): Promise<Result> {
  const [{ repaired, usage }, seconds] = await timed(() =>
    askForObject(model, {
      instructions: 'Summarize the note.',
      messages: [{ role: 'user', text: NOTE_TEXT }],
      schema: NOTE,
      schemaName: 'summary',
    }),
  )
  return {
    seconds,
    rate: { perSecond: usage.outputTokens / seconds, unit: 'tokens' },
    keepsToSchema: !repaired,
    price: model.price ?? 'unknown',
  }
}

const QUESTION = 'When is the launch of the shop?'
const ABOUT_IT = 'The launch of the shop is on Friday.'
const NOT_ABOUT_IT = 'Carrots want sandy soil and much water.'
/** Enough texts to measure the throughput. */
const TEXTS = 16

async function tryEmbedder(embedder: Embedder, isLocal: boolean): Promise<Result> {
  const [[question], seconds] = await timed(() => embedder.embed([QUESTION], { purpose: 'query' }))
  const texts = Array.from({ length: TEXTS }, (_, index) => (index === 0 ? ABOUT_IT : NOT_ABOUT_IT))
  const [[about, notAbout], batchSeconds] = await timed(() => embedder.embed(texts))
  if (dot(question, about) <= dot(question, notAbout)) {
    return {
      problem: 'It responds, but does not distinguish related texts from others. Check model, prefixes and pooling.',
    }
  }
  const rate = { perSecond: TEXTS / batchSeconds, unit: 'texts' } as const
  return { seconds, rate, ...(!isLocal && { price: embedder.price ?? 'unknown' }) }
}

async function tryOrder(reranker: Reranker): Promise<Result> {
  const passages = Array.from({ length: TEXTS }, (_, index) => ({ text: index === 0 ? ABOUT_IT : NOT_ABOUT_IT }))
  const [[about = 0, notAbout = 0], seconds] = await timed(() => reranker.rerank(QUESTION, passages))
  if (about <= notAbout) {
    return {
      problem: 'It responds, but does not prefer the passage with the answer. Check that the model is a reranker.',
    }
  }
  return { seconds, rate: { perSecond: TEXTS / seconds, unit: 'passages' } }
}

async function timed<T>(work: () => Promise<T>): Promise<[T, seconds: number]> {
  const startedAt = performance.now()
  const value = await work()
  // Avoid division by zero if the clock did not advance.
  return [value, Math.max(performance.now() - startedAt, 1) / 1_000]
}

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a?.reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0) ?? 0
}

/** Loads the built-in embedding model and computes a vector. @returns the problem, or `undefined` when it works */
export async function modelProblem(): Promise<string | undefined> {
  try {
    const embedder = await loadStaticEmbedder(MODEL_FOLDER)
    const [vector] = await embedder.embed(['memory'])
    if (vector?.some((value) => value !== 0)) return undefined
    return `The model in ${MODEL_FOLDER} is empty. Reinstall recalld.`
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `The model in ${MODEL_FOLDER} can't be loaded (${reason}). Reinstall recalld.`
  }
}
