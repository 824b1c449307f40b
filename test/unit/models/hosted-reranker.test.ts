import { expect, test } from 'vitest'
import { openModels } from '../../../src/models/configured/open-models.ts'
import { RERANKER_SETTINGS } from '../../../src/models/model-settings.ts'
import { type OpenAiServer, startOpenAiServer } from '../../fakes/openai-server.ts'

async function reranker({ url }: OpenAiServer, more: object = {}) {
  const settings = RERANKER_SETTINGS.parse({ provider: 'cohere-compatible', model: 'rank', url, ...more })
  const { reranker: opened } = await openModels({ reranker: settings }, { cacheFolder: '/nowhere' })
  return opened!
}

const PASSAGES = [{ text: 'The dough rests.' }, { text: 'The oven broke.' }, { text: 'Oven and oven.' }]

test('scores come back in the order of the passages, whatever order the server lists them in', async () => {
  await using server = await startOpenAiServer()
  server.rerank(() => [0.1, 0.9, 0.5])
  const model = await reranker(server, { max_characters: 100 })
  const scores = await model.rerank('oven', [...PASSAGES.slice(0, 2), { text: `${'x'.repeat(150)}` }])
  expect([...scores].map((score) => Math.round(score * 10))).toEqual([1, 9, 5])
  expect(server.reranks[0]).toEqual({
    model: 'rank',
    query: 'oven',
    documents: ['The dough rests.', 'The oven broke.', 'x'.repeat(100)],
  })
  expect(await model.rerank('oven', [])).toHaveLength(0)
  expect(server.reranks).toHaveLength(1)
})

test('logits become relevance between 0 and 1', async () => {
  await using server = await startOpenAiServer()
  server.rerank(() => [-5, 5, 0])
  const [low = 1, high = 0, middle] = await (await reranker(server)).rerank('oven', PASSAGES)
  expect(low).toBeLessThan(0.01)
  expect(high).toBeGreaterThan(0.99)
  expect(middle).toBe(0.5)
})

test('failures are named without what was sent, and without the words of the server', async () => {
  await using server = await startOpenAiServer()
  const model = await reranker(server)
  const failure = () => model.rerank('SECRET question', PASSAGES).catch((error: unknown) => error)
  for (const [fault, code, message] of [
    [{ status: 401 }, 'invalid', /rejected the key/],
    [{ status: 429, retryAfter: '7' }, 'rate_limited', /rate limit/],
    [{ status: 503 }, 'unavailable', /HTTP 503/],
    [{ broken: 'hung up' }, 'unavailable', /can't be reached/],
    [{ broken: 'not json' }, 'unavailable', /unexpected response/],
  ] as const) {
    server.rerank(() => fault)
    const error = await failure()
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(JSON.stringify(error) + String(error)).not.toContain('SECRET')
  }
  await server.goDown()
  expect(await failure()).toMatchObject({ code: 'unavailable' })
})

test('whoever stops waiting gets their own reason', async () => {
  await using server = await startOpenAiServer()
  server.rerank(() => ({ broken: 'slow' }))
  const abort = new AbortController()
  const asked = (await reranker(server)).rerank('oven', PASSAGES, { signal: abort.signal })
  abort.abort(new Error('gone'))
  await expect(asked).rejects.toThrow('gone')
})
