import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { openHostedEmbedder } from '../../../src/models/ai-sdk/hosted-embedder.ts'
import { openLanguageModel } from '../../../src/models/ai-sdk/language-model.ts'
import { askForObject } from '../../../src/models/ask-for-object.ts'
import { EMBEDDING_SETTINGS, LANGUAGE_SETTINGS, type LanguageProvider } from '../../../src/models/model-settings.ts'

/** How the providers answer, as their own documentation of the interface shows it; reduced to what is read. */
const SAID = { headline: 'Lunch moved' }
const TEXT = JSON.stringify(SAID)

const CHAT_COMPLETION = {
  id: '1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 21, completion_tokens: 5, total_tokens: 26 },
}

interface Language {
  readonly settings: object
  readonly answer: object
  /** What must stand in the request. */
  readonly path: string
  readonly key: readonly [header: string, value: string]
  readonly sent: object
}

const LANGUAGE: Readonly<Record<Exclude<LanguageProvider, 'openai-compatible'>, Language>> = {
  openai: {
    settings: { model: 'gpt-4.1-mini', api_key: 'k' },
    answer: CHAT_COMPLETION,
    path: '/chat/completions',
    key: ['authorization', 'Bearer k'],
    sent: { model: 'gpt-4.1-mini', response_format: { type: 'json_schema', json_schema: { name: 'summary' } } },
  },
  azure: {
    settings: { model: 'my-deployment', api_key: 'k' },
    answer: CHAT_COMPLETION,
    path: '/chat/completions',
    key: ['api-key', 'k'],
    sent: { model: 'my-deployment', response_format: { type: 'json_schema' } },
  },
  mistral: {
    settings: { model: 'mistral-small-latest', api_key: 'k' },
    answer: CHAT_COMPLETION,
    path: '/chat/completions',
    key: ['authorization', 'Bearer k'],
    sent: { model: 'mistral-small-latest', max_tokens: 2_000 },
  },
  anthropic: {
    settings: { model: 'claude-haiku-4-5', api_key: 'k' },
    answer: {
      type: 'message',
      id: '1',
      model: 'm',
      role: 'assistant',
      content: [{ type: 'text', text: TEXT }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 21, output_tokens: 5 },
    },
    path: '/messages',
    key: ['x-api-key', 'k'],
    sent: { model: 'claude-haiku-4-5', max_tokens: 2_000, system: [{ text: 'Summarize.' }] },
  },
  google: {
    settings: { model: 'gemini-2.5-flash', api_key: 'k' },
    answer: {
      candidates: [{ content: { role: 'model', parts: [{ text: TEXT }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 21, candidatesTokenCount: 5, totalTokenCount: 26 },
    },
    path: '/models/gemini-2.5-flash:generateContent',
    key: ['x-goog-api-key', 'k'],
    sent: { generationConfig: { responseMimeType: 'application/json', maxOutputTokens: 2_000 } },
  },
  bedrock: {
    settings: { model: 'eu.amazon.nova-lite-v1:0', api_key: 'k', region: 'eu-central-1' },
    answer: {
      output: { message: { role: 'assistant', content: [{ text: TEXT }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 21, outputTokens: 5, totalTokens: 26 },
    },
    path: '/model/eu.amazon.nova-lite-v1%3A0/converse',
    key: ['authorization', 'Bearer k'],
    sent: { inferenceConfig: { maxTokens: 2_000 } },
  },
}

const PROVIDERS = ['openai', 'azure', 'mistral', 'anthropic', 'google', 'bedrock'] as const

describe('language models of other providers', () => {
  test.each(PROVIDERS)('%s is sent the question in its way, and its answer is read', async (provider) => {
    const { settings, answer, path, key, sent } = LANGUAGE[provider]
    await using server = await startServer(() => ({ status: 200, body: answer }))
    const model = await openLanguageModel(LANGUAGE_SETTINGS.parse({ provider, url: server.url, ...settings }))
    const answered = await askForObject(model, REQUEST)
    expect(answered).toEqual({ value: SAID, usage: { inputTokens: 21, outputTokens: 5 }, repaired: false })
    const [request] = server.requests
    expect(request?.path).toBe(`/v1${path}`)
    expect(request?.headers[key[0]]).toBe(key[1])
    expect(request?.body).toMatchObject(sent)
    expect(JSON.stringify(request?.body)).toContain('Ada moved lunch')
  })

  test.each(PROVIDERS)('%s that is limited, fails or refuses the key is told apart', async (provider) => {
    const answers = [{ status: 429, retryAfter: '9' }, { status: 503 }, { status: 401 }]
    await using server = await startServer((call) => ({ body: { error: { message: 'SECRET' } }, ...answers[call]! }))
    const { settings } = LANGUAGE[provider]
    const model = await openLanguageModel(LANGUAGE_SETTINGS.parse({ provider, url: server.url, ...settings }))
    const errors = await Promise.allSettled(answers.map(() => model.generate(REQUEST)))
    const reasons = errors.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : undefined))
    expect(reasons.map(({ code }) => code).toSorted()).toEqual(['invalid', 'rate_limited', 'unavailable'])
    expect(reasons.find(({ code }) => code === 'rate_limited')).toMatchObject({ retryAfterSeconds: 9 })
    expect(reasons.map(String).join()).not.toContain('SECRET')
    expect(server.requests).toHaveLength(3)
  })

  test.each(PROVIDERS)('%s that sends elsewhere is not followed: nobody configured that address', async (provider) => {
    await using elsewhere = await startServer(() => ({ status: 200, body: LANGUAGE[provider].answer }))
    await using server = await startServer(() => ({ status: 307, body: {}, location: `${elsewhere.url}/chat` }))
    const { settings } = LANGUAGE[provider]
    const model = await openLanguageModel(LANGUAGE_SETTINGS.parse({ provider, url: server.url, ...settings }))
    await expect(model.generate(REQUEST)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('redirects to another address (HTTP 307). Check its url'),
    })
    expect([server.requests.length, elsewhere.requests.length]).toEqual([1, 0])
  })
})

test.each([
  ['openai', 'OPENAI_BASE_URL', 'https://api.openai.com/'],
  ['anthropic', 'ANTHROPIC_BASE_URL', 'https://api.anthropic.com/'],
] as const)('%s is asked at its own address, whatever %s is set to for other programs', async (provider, name, own) => {
  vi.stubEnv(name, 'http://127.0.0.1:1/v1')
  const asked = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('offline'))
  onTestFinished(() => void vi.unstubAllEnvs())
  onTestFinished(() => asked.mockRestore())
  const model = await openLanguageModel(LANGUAGE_SETTINGS.parse({ provider, ...LANGUAGE[provider].settings }))
  await expect(model.generate(REQUEST)).rejects.toMatchObject({ code: 'unavailable' })
  expect(asked.mock.calls.map(([address]) => String(address))).toEqual([expect.stringContaining(own)])
})

const REQUEST = {
  instructions: 'Summarize.',
  messages: [{ role: 'user' as const, text: 'Ada moved lunch to Friday.' }],
  schema: z.strictObject({ headline: z.string() }),
  schemaName: 'summary',
}

const OPENAI_EMBEDDINGS = { data: [{ embedding: [3, 4] }], usage: { prompt_tokens: 2 } }
const KEY = { api_key: 'k' }

describe('embeddings of other providers', () => {
  test.each([
    ['openai', { ...KEY, model: 'text-embedding-3-small' }, OPENAI_EMBEDDINGS, { input: ['lunch'], dimensions: 2 }],
    ['azure', { ...KEY, model: 'my-deployment' }, OPENAI_EMBEDDINGS, { input: ['lunch'], dimensions: 2 }],
    ['mistral', { ...KEY, model: 'mistral-embed' }, OPENAI_EMBEDDINGS, { input: ['lunch'] }],
    [
      'google',
      { ...KEY, model: 'gemini-embedding-001' },
      { embedding: { values: [3, 4] } },
      { outputDimensionality: 2, taskType: 'RETRIEVAL_QUERY' },
    ],
    [
      'bedrock',
      {
        model: 'cohere.embed-multilingual-v3',
        region: 'eu-central-1',
        access_key_id: 'AKIAEXAMPLE',
        secret_access_key: 'secret',
      },
      { embeddings: [[3, 4]] },
      { texts: ['lunch'], input_type: 'search_query' },
    ],
  ] as const)('%s is sent the text in its way, and its vector is read', async (provider, settings, answer, sent) => {
    await using server = await startServer(() => ({ status: 200, body: answer }))
    const given = { provider, url: server.url, dimensions: 2, ...settings }
    const model = await openHostedEmbedder({ ...EMBEDDING_SETTINGS.parse(given), provider })
    const [vector] = await model.embed(['lunch'], { purpose: 'query' })
    expect([...(vector ?? [])]).toEqual([expect.closeTo(0.6), expect.closeTo(0.8)])
    expect(server.requests[0]?.body).toMatchObject(sent)
    if ('access_key_id' in settings) {
      expect(server.requests[0]?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\//)
    }
  })

  test('Titan of bedrock is told dimensions, and refuses those that it has not before anything is sent', async () => {
    const embedding = Array.from({ length: 256 }, () => 1)
    await using server = await startServer(() => ({ status: 200, body: { embedding, inputTextTokenCount: 2 } }))
    const given = { ...KEY, provider: 'bedrock', model: 'amazon.titan-embed-text-v2:0', region: 'eu-central-1' }
    const open = (dimensions: number) =>
      openHostedEmbedder({
        ...EMBEDDING_SETTINGS.parse({ ...given, url: server.url, dimensions }),
        provider: 'bedrock',
      })
    expect(await (await open(256)).embed(['lunch', 'rain'])).toHaveLength(2)
    expect(new Set(server.requests.map(({ body }) => body))).toEqual(
      new Set([
        { inputText: 'lunch', dimensions: 256 },
        { inputText: 'rain', dimensions: 256 },
      ]),
    )
    await expect((await open(300)).embed(['lunch'])).rejects.toMatchObject({ code: 'invalid' })
  })

  test('are not asked for elsewhere when a server that speaks the protocol of OpenAI sends there', async () => {
    await using elsewhere = await startServer(() => ({ status: 200, body: OPENAI_EMBEDDINGS }))
    await using server = await startServer(() => ({ status: 308, body: {}, location: `${elsewhere.url}/embeddings` }))
    const given = { provider: 'openai-compatible', model: 'nomic', url: server.url, dimensions: 2, api_key: 'k' }
    const model = await openHostedEmbedder({ ...EMBEDDING_SETTINGS.parse(given), provider: 'openai-compatible' })
    await expect(model.embed(['lunch'])).rejects.toMatchObject({ code: 'invalid' })
    expect(elsewhere.requests).toEqual([])
  })

  test('mistral is not told dimensions, which most of its models refuse', async () => {
    await using server = await startServer(() => ({ status: 200, body: OPENAI_EMBEDDINGS }))
    const given = { provider: 'mistral', model: 'mistral-embed', url: server.url, dimensions: 2, api_key: 'k' }
    await (await openHostedEmbedder({ ...EMBEDDING_SETTINGS.parse(given), provider: 'mistral' })).embed(['lunch'])
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain('dimension')
  })
})

interface Answer {
  readonly status: number
  readonly body: object
  readonly retryAfter?: string
  readonly location?: string
}

interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: unknown
}

/** A server that takes any request and answers as it is told. @param answer by the number of the request, from 0 */
async function startServer(answer: (call: number) => Answer) {
  const requests: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    requests.push({ path: request.url ?? '', headers: request.headers, body })
    const { status, retryAfter, location, body: answered } = answer(requests.length - 1)
    const headers = {
      'content-type': 'application/json',
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
      ...(location !== undefined && { location }),
    }
    response.writeHead(status, headers).end(JSON.stringify(answered))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: requests as readonly Received[],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
