import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAnswerWriting } from '../../../src/service/answer-writing.ts'
import type { ChatScript } from '../../fakes/openai-server.ts'
import { type Asking, answerPet, expectQuotations, PET, startAsking } from '../../lib/asking.ts'
import { recordingLog } from '../../lib/recording-log.ts'

const AWAY = 'it is down or overloaded'
const UNPROVEN = "its answer isn't supported by the quoted passages"

describe('when the language model fails', () => {
  let asking: Asking
  beforeAll(async () => {
    asking = await startAsking()
  })
  afterAll(() => asking[Symbol.asyncDispose]())
  beforeEach(() => {
    // What a test before has made the service wait for is over.
    asking.clock.advance(3_600_000)
    asking.server.chat(answerPet)
  })

  test.each<[string, ChatScript]>([
    ['words', () => 'Ben has a puppy, I believe.'],
    ['another shape', () => ({ answer: 42 })],
    ['an answer that is cut off', () => ({ text: '{"abstained": false, "answer": "Ben ad', cutOff: true })],
    ['no citation', () => ({ abstained: false, answer: 'A puppy.', citations: [] })],
    [
      'a quote that is not there',
      () => ({ abstained: false, answer: 'A cat [1].', citations: [{ n: 1, quote: 'a cat called' }] }),
    ],
  ])('and says %s twice, quotations are given, and the next question is asked again', async (_, script) => {
    asking.server.chat(script)
    const result = await asking.ask(PET)
    expectQuotations(result, UNPROVEN)
    expect(result.requests).toHaveLength(2)
    asking.server.chat(answerPet)
    expect((await asking.ask(PET)).response).toMatch(/^Ben adopted the puppy/)
  })

  test.each<[string, ChatScript, string, number]>([
    ['is overloaded', () => ({ status: 503 }), AWAY, 30],
    ['fails', () => ({ status: 500 }), AWAY, 30],
    ['hangs up', () => ({ broken: 'hung up' }), AWAY, 30],
    ['ends in the middle', () => ({ broken: 'cut off' }), AWAY, 30],
    ['is no model', () => ({ broken: 'not json' }), AWAY, 30],
    ['has reached its limit', () => ({ status: 429, retryAfter: '120' }), 'its rate limit is reached', 120],
    ['does not know the key', () => ({ status: 401 }), 'it refuses the request; check its settings', 30],
  ])('because it %s, quotations are given, and it is left alone for a while', async (_, script, problem, seconds) => {
    asking.server.chat(script)
    const result = await asking.ask(PET)
    expectQuotations(result, problem)
    expect(result.requests).toHaveLength(1)
    asking.server.chat(answerPet)
    asking.clock.advance(seconds * 1_000 - 1)
    const waiting = await asking.ask(PET)
    expectQuotations(waiting, problem)
    expect(waiting.requests).toEqual([])
    asking.clock.advance(1)
    expect((await asking.ask(PET)).response).toMatch(/^Ben adopted the puppy/)
  })

  test('because it is down, the log says so without a word of what was asked', async () => {
    const { server, service } = asking
    const lines = service.logLines.length
    await server.goDown()
    expectQuotations(await asking.ask(PET), AWAY)
    await server.comeBack()
    const logged = service.logLines.slice(lines).filter(({ level }) => level === 'warn' || level === 'error')
    expect(logged).toMatchObject([
      { level: 'warn', message: 'the language model did not answer a question', fields: { problem: AWAY } },
    ])
    expect(String(logged.map(({ fields }) => Object.values(Object(fields)).map(String)))).not.toMatch(/Waffles|shelter/)
  })

  test('or answers to nobody, because whoever asked is gone, the call ends and it is not blamed', async () => {
    const { server, service } = asking
    const abort = new AbortController()
    const lines = service.logLines.length
    server.chat(() => {
      abort.abort(new Error('gone'))
      return { broken: 'slow' }
    })
    await expect(asking.ask(PET, { signal: abort.signal })).rejects.toThrow('gone')
    expect(service.logLines.slice(lines).filter(({ level }) => level === 'warn' || level === 'error')).toEqual([])
    server.chat(answerPet)
    expect((await asking.ask(PET)).response).toMatch(/^Ben adopted/)
  })

  test('to take enough at once for an answer, the start says so', () => {
    const { answerModel, service, clock } = asking
    const { log } = recordingLog()
    const model = { ...answerModel.model, maxInputTokens: 2_000 }
    const writing = () =>
      createAnswerWriting({ ...answerModel, model, spending: service.store.refinements, clock, log })
    expect(writing).toThrow(/^openai-compatible:test can't answer questions .* raise max_input_tokens to \d{4} or more/)
  })
})

test('a language model that takes too long is not waited for', async () => {
  await using asking = await startAsking({ limitMs: 60 })
  asking.server.chat(() => ({ broken: 'slow' }))
  expectQuotations(await asking.ask(PET), 'it took longer than 0.06 seconds')
  const [spent] = await asking.service.store.refinements.spent(asking.service.accountId, '2026-11-20')
  expect(spent).toMatchObject({ sourceType: 'ask', outputTokens: asking.answerModel.model.maxOutputTokens })
})

test('a stop does not wait for a language model: what is asked by then is answered by quotations', async () => {
  const stopping = new AbortController()
  await using asking = await startAsking({ stopping: stopping.signal })
  asking.server.chat(() => {
    stopping.abort()
    return { broken: 'slow' }
  })
  const lines = asking.service.logLines.length
  expectQuotations(await asking.ask(PET), 'the service is shutting down')
  expect(asking.service.logLines.slice(lines).filter(({ level }) => level === 'warn' || level === 'error')).toEqual([])
})

test('answers stay within the budget of the day of all that the language model does', async () => {
  await using asking = await startAsking({ budget: { tokensPerDay: 90_000, dollarsPerDay: 0.09 } })
  const { service, clock } = asking
  const spend = (day: string, inputTokens: number, microDollars: number) =>
    service.store.refinements.storeSpending(service.accountId, {
      day,
      sourceType: 'slack',
      model: 'test',
      calls: 1,
      inputTokens,
      outputTokens: 0,
      microDollars,
    })
  const usedUp = "today's budget is used up"
  expect((await asking.ask(PET)).response).toMatch(/^Ben adopted/)
  await spend('2026-11-20', 90_000, 0)
  const result = await asking.ask(PET)
  expectQuotations(result, usedUp)
  expect(result.requests).toEqual([])
  clock.advance(24 * 3_600_000)
  expect((await asking.ask(PET)).response).toMatch(/^Ben adopted/)
  await spend('2026-11-21', 0, 90_000)
  expectQuotations(await asking.ask(PET), usedUp)
})

test('answers stay within the budget of the calendar month', async () => {
  await using asking = await startAsking({ budget: { dollarsPerMonth: 1 } })
  const { service, clock } = asking
  const spend = (day: string, microDollars: number) =>
    service.store.refinements.storeSpending(service.accountId, {
      ...{ day, sourceType: 'slack', model: 'test', calls: 1, inputTokens: 0, outputTokens: 0 },
      microDollars,
    })
  await spend('2026-10-31', 5_000_000)
  expect((await asking.ask(PET)).response).toMatch(/^Ben adopted/)
  await spend('2026-11-02', 1_000_000)
  expectQuotations(await asking.ask(PET), "this month's budget is used up")
  clock.advance(12 * 24 * 3_600_000)
  expect((await asking.ask(PET)).response).toMatch(/^Ben adopted/)
})
