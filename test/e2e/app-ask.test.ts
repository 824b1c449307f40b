import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AskAnswer, AskEvent } from '../../src/http/app/schemas/recall.ts'
import { openModels, readPrompt } from '../../src/models/configured/open-models.ts'
import { LANGUAGE_SETTINGS } from '../../src/models/model-settings.ts'
import { type OpenAiServer, startOpenAiServer } from '../fakes/openai-server.ts'
import { answering } from '../lib/answering-model.ts'
import { type AppVisit, appVisit } from '../lib/app-visit.ts'
import { until } from '../lib/until.ts'

const CHAT = `---
title: Launch planning
when: 2026-05-08T13:00:00Z
---
Ben [2026-05-08 13:01]: I adopted a puppy called Waffles from the shelter yesterday.
Ann [2026-05-09 09:30]: The launch of Basil moved to Friday, 15 May 2026.
`
const QUESTION = 'What pet did Ben adopt from the shelter?'
const NOW = new Date('2026-11-20T09:00:00Z')

let server: OpenAiServer
let visit: AppVisit
beforeAll(async () => {
  server = await startOpenAiServer()
  const settings = { provider: 'openai-compatible', model: 'test', url: server.url, use: ['ask'] }
  const { language } = await openModels({ language: LANGUAGE_SETTINGS.parse(settings) }, { cacheFolder: '/nowhere' })
  const { text: instructions } = readPrompt('answer.v1')
  const answerModel = { model: language!.model, instructions, limitMs: 10_000 }
  visit = await appVisit({ models: { answerModel }, clock: () => NOW })
  await visit.running.upload(CHAT, { source: 'slack', itemId: 'launch' })
})
afterAll(async () => {
  await visit?.[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
beforeEach(() => server.chat((request) => answering(request, 'Ben adopted the puppy Waffles', 'puppy called Waffles')))

interface StreamedAnswer {
  readonly type: string | null
  next(): Promise<AskEvent | undefined>
}

async function stream(text: string, signal?: AbortSignal): Promise<StreamedAnswer> {
  const { csrf_token: token } = await visit.session()
  const response = await fetch(`${visit.baseUrl}/app/api/ask`, {
    method: 'POST',
    headers: {
      cookie: visit.cookie,
      'x-csrf-token': token,
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
    },
    body: JSON.stringify({ text }),
    ...(signal && { signal }),
  })
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let unread = ''
  return {
    type: response.headers.get('content-type'),
    async next() {
      while (!unread.includes('\n\n')) {
        const { done, value } = await reader.read()
        if (done) return undefined
        unread += decoder.decode(value, { stream: true })
      }
      const [event = '', ...rest] = unread.split('\n\n')
      unread = rest.join('\n\n')
      return JSON.parse(event.replace(/^data: /, ''))
    },
  }
}

const json = async () => {
  const accept = 'text/event-stream, application/json'
  const { status, body, headers } = await visit.call('/ask', {
    method: 'POST',
    body: { text: QUESTION },
    headers: { accept },
  })
  return { status, type: headers.get('content-type'), answer: body as unknown as AskAnswer }
}

describe('an answer of a language model', () => {
  test('comes as a draft while the model still writes, and then with its citations', async () => {
    const goOn = Promise.withResolvers<void>()
    server.chat((request) => {
      const { citations } = answering(request, '', 'puppy called Waffles')
      const n = citations[0]!.n
      const answer = `Ben adopted the puppy Waffles [${n}]. It came from the shelter [${n}].`
      const text = JSON.stringify({ abstained: false, answer, citations })
      return { text, paused: { behind: 'It came', until: goOn.promise } }
    })
    const events = await stream(QUESTION)
    expect(events.type).toBe('text/event-stream; charset=utf-8')
    expect(await events.next()).toEqual({ draft: 'Ben adopted the puppy Waffles [1].' })
    goOn.resolve()
    const response = 'Ben adopted the puppy Waffles [1]. It came from the shelter [1].'
    expect(await events.next()).toEqual({ draft: response })
    expect(await events.next()).toMatchObject({
      answer: { response, abstained: false, citations: [{ n: 1, item_id: 'launch' }] },
    })
    expect(await events.next()).toBeUndefined()
  })

  test('is gone when its quotes are nowhere: what is said in the end are quotations', async () => {
    server.chat((request) => {
      const answer = answering(request, 'Waffles adopted Ben', 'puppy called Waffles')
      return { ...answer, citations: answer.citations.map(({ n }) => ({ n, quote: 'Waffles adopted Ben' })) }
    })
    const events = await stream(QUESTION)
    expect(await events.next()).toEqual({ draft: 'Waffles adopted Ben [1].' })
    const last = await events.next()
    expect(last).toMatchObject({ answer: { response: expect.stringContaining('I adopted a puppy called Waffles') } })
    expect(JSON.stringify(last)).not.toContain('Waffles adopted Ben')
    expect(server.chats.at(-1)?.messages.length).toBeGreaterThan(3)
  })

  test('is one JSON answer when nothing of it may be shown before it is checked', async () => {
    server.chat(() => ({ abstained: true, answer: '', citations: [] }))
    expect(await json()).toMatchObject({
      status: 200,
      type: expect.stringContaining('json'),
      answer: { abstained: true },
    })
  })

  test('is no longer asked for when the reader has gone, and what it may have cost is counted', async () => {
    server.chat((request) => {
      const text = JSON.stringify(answering(request, 'Ben adopted the puppy Waffles', 'puppy called Waffles'))
      return { text, paused: { behind: '"quote"', until: new Promise(() => undefined) } }
    })
    const spent = async () => {
      const rows = await visit.store.refinements.spent(visit.accountId, '2026-11-20')
      return rows.reduce((sum, { outputTokens }) => sum + outputTokens, 0)
    }
    const before = await spent()
    const leave = new AbortController()
    const events = await stream(QUESTION, leave.signal)
    expect(await events.next()).toEqual({ draft: 'Ben adopted the puppy Waffles [1].' })
    leave.abort()
    await until(async () => (await spent()) > before)
  })

  test('is one JSON answer with quotations while the model is away', async () => {
    server.chat(() => ({ status: 503 }))
    expect(await json()).toMatchObject({ status: 200, answer: { response: expect.stringContaining('did not answer') } })
  })
})
