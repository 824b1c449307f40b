import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../../src/domain/errors.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { createVectorFiller, type VectorFillerOptions } from '../../../src/worker/vector-filler.ts'
import { memorize, sampleAccount } from '../../contract/store-samples.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'
import { until } from '../../lib/until.ts'
import { wordEmbedder } from '../../lib/word-embedder.ts'

/** A store with one account, a model and a filler whose space is being built. */
async function setUp(options: Partial<VectorFillerOptions> = {}) {
  const { log, lines } = recordingLog()
  const store = await openSqliteStore({ file: join(temporaryFolder(), 'recalld.db'), log })
  onTestFinished(() => store.close())
  await store.admin.createAccount(sampleAccount('a'))
  const scoped = store.scoped({ accountId: 'a', sources: 'all' })
  const embedder = wordEmbedder()
  const { id: spaceId, dimensions } = embedder.space
  const { spaces } = store
  await spaces.begin({ spaceId, dimensions, model: { provider: 'test', model: 'words' }, background: 0 })
  const filler = createVectorFiller({ spaces, embedder, log, firstDelayMs: 5, ...options })
  onTestFinished(() => filler.stop())
  const allFilled = async () => {
    const { chunks, filled } = await spaces.progress(spaceId)
    return filled === chunks
  }
  const nearest = async (text: string) => {
    const [vector] = await embedder.embed([text])
    const hits = await scoped.index.nearest({ spaceId, vector: vector!, limit: 1 })
    const passages = await scoped.index.passages(hits.map(({ chunkId }) => chunkId))
    return [...passages.values()].map((passage) => passage.text)
  }
  return { store, scoped, embedder, spaces, spaceId, filler, allFilled, nearest, lines }
}

const words = (count: number) => Array.from({ length: count }, (_, n) => `text number ${n}`)

test('every text gets its vector, each sent once, and so do texts that come later', async () => {
  const { store, scoped, embedder, filler, allFilled, nearest } = await setUp()
  await memorize(store, scoped, 'one', [...words(40), 'apples and pears'])
  filler.start()
  await until(allFilled)
  expect(embedder.calls.flat().sort()).toEqual([...words(40), 'apples and pears'].sort())
  expect(embedder.calls.every((texts) => texts.length <= embedder.maxBatch)).toBe(true)
  expect(await nearest('apples and pears')).toEqual(['apples and pears'])
  await memorize(store, scoped, 'two', ['plums and cherries'])
  await until(allFilled)
  expect(await nearest('plums and cherries')).toEqual(['plums and cherries'])
})

test('a model that is away is asked again until it is back, and the space says why it waits', async () => {
  const { store, scoped, embedder, spaces, filler, allFilled } = await setUp()
  await memorize(store, scoped, 'one', words(6))
  embedder.before = () => {
    throw new AppError('unavailable', 'The model does not answer.')
  }
  filler.start()
  await until(async () => embedder.calls.length >= 4)
  const problem = async () => (await spaces.list())[0]?.problem?.message
  await until(async () => (await problem()) === 'The model does not answer.')
  embedder.before = () => undefined
  await until(allFilled)
  await until(async () => (await problem()) === undefined)
})

test('what was paid for is kept when another call of the same batch fails', async () => {
  const { store, scoped, embedder, filler, allFilled } = await setUp()
  await memorize(store, scoped, 'one', words(16))
  let failed = false
  embedder.before = (texts) => {
    if (failed || !texts.includes('text number 13')) return
    failed = true
    throw new AppError('rate_limited', 'Too many calls.')
  }
  filler.start()
  await until(allFilled)
  const sent = embedder.calls.flat()
  expect(sent.filter((text) => text === 'text number 0')).toHaveLength(1)
  expect(sent.filter((text) => text === 'text number 13')).toHaveLength(2)
})

test('a text that the model refuses holds nothing up, and is not sent again', async () => {
  const { store, scoped, embedder, filler, allFilled, nearest, lines } = await setUp()
  await memorize(store, scoped, 'one', ['fine words', 'refused words', 'other words'])
  embedder.before = (texts) => {
    if (texts.includes('refused words')) throw new AppError('invalid', 'Refused.')
  }
  filler.start()
  await until(allFilled)
  await memorize(store, scoped, 'two', ['late words'])
  await until(allFilled)
  expect(await nearest('other words')).toEqual(['other words'])
  expect(embedder.calls.filter((texts) => texts.length === 1 && texts[0] === 'refused words')).toHaveLength(1)
  expect(lines.map(({ message }) => message)).toContain(
    'the embedding model refused a text; keyword search still finds it',
  )
})

test('a text that the model fails at each time holds nothing up, and one that it failed at once is not given up', async () => {
  const { store, scoped, embedder, filler, allFilled, nearest, lines } = await setUp()
  await memorize(store, scoped, 'one', ['fine words', 'fatal words', 'unlucky words', 'other words'])
  let isUnlucky = true
  embedder.before = (texts) => {
    const fails = texts.includes('fatal words') || (isUnlucky && texts.includes('unlucky words'))
    if (texts.length === 1 && texts[0] === 'unlucky words') isUnlucky = false
    if (fails) throw new AppError('unavailable', 'The model failed (HTTP 500).')
  }
  filler.start()
  await until(allFilled)
  for (const text of ['fine words', 'unlucky words', 'other words']) expect(await nearest(text)).toEqual([text])
  const given = lines.filter(({ message }) => message.startsWith('the embedding model refused a text'))
  expect(given).toHaveLength(1)
  const alone = embedder.calls.filter((texts) => texts.length === 1 && texts[0] === 'fatal words')
  expect(alone.length).toBe(3)
})

test('a model that refuses everything is at fault itself: no text is given up', async () => {
  const { store, scoped, embedder, spaces, spaceId, filler } = await setUp()
  await memorize(store, scoped, 'one', words(3))
  embedder.before = () => {
    throw new AppError('invalid', 'The key is refused.')
  }
  filler.start()
  await until(async () => (await spaces.list())[0]?.problem !== undefined)
  expect((await spaces.list())[0]?.problem?.message).toBe('The key is refused.')
  expect((await spaces.progress(spaceId)).filled).toBe(0)
})

test('vectors of another size than the space has are never stored', async () => {
  const { store, scoped, embedder, spaces, spaceId, filler } = await setUp()
  const other = wordEmbedder({ dimensions: 8 })
  const wrong = createVectorFiller({
    spaces,
    embedder: { ...embedder, embed: other.embed },
    log: recordingLog().log,
    firstDelayMs: 5,
  })
  onTestFinished(() => wrong.stop())
  await memorize(store, scoped, 'one', words(3))
  wrong.start()
  await until(async () => (await spaces.list())[0]?.problem !== undefined)
  expect((await spaces.progress(spaceId)).filled).toBe(0)
  await filler.stop()
})

test('of two fillers one works at a time, and the other goes on when it stops', async () => {
  const { store, scoped, embedder, spaces, filler, allFilled } = await setUp()
  const second = wordEmbedder()
  const other = createVectorFiller({ spaces, embedder: second, log: recordingLog().log })
  onTestFinished(() => other.stop())
  await memorize(store, scoped, 'one', words(8))
  const asked = Promise.withResolvers<void>()
  embedder.before = (_, { signal }) => {
    asked.resolve()
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  }
  filler.start()
  await asked.promise
  other.start()
  await memorize(store, scoped, 'two', words(2))
  expect(second.calls).toEqual([])
  await filler.stop()
  await until(allFilled)
  expect(second.calls.flat()).toHaveLength(10)
})

test('what was dropped is removed, also where no model is configured', async () => {
  const { store, scoped, spaces, spaceId, filler, allFilled } = await setUp()
  await memorize(store, scoped, 'one', words(3))
  filler.start()
  await until(allFilled)
  await filler.stop()
  await spaces.drop(spaceId)
  const sweeper = createVectorFiller({ spaces, log: recordingLog().log })
  onTestFinished(() => sweeper.stop())
  sweeper.start()
  await until(async () => (await spaces.list()).length === 0)
  expect((await spaces.progress(spaceId)).filled).toBe(0)
})
