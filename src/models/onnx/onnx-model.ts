import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../domain/errors.ts'
import type { RerankedPassage } from '../model.ts'
import { missingPackage } from '../model-settings.ts'

/** The source of a model and how it runs. */
export interface OnnxStart {
  readonly task: 'embed' | 'rerank'
  /** A folder, or a name on the hub. */
  readonly model: string
  readonly dtype: Dtype
  readonly threads: number
  readonly pooling: 'mean' | 'cls'
  /** The folder for downloads from the hub. */
  readonly cacheFolder: string
  /** Address of the hub; Hugging Face when absent. */
  readonly hub: string | undefined
  /** Address of `@huggingface/transformers`. */
  readonly package: string
}

export type OnnxRequest =
  | { readonly type: 'embed'; readonly texts: readonly string[] }
  | { readonly type: 'rerank'; readonly query: string; readonly passages: readonly RerankedPassage[] }

export interface OnnxModel {
  /** Hash of the model files. */
  readonly digest: string
  /** Dimensions of a vector; 1 for rerankers. */
  readonly dimensions: number
  /** Vectors, one after the other, not normalized; or a relevance for each passage, in [0, 1]. */
  run(request: OnnxRequest): Promise<Float32Array<ArrayBuffer>>
}

/**
 * Loads a model in this process; downloads it first if it is on the hub and was not used before.
 *
 * @throws AppError `invalid` when the package or the files are missing or not such a model; `unavailable` when the hub
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
    // The message names only files and paths, never texts that the model reads.
    const reason = error.message.split('\n', 1)[0]
    if (place.isFolder) throw new AppError('invalid', `The model in ${place.folder} can't be loaded: ${reason}`)
    const remedy = 'Check its name and your network, or set model to a folder.'
    throw new AppError('unavailable', `The model ${place.name} can't be loaded from the hub (${reason}). ${remedy}`)
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
    const { logits } = await classify(
      tokenize(queries, { text_pair: passages.map(({ text }) => text), padding: true, truncation: true }),
    )
    return relevances(logits)
  }
}

/** Cross-encoders return one number per pair, or one for "not relevant" and one for "relevant". */
function relevances({ dims, data }: Tensor): Float32Array<ArrayBuffer> {
  const labels = dims[1] ?? 1
  if (labels > 2) throw new AppError('invalid', `The model is not a reranker: it has ${labels} classes.`)
  const margin = (row: number) => (labels === 1 ? data[row]! : data[row * 2 + 1]! - data[row * 2]!)
  return Float32Array.from({ length: dims[0] ?? 0 }, (_, row) => 1 / (1 + Math.exp(-margin(row))))
}

/** The suffix of the file name `model`, by dtype. */
const FILE_SUFFIXES = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
} as const
export type Dtype = keyof typeof FILE_SUFFIXES

/** The location of the model files. */
interface ModelPlace {
  /** The argument for the package: an absolute path, or a name on the hub. */
  readonly name: string
  readonly isFolder: boolean
  /** Its folder, once it is loaded. */
  readonly folder: string
}

/** A path starts with `/`, `./`, `../`, `~/` or a drive letter; anything else is a name on the hub. */
function modelPlace(model: string, cacheFolder: string): ModelPlace {
  if (!/^(\.{0,2}[/\\]|~[/\\]|[A-Za-z]:[/\\])/.test(model)) {
    return { name: model, isFolder: false, folder: join(cacheFolder, model) }
  }
  const folder = resolve(model.replace(/^~(?=[/\\])/, () => homedir()))
  return { name: folder, isFolder: true, folder }
}

/**
 * The subfolder with the .onnx files, usually `onnx`.
 *
 * @throws AppError `invalid` when the file of a dtype is missing
 */
function onnxSubfolder({ folder, isFolder }: ModelPlace, dtype: Dtype): string {
  if (!isFolder) return 'onnx'
  const file = `model${FILE_SUFFIXES[dtype]}.onnx`
  const found = ['onnx', ''].find((subfolder) => existsSync(join(folder, subfolder, file)))
  if (found !== undefined && existsSync(join(folder, 'config.json'))) return found
  const missing = found === undefined ? join('onnx', file) : 'config.json'
  throw new AppError(
    'invalid',
    `${folder} has no ${missing}. Set model to the folder of an ONNX model, and dtype to one it has.`,
  )
}

/** Hash of every file that affects the results. */
async function digestOfFiles({ folder }: ModelPlace, subfolder: string, dtype: Dtype): Promise<string> {
  const weights = `model${FILE_SUFFIXES[dtype]}.onnx`
  const files = [
    ...['config.json', 'tokenizer.json', 'tokenizer_config.json'].filter((name) => existsSync(join(folder, name))),
    // Large models keep their weights in separate files.
    ...readdirSync(join(folder, subfolder))
      .filter((name) => name.startsWith(weights))
      .sort()
      .map((name) => join(subfolder, name)),
  ]
  const hash = createHash('sha256')
  for (const file of files) await pipeline(createReadStream(join(folder, file)), hash, { end: false })
  return hash.digest('hex').slice(0, 12)
}

/** The used part of `@huggingface/transformers`. The package is optional, so its own types may be missing. */
interface TransformersPackage {
  readonly env: {
    logLevel: number
    allowLocalModels: boolean
    allowRemoteModels: boolean
    cacheDir: string | null
    remoteHost: string
  }
  readonly LogLevel: { readonly NONE: number }
  readonly AutoTokenizer: { from_pretrained(model: string, options: object): Promise<Tokenizer> }
  readonly AutoModelForSequenceClassification: { from_pretrained(model: string, options: object): Promise<Classifier> }
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<FeatureExtractor>
}

interface Tensor {
  readonly dims: readonly number[]
  readonly data: ArrayLike<number>
}

interface Disposable {
  dispose(): Promise<unknown>
}

interface FeatureExtractor extends Disposable {
  (texts: readonly string[], options: { pooling: 'mean' | 'cls' }): Promise<Tensor>
}

type Tokenizer = (
  texts: readonly string[],
  options: { text_pair: readonly string[]; padding: true; truncation: true },
) => object

interface Classifier extends Disposable {
  (inputs: object): Promise<{ readonly logits: Tensor }>
}

export const TRANSFORMERS_PACKAGE = '@huggingface/transformers'

const OFFLINE =
  'On a machine without internet access, set ONNXRUNTIME_NODE_INSTALL=skip first, so that its install script downloads nothing.'

/**
 * @param address of the package: its name, or the path of a module
 * @throws AppError `invalid` when it is not installed, or cannot be loaded
 */
async function loadTransformers(address: string): Promise<TransformersPackage> {
  try {
    return await import(address)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if ('code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
      throw new AppError('invalid', `${missingPackage('onnx', TRANSFORMERS_PACKAGE)} ${OFFLINE}`)
    }
    const reason = error.message.split('\n', 1)[0]
    throw new AppError(
      'invalid',
      `${TRANSFORMERS_PACKAGE} can't be loaded (${reason}). Install it again with --include=optional.`,
    )
  }
}
