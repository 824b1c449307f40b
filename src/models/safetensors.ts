import { z } from 'zod'
import { AppError } from '../domain/errors.ts'

export interface StoredTensor {
  readonly shape: readonly number[]
  readonly data: Int8Array | Float32Array
}

const headerSchema = z.record(
  z.string(),
  z.looseObject({
    dtype: z.string().optional(),
    shape: z.array(z.number().int().nonnegative()).optional(),
    data_offsets: z.tuple([z.number().int(), z.number().int()]).optional(),
  }),
)

/**
 * The tensors of a safetensors file: eight bytes of header length, a JSON header, little-endian data. Reads `I8`, `F32` and
 * `F16`, which becomes `Float32Array`. The result owns its memory.
 *
 * @param wanted the names to read; all when absent
 * @throws AppError `internal` for a wanted tensor of another type, naming it
 */
export function readSafetensors(
  file: Uint8Array,
  wanted: (name: string) => boolean = () => true,
): ReadonlyMap<string, StoredTensor> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const headerEnd = 8 + Number(view.getBigUint64(0, true))
  const header = headerSchema.parse(JSON.parse(new TextDecoder().decode(file.subarray(8, headerEnd))))
  const tensors = new Map<string, StoredTensor>()
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries(header)) {
    if (dtype === undefined || shape === undefined || offsets === undefined || !wanted(name)) continue
    // A copy, which is aligned for its element type and does not reference the file.
    const { buffer } = new Uint8Array(file.subarray(headerEnd + offsets[0], headerEnd + offsets[1]))
    const data = numbers(buffer, dtype)
    if (data === undefined) {
      throw new AppError('internal', `Tensor ${name} has type ${dtype}; only I8, F16 and F32 are supported`)
    }
    tensors.set(name, { shape, data })
  }
  return tensors
}

function numbers(buffer: ArrayBuffer, type: string): StoredTensor['data'] | undefined {
  if (type === 'I8') return new Int8Array(buffer)
  if (type === 'F32') return new Float32Array(buffer)
  if (type === 'F16') return new Float32Array(new Float16Array(buffer))
  return undefined
}
