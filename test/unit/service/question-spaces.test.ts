import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../../src/domain/errors.ts'
import { backgroundCosine } from '../../../src/retrieval/recall/background-cosine.ts'
import { createQuestionSpaces } from '../../../src/service/question-models.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { movableClock } from '../../contract/store-contract.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'
import { wordEmbedder } from '../../lib/word-embedder.ts'

/** A built-in model, a plugged-in one, and how questions find the right one of them. */
async function setUp({ isConfigured = true, limitMs = 10_000 } = {}) {
  const { log, lines } = recordingLog()
  const store = await openSqliteStore({ file: join(temporaryFolder(), 'recalld.db'), log })
  onTestFinished(() => store.close())
  const builtIn = wordEmbedder({ seed: 1, dimensions: 8 })
  const model = wordEmbedder({ seed: 2 })
  const clock = movableClock()
  const { spaces } = store
  const pluggedIn = () => (isConfigured ? model : undefined)
  const questions = createQuestionSpaces({ spaces, builtIn, pluggedIn, clock, log, limitMs })
  const { id: spaceId, dimensions } = model.space
  await spaces.begin({ spaceId, dimensions, model: { provider: 'test', model: 'words' }, background: 0.5 })
  return { builtIn, model, clock, spaces, questions, lines, activate: () => spaces.activate(spaceId) }
}

test('questions are asked in the space that is active, and in the built-in one while none is', async () => {
  const { builtIn, model, questions, activate } = await setUp()
  const before = await questions.embed('apples')
  expect(before).toEqual({ vector: (await builtIn.embed(['apples']))[0], spaceId: builtIn.space.id })
  await activate()
  const after = await questions.embed('apples')
  expect(after).toMatchObject({ vector: (await model.embed(['apples']))[0], spaceId: model.space.id })
  expect(after).not.toHaveProperty('notice')
})

test('cosines of a space in which everything is alike are stretched to the built-in scale', async () => {
  const { builtIn, questions, activate } = await setUp()
  await activate()
  const { cosineScale = 0 } = await questions.embed('apples')
  const unrelated = 1 - (1 - 0.5) * cosineScale
  expect(unrelated).toBeCloseTo(await backgroundCosine(builtIn))
  expect(unrelated).toBeLessThan(0.4)
})

test('a model that fails is left alone for a while, and the whole question goes to the built-in space', async () => {
  const { builtIn, model, clock, questions, activate, lines } = await setUp()
  await activate()
  model.before = () => {
    throw new AppError('unavailable', 'The model does not answer.')
  }
  const failed = await questions.embed('apples')
  expect(failed).toEqual({
    vector: (await builtIn.embed(['apples']))[0],
    spaceId: builtIn.space.id,
    notice: "The embedding model isn't responding, so the built-in one was used.",
  })
  model.before = () => undefined
  const calls = model.calls.length
  clock.advance(29_000)
  expect(await questions.embed('pears')).toHaveProperty('notice')
  expect(model.calls).toHaveLength(calls)
  clock.advance(2_000)
  expect(await questions.embed('pears')).not.toHaveProperty('notice')
  expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1)
})

test('a model that takes too long is given up', async () => {
  const { model, questions, activate } = await setUp({ limitMs: 5 })
  await activate()
  model.before = (_, { signal }) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  expect(await questions.embed('apples')).toHaveProperty('notice')
})

test('who stops waiting for the answer is no failure of the model', async () => {
  const { model, questions, activate } = await setUp()
  await activate()
  const asked = Promise.withResolvers<void>()
  model.before = (_, { signal }) => {
    asked.resolve()
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  }
  const stop = new AbortController()
  const answer = questions.embed('apples', stop.signal)
  await asked.promise
  stop.abort(new Error('nobody waits'))
  await expect(answer).rejects.toThrow('nobody waits')
  model.before = () => undefined
  expect(await questions.embed('apples')).not.toHaveProperty('notice')
})

test('a space whose model is not configured any more is not asked', async () => {
  const { builtIn, questions, activate } = await setUp({ isConfigured: false })
  await activate()
  const { spaceId, notice } = await questions.embed('apples')
  expect(spaceId).toBe(builtIn.space.id)
  expect(notice).toContain('reindex the memory')
})

test('a space that is named is asked or nothing is', async () => {
  const { builtIn, model, questions } = await setUp()
  expect((await questions.embedIn(builtIn.space.id)('apples')).spaceId).toBe(builtIn.space.id)
  expect((await questions.embedIn(model.space.id)('apples')).spaceId).toBe(model.space.id)
  await expect(questions.embedIn('unknown')('apples')).rejects.toMatchObject({ code: 'conflict' })
  model.before = () => {
    throw new AppError('unavailable', 'The model does not answer.')
  }
  await expect(questions.embedIn(model.space.id)('apples')).rejects.toMatchObject({ code: 'unavailable' })
})
