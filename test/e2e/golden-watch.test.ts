import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { watchGolden } from '../../src/administration/golden-runs.ts'
import { AppError } from '../../src/domain/errors.ts'
import { sampleUpload } from '../contract/store-samples.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { type RunningService, startService } from '../lib/start-service.ts'
import { until } from '../lib/until.ts'
import { wordEmbedder } from '../lib/word-embedder.ts'

/** One service for the whole file: what is asked after its starts, in order. */
const model = wordEmbedder()
let service: RunningService

beforeAll(async () => {
  service = await startService({ pluggedIn: model })
  await service.upload('The night train to Lisbon leaves at nine.', { itemId: 'travel' })
  const items = [{ sourceType: 'text', itemId: 'travel' }] as const
  await service.service.golden.add({ question: 'When does the night train to Lisbon leave?', items })
})

afterAll(() => service.stop())

const runs = async () => (await service.service.golden.list()).runs

/** As after a start of this version; ends with the test. */
function start(version: string, pipelineVersion = 'parse@1') {
  const { log, lines } = recordingLog()
  const stack = new AsyncDisposableStack()
  onTestFinished(() => stack.disposeAsync())
  const by = { version, pipelineVersion }
  watchGolden({ store: service.store, service: service.service, log, by, builtInSpace: 'built-in', lookMs: 5 }, stack)
  return { lines, stop: () => stack.disposeAsync() }
}

test('a start asks the golden questions that were not asked by this version', async () => {
  const { lines } = start('1.0.0')
  await until(async () => lines.length > 0)
  expect(lines[0]).toMatchObject({ message: 'golden questions asked' })
  expect(await runs()).toMatchObject([{ version: '1.0.0', pipelineVersion: 'parse@1', ranks: new Map([[1, 1]]) }])
})

test('another version and another pipeline ask them again', async () => {
  for (const [version, pipelineVersion] of [
    ['1.1.0', 'parse@1'],
    ['1.1.0', 'parse@2'],
  ] as const) {
    start(version, pipelineVersion)
    await until(
      async () => (await runs())[0]?.pipelineVersion === pipelineVersion && (await runs())[0]?.version === version,
    )
  }
})

test('between two golden questions, others are answered', async () => {
  const items = [{ sourceType: 'text', itemId: 'travel' }] as const
  const questions = 5
  for (let n = 0; n < questions; n++)
    await service.service.golden.add({ question: `Which train is number ${n}?`, items })
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await service.service.golden.run({ by: { version: '1.0.0', pipelineVersion: 'parse@1' }, keep: false })
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(questions)
})

test('they are asked when everything that waits is made, and only while the chosen model answers', async () => {
  const { spaces } = service.store
  const { id: spaceId, dimensions } = model.space
  await spaces.begin({ spaceId, dimensions, model: { provider: 'test', model: 'words' }, background: 0 })
  await spaces.activate(spaceId)
  model.before = () => {
    throw new AppError('unavailable', 'The model does not answer.')
  }
  const asked = model.calls.length
  const { stop } = start('1.2.0')
  await until(async () => model.calls.length > asked)
  await stop()
  expect((await runs())[0]?.version).toBe('1.1.0')
})

test('while items wait to be made again, nothing is asked', async () => {
  await using idle = await startService({ work: false })
  const scoped = idle.store.scoped({ accountId: idle.accountId, sources: 'all' })
  await scoped.putItem(sampleUpload('travel', 'The night train leaves at nine.'))
  await idle.service.golden.add({
    question: 'When does the night train leave?',
    items: [{ sourceType: 'text', itemId: 'travel' }],
  })
  const { log } = recordingLog()
  const stack = new AsyncDisposableStack()
  const by = { version: '1.0.0', pipelineVersion: 'parse@1' }
  let looked = 0
  const store = {
    ...idle.store,
    queue: {
      ...idle.store.queue,
      depth: () => {
        looked += 1
        return idle.store.queue.depth()
      },
    },
  }
  watchGolden({ store, service: idle.service, log, by, builtInSpace: 'built-in', lookMs: 5 }, stack)
  await until(async () => looked >= 3)
  await stack.disposeAsync()
  expect((await idle.service.golden.list()).runs).toEqual([])
})
