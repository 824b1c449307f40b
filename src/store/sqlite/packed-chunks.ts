import { sourceOfCode, unpackFeatures } from '../search/chunk-columns.ts'
import type { ChunkRow } from '../search/search.ts'

/** A row of `chunk` as it is stored, with the id of its space. */
export interface StoredChunk {
  readonly chunkId: number
  readonly itemKey: number
  readonly ordinal: number
  readonly isTurn: boolean
  readonly source: number
  readonly spaceId: string
  readonly at: number | null
  readonly bodyTerms: number
  readonly metaTerms: number
  readonly vectorBytes: number
  readonly features: Uint8Array
}

const BLOCK_BYTES = 1024 * 1024
/** The first block is smaller, and each further one twice as large: most accounts have few chunks. */
const FIRST_BLOCK_BYTES = 64 * 1024
/** Two 64-bit numbers and eight of 32 bits before the features. */
const HEADER_BYTES = 48
const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT
const WORD_BYTES = Uint32Array.BYTES_PER_ELEMENT
/** Estimated: an entry of the map of positions. */
const ENTRY_BYTES = 48

interface Block {
  readonly numbers: Float64Array
  readonly words: Uint32Array
  readonly bytes: Uint8Array
}

/**
 * Chunks one after another in blocks of bytes, which the garbage collector doesn't look into. A chunk takes 48 bytes beside its
 * features; an object for each would take 700.
 */
export class PackedChunks {
  readonly #blocks: Block[] = []
  /** By chunk id: the block, times its size, plus the offset in it. */
  readonly #positions = new Map<number, number>()
  readonly #spaces: string[] = []
  #end = 0
  #bytes = 0
  #removed = 0

  get bytes(): number {
    return this.#bytes + this.#positions.size * ENTRY_BYTES
  }

  /** Bytes of the chunks that were removed, which are not used again. */
  get removedBytes(): number {
    return this.#removed
  }

  add(chunk: StoredChunk): void {
    const size = recordBytes(chunk.features.byteLength)
    const position = this.#place(size)
    const block = this.#blocks[Math.floor(position / BLOCK_BYTES)]!
    const offset = position % BLOCK_BYTES
    const number = offset / NUMBER_BYTES
    block.numbers[number] = chunk.itemKey
    block.numbers[number + 1] = chunk.at ?? Number.NaN
    const { ordinal, isTurn, source, bodyTerms, metaTerms, vectorBytes, features } = chunk
    const word = offset / WORD_BYTES + 4
    block.words[word] = ordinal
    block.words[word + 1] = isTurn ? 1 : 0
    block.words[word + 2] = source
    block.words[word + 3] = this.#spaceNumber(chunk.spaceId)
    block.words[word + 4] = bodyTerms
    block.words[word + 5] = metaTerms
    block.words[word + 6] = vectorBytes
    block.words[word + 7] = features.byteLength
    block.bytes.set(features, offset + HEADER_BYTES)
    this.#positions.set(chunk.chunkId, position)
  }

  remove(chunkId: number): void {
    const position = this.#positions.get(chunkId)
    if (position === undefined) return
    const { words } = this.#blocks[Math.floor(position / BLOCK_BYTES)]!
    this.#removed += recordBytes(words[(position % BLOCK_BYTES) / WORD_BYTES + 11]!)
    this.#positions.delete(chunkId)
  }

  itemKeyOf(chunkId: number): number | undefined {
    const position = this.#positions.get(chunkId)
    if (position === undefined) return undefined
    return this.#blocks[Math.floor(position / BLOCK_BYTES)]!.numbers[(position % BLOCK_BYTES) / NUMBER_BYTES]
  }

  /** @param spaceId the same string is used where it is equal, because scoring compares thousands */
  row(chunkId: number, itemId: string, spaceId: string | undefined): ChunkRow | undefined {
    const position = this.#positions.get(chunkId)
    if (position === undefined) return undefined
    const { numbers, words, bytes } = this.#blocks[Math.floor(position / BLOCK_BYTES)]!
    const offset = position % BLOCK_BYTES
    const word = offset / WORD_BYTES + 4
    const at = numbers[offset / NUMBER_BYTES + 1]!
    const space = this.#spaces[words[word + 3]!]!
    const start = offset + HEADER_BYTES
    return {
      chunkId,
      itemKey: numbers[offset / NUMBER_BYTES]!,
      itemId,
      sourceType: sourceOfCode(words[word + 2]!),
      ordinal: words[word]!,
      kind: words[word + 1] === 1 ? 'turn' : 'prose',
      at: Number.isNaN(at) ? undefined : at,
      ...unpackFeatures({
        body_terms: words[word + 4]!,
        meta_terms: words[word + 5]!,
        vector_bytes: words[word + 6]!,
        features: bytes.subarray(start, start + words[word + 7]!),
      }),
      spaceId: space === spaceId ? spaceId : space,
    }
  }

  /** Where so many bytes are free. A chunk that is larger than a block has one of its own. */
  #place(size: number): number {
    const last = this.#blocks.at(-1)
    if (last === undefined || this.#end + size > last.bytes.length) {
      const usual = Math.min(BLOCK_BYTES, FIRST_BLOCK_BYTES * 2 ** this.#blocks.length)
      const block = createBlock(Math.max(size, usual))
      this.#blocks.push(block)
      this.#bytes += block.bytes.length
      this.#end = 0
    }
    const position = (this.#blocks.length - 1) * BLOCK_BYTES + this.#end
    this.#end += size
    return position
  }

  #spaceNumber(spaceId: string): number {
    const known = this.#spaces.indexOf(spaceId)
    return known < 0 ? this.#spaces.push(spaceId) - 1 : known
  }
}

/** Whole 64-bit numbers, so that the next chunk begins at one. */
function recordBytes(featureBytes: number): number {
  return HEADER_BYTES + Math.ceil(featureBytes / NUMBER_BYTES) * NUMBER_BYTES
}

function createBlock(bytes: number): Block {
  const buffer = new ArrayBuffer(bytes)
  return { numbers: new Float64Array(buffer), words: new Uint32Array(buffer), bytes: new Uint8Array(buffer) }
}
