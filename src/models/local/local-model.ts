import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import type { OnnxModel } from '../onnx/onnx-model.ts'
import { WordTokenizer } from '../static/static-embedder.ts'
import type { LocalModelFiles } from './local-models.ts'

/** Start data of a local model's thread. */
export interface LocalStart {
  readonly task: 'local'
  readonly model: string
  readonly files: LocalModelFiles
  readonly threads: number
}

/** Word pieces read of a text, including the first and last: sentence-transformers truncates this model there. */
const MOST_PIECES = 256
/** Ids of the vocabulary of BERT. */
const FIRST_PIECE = 101
const LAST_PIECE = 102

/**
 * Loads an installed model on this thread.
 *
 * @throws AppError `invalid` when it is not installed, or its files or the engine cannot be loaded
 */
export async function openLocalModel({ model, files, threads }: LocalStart): Promise<OnnxModel> {
  const again = `Run \`recalld models add ${model}\`.`
  if (!existsSync(files.graph)) throw new AppError('invalid', `The model ${model} is not installed. ${again}`)
  try {
    const graph = readFileSync(files.graph)
    const definition = readFileSync(files.tokenizer)
    const { InferenceSession, Tensor } = loadEngine(files.engine)
    const options = { intraOpNumThreads: threads, interOpNumThreads: 1, logSeverityLevel: 4 }
    const session = await InferenceSession.create(graph, options)
    const tokenizer = new WordTokenizer(bareTokenizer(definition.toString('utf8')))
    const vector = async (text: string): Promise<Float32Array> => {
      const pieces = tokenizer.encode(text).slice(0, MOST_PIECES - 2)
      const ids = BigInt64Array.from([FIRST_PIECE, ...pieces, LAST_PIECE], BigInt)
      return (await session.run({ ids: new Tensor('int64', ids, [1, ids.length]) })).vector.data
    }
    const dimensions = (await vector('memory')).length
    return {
      digest: createHash('sha256').update(graph).update(definition).digest('hex').slice(0, 12),
      dimensions,
      async run(request) {
        if (request.type !== 'embed') throw new TypeError('an embedder cannot rerank')
        const vectors = new Float32Array(request.texts.length * dimensions)
        for (const [row, text] of request.texts.entries()) vectors.set(await vector(text), row * dimensions)
        return vectors
      },
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // The message names only files and paths.
    throw new AppError('invalid', `The model ${model} can't be loaded (${error.message.split('\n', 1)[0]}). ${again}`)
  }
}

const TOKENIZER = z.looseObject({ model: z.looseObject({}) })

/** Without special tokens, which `vector` adds itself. */
function bareTokenizer(definition: string): object {
  return { ...TOKENIZER.parse(JSON.parse(definition)), post_processor: null, truncation: null, padding: null }
}

/** The used part of `onnxruntime-node`, which is installed with the first local model. */
interface Engine {
  readonly InferenceSession: { create(graph: Uint8Array, options: object): Promise<Session> }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, shape: readonly number[]) => object
}

interface Session {
  run(inputs: { readonly ids: object }): Promise<{ readonly vector: { readonly data: Float32Array } }>
}

function loadEngine(folder: string): Engine {
  return createRequire(join(folder, 'engine.js'))('onnxruntime-node')
}
