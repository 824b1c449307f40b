import { describe, expect, test } from 'vitest'
import { openHostedEmbedder } from '../../../src/models/ai-sdk/hosted-embedder.ts'
import type { Embedder } from '../../../src/models/model.ts'
import { EMBEDDING_SETTINGS } from '../../../src/models/model-settings.ts'
import { type EmbeddingsScript, type OpenAiServer, startOpenAiServer } from '../../fakes/openai-server.ts'

function open({ url }: { url: string }, settings: object = {}): Promise<Embedder> {
  const parsed = EMBEDDING_SETTINGS.parse({
    provider: 'openai-compatible',
    model: 'bge-m3',
    url,
    dimensions: 2,
    ...settings,
  })
  return openHostedEmbedder({ ...parsed, provider: 'openai-compatible' })
}

async function startServer(script: EmbeddingsScript): Promise<OpenAiServer> {
  const server = await startOpenAiServer()
  server.embed(script)
  return server
}

/** Its direction tells the length of the text. */
const byLength: EmbeddingsScript = ({ input }) => input.map((text) => [text.length, 1])

describe('an embedder behind an OpenAI-compatible server', () => {
  test('gives a vector of length 1 for each text, in order, in as many calls as the batches need', async () => {
    await using server = await startServer(byLength)
    const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee']
    const vectors = await (await open(server, { max_batch: 2 })).embed(texts)
    expect(server.embeddings.map(({ input }) => input)).toEqual([['a', 'bb'], ['ccc', 'dddd'], ['eeeee']])
    expect(vectors.map(([x = 0, y = 0]) => Math.round(x / y))).toEqual([1, 2, 3, 4, 5])
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 6)
  })

  test('is sent what is to be read: prefixes before, cut at the end, and nothing for what is empty', async () => {
    await using server = await startServer(byLength)
    const settings = { query_prefix: 'Q: ', passage_prefix: 'P: ', max_characters: 100 }
    const model = await open(server, settings)
    const [empty, long] = await model.embed([' \n', 'x'.repeat(150)])
    await model.embed(['when?'], { purpose: 'query' })
    expect(await model.embed([''])).toEqual([new Float32Array(2)])
    expect(empty).toEqual(new Float32Array(2))
    expect(long?.[0]).toBeGreaterThan(0)
    expect(server.embeddings.map(({ input }) => input)).toEqual([[`P: ${'x'.repeat(100)}`], ['Q: when?']])
  })

  test('is of another space when the model, the dimensions, the prefixes or the cut change, and else of the same', async () => {
    await using server = await startServer(byLength)
    const idOf = async (settings: object) => (await open(server, settings)).space.id
    const first = await idOf({})
    expect(first).toMatch(/^openai-compatible:bge-m3:2:[0-9a-f]{8}$/)
    expect(await idOf({ max_batch: 5, timeout_seconds: 5, price: { input: 1 } })).toBe(first)
    const others = [
      { model: 'other' },
      { dimensions: 3 },
      { query_prefix: 'a' },
      { passage_prefix: 'a' },
      { max_characters: 500 },
    ]
    expect(new Set([first, ...(await Promise.all(others.map(idOf)))]).size).toBe(6)
  })

  test.each<[string, EmbeddingsScript, string, string]>([
    ['other dimensions', ({ input }) => input.map(() => [1, 2, 3]), 'invalid', 'Set dimensions to 3'],
    ['too few vectors', () => [[1, 2]], 'unavailable', 'openai-compatible:bge-m3'],
    ['too many vectors', ({ input }) => [...input, ''].map(() => [1, 2]), 'unavailable', 'openai-compatible:bge-m3'],
    ['nothing', () => [], 'unavailable', 'openai-compatible:bge-m3'],
    ['no numbers', ({ input }) => input.map(() => [Number.NaN, 1]), 'unavailable', 'openai-compatible:bge-m3'],
    ['a wrong key', () => ({ status: 401 }), 'invalid', 'rejected the key'],
    ['a limit', () => ({ status: 429, retryAfter: '3' }), 'rate_limited', 'has reached a rate limit'],
    ['a failure', () => ({ status: 500 }), 'unavailable', 'returned an error (HTTP 500)'],
    ['half an answer', () => ({ broken: 'cut off' }), 'unavailable', 'openai-compatible:bge-m3'],
    ['a page', () => ({ broken: 'not json' }), 'unavailable', 'unexpected response'],
  ])('that answers with %s rejects', async (_, script, code, sentence) => {
    await using server = await startServer(script)
    const error = await (await open(server)).embed(['a', 'b']).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code, message: expect.stringContaining(sentence) })
    expect(String(error)).not.toContain('SECRET')
  })

  test('has the price of its settings, and none without', async () => {
    await using server = await startServer(byLength)
    expect((await open(server, { price: { input: 0.02 } })).price).toEqual({ input: 0.02, output: 0 })
    expect((await open(server)).price).toBeUndefined()
  })
})
