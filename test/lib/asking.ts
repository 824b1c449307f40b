import { expect } from 'vitest'
import type { AskResult } from '../../src/domain/results.ts'
import { openModels, readPrompt } from '../../src/models/configured/open-models.ts'
import type { Reranker } from '../../src/models/model.ts'
import { LANGUAGE_SETTINGS } from '../../src/models/model-settings.ts'
import type { AnswerModel } from '../../src/service/answer-writing.ts'
import { type MovableClock, movableClock } from '../contract/store-contract.ts'
import { type ChatRequest, type ChatScript, type OpenAiServer, startOpenAiServer } from '../fakes/openai-server.ts'
import { answering } from './answering-model.ts'
import { type RunningService, startService } from './start-service.ts'

const CHAT = `---
title: Launch planning
when: 2026-05-08T13:00:00Z
---
Ann [2026-05-08 13:00]: The launch of Basil is on Thursday, 14 May 2026.
Ben [2026-05-08 13:01]: Fine. I adopted a puppy called Waffles from the shelter yesterday.
Ann [2026-05-09 09:30]: The launch of Basil moved to Friday, 15 May 2026.
`

/** What `CHAT` answers, and a model that says so. */
export const PET = 'What pet did Ben adopt from the shelter?'
export const answerPet: ChatScript = (request) =>
  answering(request, 'Ben adopted the puppy Waffles', 'puppy called Waffles')

/** A service with a language model for questions, and a chat to ask about. */
export interface Asking extends AsyncDisposable {
  readonly server: OpenAiServer
  readonly service: RunningService
  readonly clock: MovableClock
  readonly answerModel: AnswerModel
  /** With what the model was asked for it. */
  ask(
    text: string,
    options?: { key?: string; signal?: AbortSignal },
  ): Promise<AskResult & { readonly requests: readonly ChatRequest[] }>
}

interface AskingOptions extends Partial<AnswerModel> {
  readonly reranker?: Reranker
  /** Of the model, as in config.yaml. */
  readonly limits?: object
}

export async function startAsking({ reranker, limits, ...more }: AskingOptions = {}): Promise<Asking> {
  await using stack = new AsyncDisposableStack()
  const clock = movableClock(Date.parse('2026-11-20T09:00:00Z'))
  const server = stack.use(await startOpenAiServer(answerPet))
  const settings = {
    provider: 'openai-compatible',
    model: 'test',
    url: server.url,
    price: { input: 1, output: 2 },
    use: ['ask'],
    ...limits,
  }
  const { language } = await openModels({ language: LANGUAGE_SETTINGS.parse(settings) }, { cacheFolder: '/nowhere' })
  if (language === undefined) throw new Error('no model was opened')
  const { text: instructions } = readPrompt('answer.v1')
  const answerModel = { model: language.model, instructions, limitMs: 10_000, ...more }
  const service = stack.use(await startService({ models: { answerModel, ...(reranker && { reranker }) }, clock }))
  await service.upload(CHAT, { source: 'slack', itemId: 'launch' })
  const opened = stack.move()
  return {
    server,
    service,
    clock,
    answerModel,
    async ask(text, { key = service.key, signal } = {}) {
      const before = server.chats.length
      const principal = await service.service.authenticate(key)
      const result = await service.service.ask(principal, { text }, { ...(signal && { signal }) })
      return { ...result, requests: server.chats.slice(before) }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The answer to `PET` without a model, and one line that says why. */
export function expectQuotations({ response, abstained }: AskResult, problem: string): void {
  expect(response).toContain('“I adopted a puppy called Waffles from the shelter yesterday.” [1]')
  expect(response.endsWith(`\n\n(The language model did not answer: ${problem}; showing quotes instead.)`)).toBe(true)
  expect(response.match(/The language model did not answer/g)).toHaveLength(1)
  expect(abstained).toBe(false)
}
