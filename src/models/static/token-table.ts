import { AppError } from '../../domain/errors.ts'
import type { StoredTensor } from '../safetensors.ts'

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
export function createTokenTable(tensors: ReadonlyMap<string, StoredTensor>): TokenTable {
  const embeddings = tensors.get('embeddings')
  const [size, dimensions] = embeddings?.shape ?? []
  if (embeddings === undefined || size === undefined || dimensions === undefined) {
    throw new AppError('internal', 'The embedding model has no two-dimensional tensor "embeddings"')
  }
  if (size > MAX_VOCABULARY)
    throw new AppError('internal', `The embedding model has ${size} tokens; the maximum is 65536`)
  const scales = tensors.get('scales')?.data ?? new Float32Array(size).fill(1)
  if (!(scales instanceof Float32Array) || scales.length !== size) {
    throw new AppError('internal', 'The tensor "scales" of the embedding model must be F32 with one value per row')
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
