import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'

/** One vector per token of the vocabulary: row `id` is `rows[id * dimensions ...] * scales[id]`. */
export interface TokenTable {
  readonly size: number
  readonly dimensions: number
  readonly rows: Int8Array | Float32Array
  readonly scales: Float32Array
  /** 1 / Euclidean length of the unscaled row; 0 for rows without a direction. */
  readonly inverseLengths: Float32Array
}

/** Token ids are stored in 16 bits with each passage. */
const MAX_VOCABULARY = 65_536

/** Takes the tensors `embeddings` [vocabulary, dimensions] and, for quantised tables, `scales` [vocabulary]. */
export function createTokenTable(tensors: ReadonlyMap<string, Tensor>): TokenTable {
  const embeddings = tensors.get('embeddings')
  const [size, dimensions] = embeddings?.shape ?? []
  if (embeddings === undefined || size === undefined || dimensions === undefined) {
    throw new AppError('internal', 'The embedding model has no tensor "embeddings" of two dimensions')
  }
  if (size > MAX_VOCABULARY) throw new AppError('internal', `The embedding model has ${size} tokens; at most 65536 fit`)
  const scales = tensors.get('scales')?.data ?? new Float32Array(size).fill(1)
  if (!(scales instanceof Float32Array) || scales.length !== size) {
    throw new AppError('internal', 'The tensor "scales" of the embedding model must be F32, one for each row')
  }
  const rows = embeddings.data
  return { size, dimensions, rows, scales, inverseLengths: inverseLengths(rows, size, dimensions) }
}

function inverseLengths(rows: Int8Array | Float32Array, size: number, dimensions: number): Float32Array {
  const result = new Float32Array(size)
  for (let id = 0; id < size; id++) {
    let squares = 0
    for (let i = id * dimensions; i < (id + 1) * dimensions; i++) squares += rows[i]! * rows[i]!
    result[id] = squares > 0 ? 1 / Math.sqrt(squares) : 0
  }
  return result
}

const headerSchema = z.record(
  z.string(),
  z.looseObject({
    dtype: z.string().optional(),
    shape: z.array(z.number().int().nonnegative()).optional(),
    data_offsets: z.tuple([z.number().int(), z.number().int()]).optional(),
  }),
)

interface Tensor {
  readonly shape: readonly number[]
  readonly data: Int8Array | Float32Array
}

/**
 * The tensors of a safetensors file: eight bytes of header length, a JSON header, little-endian data. Reads `I8` and
 * `F32`; tensors of other types are an `internal` error that names them. The result owns its memory.
 */
export function readSafetensors(file: Uint8Array): ReadonlyMap<string, Tensor> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const headerEnd = 8 + Number(view.getBigUint64(0, true))
  const header = headerSchema.parse(JSON.parse(new TextDecoder().decode(file.subarray(8, headerEnd))))
  const tensors = new Map<string, Tensor>()
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries(header)) {
    if (dtype === undefined || shape === undefined || offsets === undefined) continue
    // A copy: aligned for its element type, and free of the file.
    const bytes = new Uint8Array(file.subarray(headerEnd + offsets[0], headerEnd + offsets[1]))
    if (dtype === 'I8') tensors.set(name, { shape, data: new Int8Array(bytes.buffer) })
    else if (dtype === 'F32') tensors.set(name, { shape, data: new Float32Array(bytes.buffer) })
    else throw new AppError('internal', `Tensor ${name} has type ${dtype}; the embedding model must hold I8 or F32`)
  }
  return tensors
}
