import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { packagePath } from '../../../src/lib/files.ts'
import type { Embedder } from '../../../src/models/model.ts'
import { loadStaticEmbedder, WordTokenizer } from '../../../src/models/static/static-embedder.ts'

interface Expected {
  readonly text: string
  readonly ids: readonly number[]
  readonly vector: readonly number[]
}

const FOLDER = packagePath('models/static-en-40k')
const expected: readonly Expected[] = JSON.parse(
  readFileSync(new URL('../../fixtures/model/vectors.json', import.meta.url), 'utf8'),
)

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

describe('the static embedder', () => {
  let embedder: Embedder
  beforeAll(async () => {
    embedder = await loadStaticEmbedder(FOLDER)
  })

  it.each(expected)('gives the reference vector of "$text"', async ({ text, vector }) => {
    const [actual] = await embedder.embed([text])
    expect(dot(actual!, vector) / Math.sqrt(dot(vector, vector))).toBeGreaterThan(0.999)
  })

  it('gives the reference token ids, from the cache too', () => {
    const tokenizer = new WordTokenizer(JSON.parse(readFileSync(`${FOLDER}/tokenizer.json`, 'utf8')))
    for (let round = 0; round < 2; round++) {
      for (const { text, ids } of expected) expect(tokenizer.encode(text)).toEqual(ids)
    }
  })

  it('names its space after the content of the model', () => {
    expect(embedder.space.id).toMatch(/^static-en-40k:[0-9a-f]{12}$/)
    expect(embedder.space.dimensions).toBe(128)
  })

  it('gives an all-zero vector for a text without tokens', async () => {
    const [vector] = await embedder.embed([' \n '])
    expect(dot(vector!, vector!)).toBe(0)
  })

  it('rejects a folder without a model', async () => {
    await expect(loadStaticEmbedder(`${FOLDER}/absent`)).rejects.toThrow(/ENOENT/)
  })

  describe('its token matcher', () => {
    const passage = (text: string): Uint16Array => embedder.tokens!.encode(text)
    const match = (query: string, ...texts: string[]): Float32Array => {
      const tokens = passage(query)
      return embedder.tokens!.match(tokens, new Float32Array(tokens.length).fill(1), texts.map(passage))
    }

    it('keeps each token once and leaves out punctuation and function words', () => {
      expect(passage('The dog, the dog and the cat!')).toHaveLength(2)
    })

    it('counts an exact match fully, a related word partly and a distant one little', () => {
      const [exact, related, distant] = match('dog', 'my dog', 'my puppy', 'the invoice')
      expect(exact).toBeCloseTo(1, 3)
      expect(related!).toBeLessThan(1)
      expect(related!).toBeGreaterThan(distant!)
    })

    it('adds up over query tokens by their weights and starts each query afresh', () => {
      const tokens = passage('dog invoice')
      const weigh = (...weights: number[]): number =>
        embedder.tokens!.match(tokens, Float32Array.from(weights), [passage('dog')])[0]!
      expect(weigh(1, 0)).toBeCloseTo(1, 3)
      expect(weigh(0, 1)).toBeLessThan(0.5)
      expect(weigh(3, 0)).toBeCloseTo(3, 3)
    })

    it('scores nothing for an empty query or an empty passage', () => {
      expect([...match('', 'dog')]).toEqual([0])
      expect([...match('dog', '')]).toEqual([0])
    })
  })
})
