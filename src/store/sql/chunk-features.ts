import type { IndexedChunk } from '../../domain/document.ts'
import type { ChunkRow } from '../store.ts'

/**
 * What ranking needs of a chunk, as one blob: the vector (int8, unit vector times 127), zeros up to a multiple of four,
 * hashes of the body terms, hashes of the meta terms (32 bit each), token ids (16 bit each). Little-endian, as every
 * machine is that Node runs on.
 */
export function packFeatures(chunk: Pick<IndexedChunk, 'vector' | 'bodyHashes' | 'metaHashes' | 'tokens'>): {
  readonly vectorBytes: number
  readonly features: Uint8Array
} {
  const { vector, bodyHashes, metaHashes, tokens } = chunk
  const vectorBytes = vector.some((value) => value !== 0) ? vector.length : 0
  const start = hashStart(vectorBytes)
  const features = new Uint8Array(start + bodyHashes.byteLength + metaHashes.byteLength + tokens.byteLength)
  for (let i = 0; i < vectorBytes; i++) features[i] = Math.max(-127, Math.min(127, Math.round(vector[i]! * 127)))
  features.set(bytesOf(bodyHashes), start)
  features.set(bytesOf(metaHashes), start + bodyHashes.byteLength)
  features.set(bytesOf(tokens), start + bodyHashes.byteLength + metaHashes.byteLength)
  return { vectorBytes, features }
}

/** Views of the parts; nothing is copied when the blob lies at the start of its buffer. */
export function unpackFeatures(row: {
  readonly vector_bytes: number
  readonly body_terms: number
  readonly meta_terms: number
  readonly features: Uint8Array
}): Pick<ChunkRow, 'vector' | 'bodyHashes' | 'metaHashes' | 'tokens'> {
  const { byteOffset } = row.features
  const bytes = byteOffset % Uint32Array.BYTES_PER_ELEMENT === 0 ? row.features : new Uint8Array(row.features)
  const body = bytes.byteOffset + hashStart(row.vector_bytes)
  const meta = body + row.body_terms * Uint32Array.BYTES_PER_ELEMENT
  const tokens = meta + row.meta_terms * Uint32Array.BYTES_PER_ELEMENT
  const end = bytes.byteOffset + bytes.byteLength
  return {
    vector: new Int8Array(bytes.buffer, bytes.byteOffset, row.vector_bytes),
    bodyHashes: new Uint32Array(bytes.buffer, body, row.body_terms),
    metaHashes: new Uint32Array(bytes.buffer, meta, row.meta_terms),
    tokens: new Uint16Array(bytes.buffer, tokens, (end - tokens) / Uint16Array.BYTES_PER_ELEMENT),
  }
}

function hashStart(vectorBytes: number): number {
  return Math.ceil(vectorBytes / Uint32Array.BYTES_PER_ELEMENT) * Uint32Array.BYTES_PER_ELEMENT
}

function bytesOf(array: Uint32Array | Uint16Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}
