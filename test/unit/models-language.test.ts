import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '../../src/domain/errors.ts'
import { openLanguageModel } from '../../src/models/ai-sdk/language-model.ts'
import { askForObject } from '../../src/models/ask-for-object.ts'
import type { GenerateRequest, LanguageModel } from '../../src/models/model.ts'
import { LANGUAGE_SETTINGS } from '../../src/models/model-settings.ts'
import { type ChatScript, type Fault, type OpenAiServer, startOpenAiServer } from '../kit/openai-server.ts'

const ANSWER = z.strictObject({ headline: z.string().min(1), people: z.array(z.string()) })
const SAID = { headline: 'Lunch moved', people: ['Ada'] }

const REQUEST: GenerateRequest = {
  instructions: 'Summarize.',
  messages: [{ role: 'user', text: 'Ada moved lunch to Friday.' }],
  schema: ANSWER,
  schemaName: 'summary',
}

function open(server: OpenAiServer, settings: object = {}): Promise<LanguageModel> {
  const given = { provider: 'openai-compatible', model: 'qwen3', url: server.url, ...settings }
  return openLanguageModel(LANGUAGE_SETTINGS.parse(given))
}

async function errorOf(script: ChatScript, settings?: object): Promise<AppError> {
  await using server = await startOpenAiServer(script)
  const error = await (await open(server, settings)).generate(REQUEST).catch((reason: unknown) => reason)
  if (!(error instanceof AppError)) throw new Error('no AppError', { cause: error })
  return error
}

describe('a language model behind an OpenAI-compatible server', () => {
  test('is sent instructions, messages, schema and limits, and answers with text and what it used', async () => {
    await using server = await startOpenAiServer(() => ({ text: '{"x":1}', usage: { input: 11, output: 7 } }))
    const model = await open(server, { api_key: 'sk-1', max_output_tokens: 300 })
    expect(await model.generate({ ...REQUEST, maxOutputTokens: 500 })).toEqual({
      text: '{"x":1}',
      usage: { inputTokens: 11, outputTokens: 7 },
    })
    expect(model.id).toBe('openai-compatible:qwen3')
    expect(server.headers[0]?.authorization).toBe('Bearer sk-1')
    expect(server.chats).toMatchObject([
      {
        model: 'qwen3',
        messages: [
          { role: 'system', content: 'Summarize.' },
          { role: 'user', content: 'Ada moved lunch to Friday.' },
        ],
        max_tokens: 300,
        temperature: 0,
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'summary', schema: { required: ['headline', 'people'], additionalProperties: false } },
        },
      },
    ])
  })

  test('without a key sends none, and without counts of tokens estimates them by characters', async () => {
    await using server = await startOpenAiServer(() => ({ text: 'x'.repeat(41), usage: null }))
    const { usage } = await (await open(server)).generate(REQUEST)
    expect(usage).toEqual({ inputTokens: 9, outputTokens: 11 })
    expect(server.headers[0]?.authorization).toBeUndefined()
  })

  test.each<[string, Fault, string, string]>([
    ['refuses the key', { status: 401 }, 'invalid', 'refuses the key (HTTP 401)'],
    ['does not know the model', { status: 404 }, 'invalid', 'is not known there (HTTP 404)'],
    ['refuses what it is sent', { status: 400 }, 'invalid', 'refuses the request (HTTP 400)'],
    ['is overloaded', { status: 429 }, 'rate_limited', 'has reached a limit'],
    ['fails', { status: 500 }, 'unavailable', 'failed (HTTP 500)'],
    ['hangs up', { broken: 'hung up' }, 'unavailable', 'cannot be reached'],
    ['is cut off in the middle', { broken: 'cut off' }, 'unavailable', 'openai-compatible:qwen3'],
    ['answers with a page', { broken: 'not json' }, 'unavailable', 'not of its protocol'],
  ])('that %s', async (_, fault, code, sentence) => {
    const error = await errorOf(() => fault)
    expect(error).toMatchObject({ code, message: expect.stringContaining(sentence) })
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain('SECRET')
  })
})

describe('asking for an object', () => {
  test('gives the value of the schema and the sum of what was used', async () => {
    await using server = await startOpenAiServer(() => SAID)
    const answer = await askForObject(await open(server), { ...REQUEST, schema: ANSWER })
    expect(answer).toEqual({ value: SAID, repaired: false, usage: { inputTokens: 9, outputTokens: 11 } })
  })
})
