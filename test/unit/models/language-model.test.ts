import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '../../../src/domain/errors.ts'
import { openLanguageModel } from '../../../src/models/ai-sdk/language-model.ts'
import { askForObject } from '../../../src/models/ask-for-object.ts'
import type { GenerateRequest, LanguageModel, TokenUsage } from '../../../src/models/model.ts'
import { LANGUAGE_SETTINGS } from '../../../src/models/model-settings.ts'
import {
  type ChatAnswer,
  type ChatScript,
  type Fault,
  type OpenAiServer,
  startOpenAiServer,
} from '../../fakes/openai-server.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

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

  test('that counts tokens in fractions or below zero makes nothing cheaper', async () => {
    await using server = await startOpenAiServer(() => ({ text: 'x'.repeat(41), usage: { input: 2.5, output: -1 } }))
    expect((await (await open(server)).generate(REQUEST)).usage).toEqual({ inputTokens: 3, outputTokens: 11 })
  })

  test.each<[string, Fault, string, string]>([
    ['refuses the key', { status: 401 }, 'invalid', 'rejected the key (HTTP 401)'],
    ['does not know the model', { status: 404 }, 'invalid', 'was not found (HTTP 404)'],
    ['refuses what it is sent', { status: 400 }, 'invalid', 'refused the request (HTTP 400)'],
    ['is overloaded', { status: 429 }, 'rate_limited', 'has reached a rate limit'],
    ['fails', { status: 500 }, 'unavailable', 'returned an error (HTTP 500)'],
    ['hangs up', { broken: 'hung up' }, 'unavailable', "can't be reached"],
    ['is cut off in the middle', { broken: 'cut off' }, 'unavailable', 'openai-compatible:qwen3'],
    ['answers with a page', { broken: 'not json' }, 'unavailable', 'unexpected response'],
  ])('that %s', async (_, fault, code, sentence) => {
    const error = await errorOf(() => fault)
    expect(error).toMatchObject({ code, message: expect.stringContaining(sentence) })
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain('SECRET')
  })
})

const refused: Fault = { status: 400 }

describe('an answer that arrives in pieces', () => {
  const whole = JSON.stringify(SAID)
  const generate = async (script: ChatScript) => {
    await using server = await startOpenAiServer(script)
    const parts: unknown[] = []
    const request = { ...REQUEST, onPartial: (value: unknown) => void parts.push(value) }
    const settled = await (await open(server)).generate(request).catch((reason: unknown) => reason)
    return { parts, settled, chats: server.chats }
  }

  test('is reported as far as it is there, and is the same answer with the same use', async () => {
    const { parts, settled } = await generate(() => ({ text: whole, usage: { input: 11, output: 7 } }))
    expect(settled).toEqual({ text: whole, usage: { inputTokens: 11, outputTokens: 7 } })
    expect(parts.length).toBeGreaterThan(2)
    expect(parts[0]).not.toEqual(SAID)
    expect(parts.at(-1)).toEqual(SAID)
  })

  test('is read behind reasoning and a fence', async () => {
    const { parts, settled } = await generate(() => `\n<think>{"not": "this"}</think>\n\`\`\`json\n${whole}\n\`\`\``)
    expect(parts.at(-1)).toEqual(SAID)
    expect(parts).not.toContainEqual({ not: expect.anything() })
    expect(settled).toMatchObject({ text: expect.stringContaining(whole) })
  })

  test('comes whole from a server that refuses to stream', async () => {
    const { parts, settled, chats } = await generate((chat) => (chat.stream ? { status: 400 } : SAID))
    expect(settled).toMatchObject({ text: whole })
    expect(parts).toEqual([])
    expect(chats.at(-1)?.response_format?.type).toBe('json_schema')
  })

  test('comes whole from such a server also after a request that was not streamed', async () => {
    await using server = await startOpenAiServer((chat) => (chat.stream ? { status: 400 } : SAID))
    const model = await open(server)
    await model.generate(REQUEST)
    expect(await model.generate({ ...REQUEST, onPartial: () => undefined })).toMatchObject({ text: whole })
  })

  test.each<[string, Fault, string]>([
    ['is down', { status: 503 }, 'unavailable'],
    ['rejects the key', { status: 401 }, 'invalid'],
    ['hangs up', { broken: 'hung up' }, 'unavailable'],
    ['answers with a page', { broken: 'not json' }, 'unavailable'],
  ])('fails as otherwise when the server %s', async (_, fault, code) => {
    const { settled } = await generate(() => fault)
    expect(settled).toMatchObject({ name: 'AppError', code })
    expect(String(settled)).not.toContain('SECRET')
  })

  test('ends when the caller stops, and may have been charged for', async () => {
    const stop = new AbortController()
    const paused = { behind: 'headline', until: new Promise(() => undefined) }
    await using server = await startOpenAiServer(() => ({ text: whole, paused }))
    const unheard: TokenUsage[] = []
    const request = {
      ...REQUEST,
      signal: stop.signal,
      onPartial: () => stop.abort(new Error('no longer wanted')),
      onUnheard: (most: TokenUsage) => void unheard.push(most),
    }
    await expect((await open(server)).generate(request)).rejects.toThrow('no longer wanted')
    expect(unheard).toHaveLength(1)
  })
})

describe('a server that refuses a way of asking for JSON', () => {
  const formats = (server: OpenAiServer) => server.chats.map((chat) => chat.response_format?.type)

  test('is asked in the next way, with the schema in the instructions, and from then on only so', async () => {
    await using server = await startOpenAiServer(({ response_format: format }) =>
      format?.type === 'json_schema' ? refused : SAID,
    )
    const model = await open(server)
    expect((await model.generate(REQUEST)).text).toBe(JSON.stringify(SAID))
    await model.generate(REQUEST)
    expect(formats(server)).toEqual(['json_schema', 'json_schema', 'json_object', 'json_object'])
    expect(server.chats[3]?.messages[0]?.content).toMatch(/^Summarize\.\n\nAnswer with JSON .*"headline"/s)
  })

  test('is asked in words when it knows no format', async () => {
    await using server = await startOpenAiServer(({ response_format: format }) => (format ? refused : SAID))
    await (await open(server)).generate(REQUEST)
    expect(formats(server).at(-1)).toBeUndefined()
  })

  test('keeps the schema when it is only the temperature that it refuses', async () => {
    await using server = await startOpenAiServer(({ temperature }) => (temperature === undefined ? SAID : refused))
    const model = await open(server)
    await model.generate(REQUEST)
    await model.generate(REQUEST)
    expect(formats(server)).toEqual(['json_schema', 'json_schema', 'json_schema'])
  })

  test('may refuse one schema and take another', async () => {
    await using server = await startOpenAiServer(({ response_format: format }) =>
      JSON.stringify(format ?? {}).includes('"name":"summary"') ? refused : SAID,
    )
    const model = await open(server)
    await model.generate(REQUEST)
    await model.generate({ ...REQUEST, schemaName: 'answer' })
    expect(formats(server).at(-1)).toBe('json_schema')
  })
})

describe('a language model that is not there', () => {
  test.each([
    ['7', 7],
    ['0.4', 1],
    ['999999', 3_600],
    ['Fri, 01 Jan 2100 00:00:00 GMT', 3_600],
    ['Mon, 01 Jan 2001 00:00:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('is to be tried again when Retry-After says: %s', async (retryAfter, seconds) => {
    for (const status of [429, 503]) {
      const error = await errorOf(() => ({ status, ...(retryAfter !== undefined && { retryAfter }) }))
      expect(error.retryAfterSeconds).toBe(seconds)
    }
  })

  test('is unavailable while its server is down, and answers when it is back', async () => {
    await using server = await startOpenAiServer(() => SAID)
    const model = await open(server)
    await server.goDown()
    await expect(model.generate(REQUEST)).rejects.toMatchObject({ code: 'unavailable' })
    await server.comeBack()
    expect((await model.generate(REQUEST)).text).toBe(JSON.stringify(SAID))
  })

  test('is asked once only: whoever called it knows what can wait', async () => {
    await using server = await startOpenAiServer(() => ({ status: 503 }))
    await expect((await open(server)).generate(REQUEST)).rejects.toMatchObject({ code: 'unavailable' })
    expect(server.chats).toHaveLength(1)
  })

  test('is given up after its time, and when the caller stops', async () => {
    await using server = await startOpenAiServer(() => ({ broken: 'slow' }))
    const settings = LANGUAGE_SETTINGS.parse({ provider: 'openai-compatible', model: 'qwen3', url: server.url })
    const impatient = await openLanguageModel({ ...settings, timeout_seconds: 0.05 })
    await expect(impatient.generate(REQUEST)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('did not respond within 0.05 seconds'),
    })
    const stop = new AbortController()
    const given = (await open(server)).generate({ ...REQUEST, signal: stop.signal })
    stop.abort(new Error('stopped'))
    await expect(given).rejects.toThrow('stopped')
  })

  test.each<[string, Fault, number]>([
    ['is too slow', { broken: 'slow' }, 1],
    ['answers with a page', { broken: 'not json' }, 1],
    ['is cut off in the middle', { broken: 'cut off' }, 1],
    ['fails', { status: 500 }, 0],
    ['refuses the key', { status: 401 }, 0],
    ['refuses the request in every way', { status: 400 }, 0],
  ])('may be paid for an answer that nobody heard: one that %s', async (_, fault, calls) => {
    await using server = await startOpenAiServer(() => fault)
    const settings = { provider: 'openai-compatible', model: 'qwen3', url: server.url, max_output_tokens: 300 }
    const model = await openLanguageModel({ ...LANGUAGE_SETTINGS.parse(settings), timeout_seconds: 0.2 })
    const used: TokenUsage[] = []
    const asked = askForObject(model, { ...REQUEST, schema: ANSWER, onUsage: (usage) => used.push(usage) })
    await expect(asked).rejects.toBeInstanceOf(AppError)
    expect(used).toEqual(Array.from({ length: calls }, () => ({ inputTokens: 10, outputTokens: 300 })))
  })
})

describe('the key of a language model', () => {
  test('may stand in a file', async () => {
    await using server = await startOpenAiServer(() => SAID)
    const file = join(temporaryFolder(), 'key')
    writeFileSync(file, 'sk-from-file\n')
    await (await open(server, { api_key_file: file })).generate(REQUEST)
    expect(server.headers[0]?.authorization).toBe('Bearer sk-from-file')
    writeFileSync(file, '\n')
    await expect(open(server, { api_key_file: file })).rejects.toThrow(`api_key_file ${file} is empty.`)
    await expect(open(server, { api_key_file: '/nowhere/key' })).rejects.toThrow("/nowhere/key can't be read (ENOENT)")
  })
})

describe('asking for an object', () => {
  async function ask(...answers: (string | ChatAnswer | object)[]) {
    await using server = await startOpenAiServer((_, call) => answers[call] ?? { status: 500 })
    const used: TokenUsage[] = []
    const outcome = await askForObject(await open(server), {
      ...REQUEST,
      schema: ANSWER,
      onUsage: (usage) => used.push(usage),
    }).catch((reason: unknown) => reason)
    return { outcome, used, chats: server.chats }
  }

  test.each([
    ['as it should be', JSON.stringify(SAID)],
    ['between fences', `Here it is:\n\`\`\`json\n${JSON.stringify(SAID)}\n\`\`\`\nI hope this helps.`],
    ['after what the model thought', `<think>{"maybe": 1}</think>\n${JSON.stringify(SAID)}`],
  ])('takes an answer %s', async (_, text) => {
    const { outcome, chats } = await ask(text)
    expect(outcome).toMatchObject({ value: SAID, repaired: false })
    expect(chats).toHaveLength(1)
  })

  test.each<[string, string | ChatAnswer, string]>([
    ['does not fit the schema', '{"headline": "", "people": [1]}', 'people[0]: Invalid input: expected string'],
    ["isn't valid JSON", 'I cannot do that.', 'This is not valid JSON'],
    ['ends in the middle', { text: '{"headline": "Lunch mo', cutOff: true }, 'not complete'],
    ['is empty', '', 'This is not valid JSON'],
  ])('sends an answer back that %s, with what is wrong, and takes the second', async (_, first, problem) => {
    const { outcome, used, chats } = await ask(first, SAID)
    expect(outcome).toMatchObject({ value: SAID, repaired: true })
    const said = typeof first === 'string' ? first : first.text
    expect(chats[1]?.messages.slice(2)).toEqual([
      { role: 'assistant', content: said || '(nothing)' },
      { role: 'user', content: expect.stringContaining(problem) },
    ])
    expect(used).toHaveLength(2)
    expect(outcome).toMatchObject({
      usage: {
        inputTokens: used.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
        outputTokens: used.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
      },
    })
  })

  test('gives up after the second answer, when all that was used is known', async () => {
    const { outcome, used, chats } = await ask('SECRET', 'SECRET')
    expect(outcome).toMatchObject({
      code: 'unreadable',
      message: 'openai-compatible:qwen3 returned invalid JSON twice.',
    })
    expect(used).toHaveLength(2)
    expect(chats).toHaveLength(2)
  })

  test('fails as the model does, when what was used before is known', async () => {
    const { outcome, used } = await ask('{}')
    expect(outcome).toMatchObject({ code: 'unavailable' })
    expect(used).toHaveLength(1)
  })
})
