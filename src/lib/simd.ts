import { readFileSync } from 'node:fs'
import { packagePath } from './files.ts'

/** The part of WebAssembly that is used here, which Node's types do not declare. */
declare const WebAssembly:
  | {
      readonly Memory: new (limits: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
      readonly Module: new (bytes: Uint8Array) => object
      readonly Instance: new (module: object, imports: object) => { readonly exports: SimdFunctions }
      validate(bytes: Uint8Array): boolean
    }
  | undefined

/** Loops over bytes, 16 at a time, as in simd.wat. Parameters are addresses or lengths in bytes, except `floor`. */
export interface SimdFunctions {
  hammingDistances(row: number, rowsEnd: number, pattern: number, patternEnd: number, out: number): void
  beginMatch(
    table: number,
    dimensions: number,
    lengths: number,
    slots: number,
    query: number,
    queryEnd: number,
    queryLengths: number,
    floor: number,
    rowBytes: number,
    free: number,
    wide: number,
  ): void
  matchTokens(id: number, idsEnd: number, out: number): number
}

export interface Simd extends SimdFunctions {
  /** The memory that the functions read and write. */
  readonly memory: ArrayBuffer
}

const PAGE_BYTES = 65_536

/** The functions of simd.wasm on their own memory; `undefined` if the machine or Node's options do not allow them. */
export function loadSimd(memoryBytes: number): Simd | undefined {
  if (typeof WebAssembly === 'undefined') return undefined
  const bytes = readFileSync(packagePath('src/lib/simd.wasm'))
  if (!WebAssembly.validate(bytes)) return undefined
  const pages = Math.ceil(memoryBytes / PAGE_BYTES)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { caller: { memory } })
  return { ...exports, memory: memory.buffer }
}
