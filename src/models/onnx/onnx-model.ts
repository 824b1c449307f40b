import { AppError } from '../../domain/errors.ts'
import { type Dtype, digestOfFiles, type ModelPlace, modelPlace, onnxSubfolder } from './onnx-files.ts'
import { loadTransformers, type Tensor, type TransformersPackage } from './transformers-package.ts'

/** What a model is loaded from, and how it computes. */
export interface OnnxStart {
  readonly task: 'embed' | 'rerank'
  /** A folder, or a name of the hub. */
  readonly model: string
  readonly dtype: Dtype
  readonly threads: number
  readonly pooling: 'mean' | 'cls'
  /** Keeps what is downloaded from the hub. */
  readonly cacheFolder: string
  /** Address of the hub; absent: that of Hugging Face. */
  readonly hub: string | undefined
  /** Address of `@huggingface/transformers`. */
  readonly package: string
}

export type OnnxRequest =
  | { readonly type: 'embed'; readonly texts: readonly string[] }
  | { readonly type: 'rerank'; readonly query: string; readonly passages: readonly string[] }

export interface OnnxModel {
  /** Over the files of the model. */
  readonly digest: string
  /** Of a vector; 1 for rerankers. */
  readonly dimensions: number
  /** Vectors, one after the other, not normalised; or a relevance for each passage, in [0, 1]. */
  run(request: OnnxRequest): Promise<Float32Array<ArrayBuffer>>
}

/**
 * Loads a model on this thread, downloading it first when it is one of the hub that was not used before.
 *
 * @throws AppError `invalid` when the package or the files are not there, or are no such model; `unavailable` when the hub
 *   does not answer
 */
export async function openOnnxModel(start: OnnxStart): Promise<OnnxModel> {
  const transformers = await loadTransformers(start.package)
  const place = modelPlace(start.model, start.cacheFolder)
  const subfolder = onnxSubfolder(place, start.dtype)
  const { env, LogLevel } = transformers
  env.logLevel = LogLevel.NONE
  env.allowLocalModels = place.isFolder
  env.allowRemoteModels = !place.isFolder
  env.cacheDir = start.cacheFolder
  if (start.hub !== undefined) env.remoteHost = `${start.hub.replace(/\/+$/, '')}/`
  const { dtype, threads } = start
  const options = { dtype, subfolder, session_options: { intraOpNumThreads: threads, logSeverityLevel: 4 } }
  try {
    const run = await (start.task === 'embed' ? openEmbedder : openReranker)(transformers, place, options, start)
    const dimensions = start.task === 'embed' ? (await run({ type: 'embed', texts: ['memory'] })).length : 1
    return { digest: await digestOfFiles(place, subfolder, dtype), dimensions, run }
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error)) throw error
    // Of its files and their places, nothing of what it is to read.
    const reason = error.message.split('\n', 1)[0]
    if (place.isFolder) throw new AppError('invalid', `The model in ${place.folder} cannot be loaded: ${reason}`)
    const remedy = 'Check its name and the network, or name a folder that holds it.'
    throw new AppError('unavailable', `The model ${place.name} of the hub cannot be loaded (${reason}). ${remedy}`)
  }
}

type Run = OnnxModel['run']

async function openEmbedder(
  { pipeline }: TransformersPackage,
  { name }: ModelPlace,
  options: object,
  { pooling }: OnnxStart,
): Promise<Run> {
  const extract = await pipeline('feature-extraction', name, options)
  return async (request) => {
    if (request.type !== 'embed') throw new TypeError('an embedder cannot rerank')
    return Float32Array.from((await extract(request.texts, { pooling })).data)
  }
}

async function openReranker(
  { AutoTokenizer, AutoModelForSequenceClassification }: TransformersPackage,
  { name }: ModelPlace,
  options: object,
): Promise<Run> {
  const tokenize = await AutoTokenizer.from_pretrained(name, options)
  const classify = await AutoModelForSequenceClassification.from_pretrained(name, options)
  return async (request) => {
    if (request.type !== 'rerank') throw new TypeError('a reranker cannot embed')
    const { query, passages } = request
    const queries = passages.map(() => query)
    const { logits } = await classify(tokenize(queries, { text_pair: [...passages], padding: true, truncation: true }))
    return relevances(logits)
  }
}

/** Cross-encoders have one number for a pair, or one for "not relevant" and one for "relevant". */
function relevances({ dims, data }: Tensor): Float32Array<ArrayBuffer> {
  const labels = dims[1] ?? 1
  if (labels > 2) throw new AppError('invalid', `The model tells ${labels} classes apart: it is no reranker.`)
  const margin = (row: number) => (labels === 1 ? data[row]! : data[row * 2 + 1]! - data[row * 2]!)
  return Float32Array.from({ length: dims[0] ?? 0 }, (_, row) => 1 / (1 + Math.exp(-margin(row))))
}
