import type { IndexedChunk } from '../../domain/document.ts'
import { SOURCE_TYPES, type SourceType } from '../../domain/source-type.ts'
import type { ChunkRow } from './search.ts'

/** Stored with every chunk instead of the name. Persisted: numbers are never changed or reused. */
const CODES: Readonly<Record<SourceType, number>> = {
  text: 1,
  email: 2,
  pdf: 3,
  stream: 4,
  browser: 5,
  vscode: 6,
  calendar: 7,
  github: 8,
  slack: 9,
  asana: 10,
  claude_code: 11,
  cursor: 12,
  codex: 13,
  google_meets: 14,
  technical_docs: 15,
  weekly_updates: 16,
  gdocs: 17,
  tasks: 18,
  contacts: 19,
  youtube: 20,
  photos: 21,
  books: 22,
  fit: 23,
  'ms-outlook': 24,
  'ms-calendar': 25,
  'ms-teams': 26,
  'ms-onedrive': 27,
  'ms-sharepoint': 28,
}

export function sourceCode(source: SourceType): number {
  return CODES[source]
}

/** @throws Error when no source type has the number */
export function sourceOfCode(code: number): SourceType {
  const source = SOURCE_TYPES.find((each) => CODES[each] === code)
  if (source === undefined) throw new Error(`No source type has the number ${code}`)
  return source
}

/**
 * The ranking features of a chunk as one blob: the vector (int8, unit vector times 127), zero padding to a multiple of
 * four, hashes of the body terms, hashes of the meta terms (32 bit each), token ids (16 bit each). Little-endian, like
 * every machine that Node supports.
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
  features.set(arrayBytes(bodyHashes), start)
  features.set(arrayBytes(metaHashes), start + bodyHashes.byteLength)
  features.set(arrayBytes(tokens), start + bodyHashes.byteLength + metaHashes.byteLength)
  return { vectorBytes, features }
}

/** Views of the parts; nothing is copied when the blob is at the start of its buffer. */
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

function arrayBytes(array: Uint32Array | Uint16Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}
