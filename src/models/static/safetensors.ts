import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'

const headerSchema = z.record(
  z.string(),
  z.looseObject({
    dtype: z.string().optional(),
    shape: z.array(z.number().int().nonnegative()).optional(),
    data_offsets: z.tuple([z.number().int(), z.number().int()]).optional(),
  }),
)

export interface Tensor {
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
