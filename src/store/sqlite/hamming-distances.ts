import { createSimdFunction, type SimdFunction, type SimdProgram } from '../../lib/simd-function.ts'

/**
 * Differing bits between a pattern and each of `count` rows of `pattern.length` words, which lie one after the other in
 * `bits`, written to `distances`.
 */
export type MeasureHamming = (bits: Uint32Array, pattern: Uint32Array, count: number, distances: Uint16Array) => void

/** Rows are padded with zeros to whole vectors of 128 bits. */
export const VECTOR_WORDS = 4

/** In the nearest cache of the processor, and the same for every table: a memory of its own for each reserves gigabytes. */
const BLOCK_BYTES = 64 * 1024
const PATTERN_BYTES = 8 * 1024

/** For each row from `row` to `rowsEnd`, the bits that differ from those between `pattern` and `patternEnd`. */
const DISTANCES: SimdProgram = {
  parameters: ['row', 'rowsEnd', 'pattern', 'patternEnd', 'out'],
  integers: ['part'],
  vectors: ['sum'],
  body: `
    loop
      v128.zero  local.set sum
      local.get pattern  local.set part
      loop
        local.get row  v128.load  local.get part  v128.load  v128.xor  i8x16.popcnt
        i16x8.extadd_pairwise_i8x16_u  local.get sum  i16x8.add  local.set sum
        local.get row  i32.const 16  i32.add  local.set row
        local.get part  i32.const 16  i32.add  local.tee part  local.get patternEnd  i32.lt_u  br_if 0
      end
      local.get sum  i32x4.extadd_pairwise_i16x8_s  local.set sum
      local.get out
      local.get sum  i32x4.extract_lane 0  local.get sum  i32x4.extract_lane 1  i32.add
      local.get sum  i32x4.extract_lane 2  i32.add  local.get sum  i32x4.extract_lane 3  i32.add
      i32.store16
      local.get out  i32.const 2  i32.add  local.set out
      local.get row  local.get rowsEnd  i32.lt_u  br_if 0
    end`,
}

/** With SIMD, a third of the time of the plain way; that where SIMD cannot be had. */
export function createHamming(): MeasureHamming {
  const blockAt = PATTERN_BYTES
  const simd = createSimdFunction(DISTANCES, blockAt + 2 * BLOCK_BYTES)
  return simd === undefined ? plainHamming : simdHamming(simd, blockAt)
}

function simdHamming({ memory, run }: SimdFunction, blockAt: number): MeasureHamming {
  const outAt = blockAt + BLOCK_BYTES
  const words = new Uint32Array(memory)
  const out = new Uint16Array(memory, outAt)
  return (bits, pattern, count, distances) => {
    const rowBytes = pattern.byteLength
    if (rowBytes > PATTERN_BYTES) return plainHamming(bits, pattern, count, distances)
    words.set(pattern)
    const rows = Math.floor(BLOCK_BYTES / rowBytes)
    for (let start = 0; start < count; start += rows) {
      const some = Math.min(rows, count - start)
      words.set(bits.subarray(start * pattern.length, (start + some) * pattern.length), blockAt / 4)
      run(blockAt, blockAt + some * rowBytes, 0, rowBytes, outAt)
      distances.set(out.subarray(0, some), start)
    }
  }
}

/** Exported for its test. */
export const plainHamming: MeasureHamming = (bits, pattern, count, distances) => {
  for (let row = 0, word = 0; row < count; row++) {
    let distance = 0
    for (let w = 0; w < pattern.length; w++) distance += countBits(bits[word++]! ^ pattern[w]!)
    distances[row] = distance
  }
}

/** Bits set in 32. Source: Warren, "Hacker's Delight", figure 5-2. */
function countBits(value: number): number {
  let n = value - ((value >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
