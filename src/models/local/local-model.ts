import { createHash, type Hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import type { OnnxModel } from '../onnx/onnx-model.ts'
import { WordTokenizer } from '../static/static-embedder.ts'
import type { LocalModelFiles } from './local-models.ts'

/** Start data of a local model's process. */
export interface LocalStart {
  readonly task: 'local'
  readonly model: string
  readonly files: LocalModelFiles
  readonly threads: number
}

/** Maximum word pieces of a window, including the special first and last: the limit of sentence-transformers for this model. */
const MOST_PIECES = 256
/** Maximum windows of a longer text. Their mean finds more than the first window alone (decision 40). */
const MOST_WINDOWS = 6
/** Part of the space's name, because vectors made in another way can't be compared. */
const POOLING = 'mean of windows'
/** Ids in BERT's vocabulary. */
export const FIRST_PIECE = 101
export const LAST_PIECE = 102

/**
 * Loads an installed model in this process.
 *
 * @throws AppError `invalid` when it is not installed, or its files or the engine cannot be loaded
 */
export async function openLocalModel({ model, files, threads }: LocalStart): Promise<OnnxModel> {
  return withGraph<{ readonly vector: Numbers }>({ model, graph: files.graph, files, threads }, async (loaded) => {
    const { session, tensor, tokenizer, hash } = loaded
    const vectorOf = async (pieces: readonly number[]): Promise<Float32Array> => {
      return (await session.run({ ids: tensor([FIRST_PIECE, ...pieces, LAST_PIECE]) })).vector.data
    }
    const vector = async (text: string): Promise<Float32Array> => {
      const vectors: Float32Array[] = []
      for (const pieces of windowsOf(tokenizer.encode(text))) vectors.push(await vectorOf(pieces))
      return meanDirection(vectors)
    }
    const dimensions = (await vector('memory')).length
    return {
      digest: hash.update(POOLING).digest('hex').slice(0, 12),
      dimensions,
      async run(request) {
        if (request.type !== 'embed') throw new TypeError('an embedder cannot rerank')
        const vectors = new Float32Array(request.texts.length * dimensions)
        for (const [row, text] of request.texts.entries()) vectors.set(await vector(text), row * dimensions)
        return vectors
      },
    }
  })
}

interface GraphPlace {
  readonly model: string
  /** Path of the graph. */
  readonly graph: string
  readonly files: LocalModelFiles
  readonly threads: number
}

interface LoadedGraph<Outputs> {
  readonly session: Session<Outputs>
  /** One text's word pieces, or numbers parallel to them, as an input. */
  tensor(numbers: readonly number[]): object
  readonly tokenizer: WordTokenizer
  /** Of the graph and the tokenizer. */
  readonly hash: Hash
}

/**
 * Loads a graph of an installed model in this process and makes a model of it.
 *
 * @throws AppError `invalid` when it is not installed, or its files or the engine cannot be loaded
 */
export async function withGraph<Outputs>(
  { model, graph: path, files, threads }: GraphPlace,
  open: (graph: LoadedGraph<Outputs>) => OnnxModel | Promise<OnnxModel>,
): Promise<OnnxModel> {
  const again = `Run \`recalld models add ${model}\`.`
  if (!existsSync(path)) throw new AppError('invalid', `The model ${model} is not installed. ${again}`)
  try {
    const graph = readFileSync(path)
    const definition = readFileSync(files.tokenizer)
    const { InferenceSession, Tensor } = loadEngine<Outputs>(files.engine)
    const options = { intraOpNumThreads: threads, interOpNumThreads: 1, logSeverityLevel: 4 }
    return await open({
      session: await InferenceSession.create(graph, options),
      tensor: (numbers) => new Tensor('int64', BigInt64Array.from(numbers, BigInt), [1, numbers.length]),
      tokenizer: new WordTokenizer(bareTokenizer(definition.toString('utf8'))),
      hash: createHash('sha256').update(graph).update(definition),
    })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // The message names only files and paths.
    throw new AppError('invalid', `The model ${model} can't be loaded (${error.message.split('\n', 1)[0]}). ${again}`)
  }
}

/** Splits the pieces of a text into windows. Exported for its test. */
export function windowsOf(pieces: readonly number[]): (readonly number[])[] {
  const size = MOST_PIECES - 2
  const count = Math.min(MOST_WINDOWS, Math.max(1, Math.ceil(pieces.length / size)))
  return Array.from({ length: count }, (_, i) => pieces.slice(i * size, (i + 1) * size))
}

/** The mean of the normalized vectors. */
function meanDirection(vectors: readonly Float32Array[]): Float32Array {
  const [only] = vectors
  if (only !== undefined && vectors.length === 1) return only
  const sum = new Float32Array(only?.length ?? 0)
  for (const vector of vectors) {
    const length = Math.hypot(...vector)
    if (length > 0) for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]! / length
  }
  return sum
}

const TOKENIZER = z.looseObject({ model: z.looseObject({}) })

/** Without special tokens, which the callers add. */
function bareTokenizer(definition: string): object {
  return { ...TOKENIZER.parse(JSON.parse(definition)), post_processor: null, truncation: null, padding: null }
}

/** The used part of `onnxruntime-node`, which is installed with the first local model. */
interface Engine<Outputs> {
  readonly InferenceSession: { create(graph: Uint8Array, options: object): Promise<Session<Outputs>> }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, shape: readonly number[]) => object
}

/** One output of a run. */
export interface Numbers {
  readonly data: Float32Array
}

interface Session<Outputs> {
  run(inputs: Readonly<Record<string, object>>): Promise<Outputs>
}

function loadEngine<Outputs>(folder: string): Engine<Outputs> {
  return createRequire(join(folder, 'engine.js'))('onnxruntime-node')
}
