import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Embedder } from '../../src/models/model.ts'

const KEY_BYTES = 20

/**
 * Keeps the vectors of passages in a file, so that fitting again does not embed a hundred thousand texts again. Questions are
 * always embedded, because their time is measured.
 */
export function cacheEmbedder(embedder: Embedder, file: string): Embedder {
  const { id, dimensions } = embedder.space
  const known = readVectors(file, dimensions)
  const keyOf = (text: string): string => createHash('sha1').update(`${id}\n${text}`).digest('hex')
  return {
    ...embedder,
    async embed(texts, options) {
      if (options?.purpose === 'query') return embedder.embed(texts, options)
      const missing = [...new Set(texts.filter((text) => !known.has(keyOf(text))))]
      const vectors = missing.length === 0 ? [] : await embedder.embed(missing, options)
      for (const [i, text] of missing.entries()) {
        const vector = vectors[i]!
        known.set(keyOf(text), vector)
        const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
        appendFileSync(file, Buffer.concat([Buffer.from(keyOf(text), 'hex'), bytes]))
      }
      return texts.map((text) => known.get(keyOf(text))!)
    },
  }
}

function readVectors(file: string, dimensions: number): Map<string, Float32Array> {
  const vectors = new Map<string, Float32Array>()
  if (!existsSync(file)) return vectors
  const stored = readFileSync(file)
  const size = KEY_BYTES + 4 * dimensions
  for (let at = 0; at + size <= stored.length; at += size) {
    const vector = stored.buffer.slice(stored.byteOffset + at + KEY_BYTES, stored.byteOffset + at + size)
    vectors.set(stored.toString('hex', at, at + KEY_BYTES), new Float32Array(vector))
  }
  return vectors
}
