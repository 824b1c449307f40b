/** WebAssembly as far as it is used here: the types of Node do not declare it. */
declare const WebAssembly:
  | {
      readonly Memory: new (limits: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
      readonly Module: new (bytes: Uint8Array) => object
      readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly run: Run } }
      validate(bytes: Uint8Array): boolean
    }
  | undefined

type Run = (...parameters: readonly number[]) => void

/** A loop over bytes, 16 at a time. */
export interface SimdFunction {
  /** What the function reads and writes. */
  readonly memory: ArrayBuffer
  readonly run: Run
}

export interface SimdProgram {
  /** Names of 32-bit integers. */
  readonly parameters: readonly string[]
  readonly integers: readonly string[]
  /** Names of vectors of 128 bits. */
  readonly vectors: readonly string[]
  /** In the text format of WebAssembly, one instruction after the other, with the names above and those of `OPERATIONS`. */
  readonly body: string
}

const PAGE_BYTES = 65_536
const I32 = 0x7f
const V128 = 0x7b
const SIMD = 0xfd
/** Alignment (of any kind: 0) and offset of what is read or written. */
const ANYWHERE = [0, 0]

/** WebAssembly Core Specification 2.0, 5.4 "Instructions". Numbers in the text follow as they are. */
const OPERATIONS: ReadonlyMap<string, readonly number[]> = new Map([
  ['loop', [0x03, 0x40]],
  ['end', [0x0b]],
  ['br_if', [0x0d]],
  ['local.get', [0x20]],
  ['local.set', [0x21]],
  ['local.tee', [0x22]],
  ['i32.load', [0x28, ...ANYWHERE]],
  ['i32.store', [0x36, ...ANYWHERE]],
  ['i32.store16', [0x3b, ...ANYWHERE]],
  ['i32.const', [0x41]],
  ['i32.lt_u', [0x49]],
  ['i32.add', [0x6a]],
  ['v128.load', [SIMD, 0x00, ...ANYWHERE]],
  ['v128.zero', [SIMD, 0x0c, ...new Array<number>(16).fill(0)]],
  ['v128.xor', [SIMD, 0x51]],
  ['i8x16.popcnt', [SIMD, 0x62]],
  ['i16x8.extadd_pairwise_i8x16_u', [SIMD, 0x7d]],
  ['i32x4.extadd_pairwise_i16x8_s', [SIMD, 0x7e]],
  ['i16x8.add', [SIMD, 0x8e, 0x01]],
  ['i16x8.extmul_low_i8x16_s', [SIMD, 0x9c, 0x01]],
  ['i16x8.extmul_high_i8x16_s', [SIMD, 0x9d, 0x01]],
  ['i32x4.add', [SIMD, 0xae, 0x01]],
  ['i32x4.extract_lane', [SIMD, 0x1b]],
])

/** `undefined` where the machine, or how the process was started, does not allow it. */
export function createSimdFunction(program: SimdProgram, memoryBytes: number): SimdFunction | undefined {
  if (typeof WebAssembly === 'undefined') return undefined
  const bytes = assemble(program)
  if (!WebAssembly.validate(bytes)) return undefined
  const pages = Math.ceil(memoryBytes / PAGE_BYTES)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const { run } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { only: { memory } }).exports
  return { memory: memory.buffer, run }
}

/** A module of one function, `run`, on a memory that is handed in. */
function assemble({ parameters, integers, vectors, body }: SimdProgram): Uint8Array {
  const locals = [...parameters, ...integers, ...vectors]
  const instructions = body.split(/\s+/).flatMap((word) => OPERATIONS.get(word) ?? numberOf(word, locals))
  const code = [2, integers.length, I32, vectors.length, V128, ...instructions, ...OPERATIONS.get('end')!]
  return Uint8Array.from([
    ...[0, ...Buffer.from('asm'), 1, 0, 0, 0],
    ...section(1, [1, 0x60, parameters.length, ...parameters.map(() => I32), 0]),
    ...section(2, [1, ...name('only'), ...name('memory'), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('run'), 0, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ])
}

function numberOf(word: string, locals: readonly string[]): readonly number[] {
  if (word === '') return []
  return [/^\d+$/.test(word) ? Number(word) : locals.indexOf(word)]
}

function name(text: string): readonly number[] {
  return [text.length, ...Buffer.from(text)]
}

function section(id: number, content: readonly number[]): readonly number[] {
  return [id, ...unsigned(content.length), ...content]
}

/** LEB128 */
function unsigned(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}
