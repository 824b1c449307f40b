import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Reranker } from '../../../src/models/model.ts'
import { RERANKER_SETTINGS } from '../../../src/models/model-settings.ts'
import { openOnnxReranker } from '../../../src/models/onnx/onnx-models.ts'
import { createReranking } from '../../../src/service/question-models.ts'
import { movableClock } from '../../contract/store-contract.ts'
import { transformersPackage, writeReranker } from '../../lib/onnx-models.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const address = transformersPackage()
const isMissing = address === undefined && !process.env.CI
if (isMissing) {
  console.warn('Recall by an ONNX reranker is not tested: RECALLD_TEST_TRANSFORMERS names no folder')
}

const NOTES = [
  ['oven', 'The oven in the bakery broke on Monday and the bakery stayed closed.'],
  ['dough', 'The bakery lets its dough rest for a night.'],
  ['owner', 'Marguerite has owned the bakery for thirty years.'],
] as const
const QUESTION = 'bakery oven broke'

/** One whose scores are those of a test, by a word that the passage holds; 0 for the others. */
function scripted(scores: Readonly<Record<string, number>>, more: Partial<Reranker> = {}) {
  const asked: { query: string; passages: readonly string[] }[] = []
  const reranker: Reranker = {
    id: 'scripted',
    maxPassages: 30,
    maxCharacters: 2_000,
    part: 0.7,
    certainty: 0.5,
    async rerank(query, passages) {
      asked.push({ query, passages: passages.map(({ text }) => text) })
      const scoreOf = (text: string) => Object.entries(scores).find(([word]) => text.includes(word))?.[1] ?? 0
      return Float32Array.from(passages.map(({ text }) => scoreOf(text)))
    },
    ...more,
  }
  return { asked, reranker }
}

async function recalled({ service, key }: RunningService, text = QUESTION) {
  const { chunks, notice } = await service.recall(await service.authenticate(key), { text })
  return { items: chunks.map(({ item_id }) => item_id), scores: chunks.map(({ score }) => score), notice }
}

describe('recall', () => {
  const clock = movableClock()
  let current = scripted({}).reranker
  let plain: RunningService
  let reranked: RunningService
  beforeAll(async () => {
    const reranker = scripted({}, { maxPassages: 2, rerank: (...call) => current.rerank(...call) }).reranker
    plain = await startService()
    reranked = await startService({ models: { reranker }, clock })
    for (const { upload } of [plain, reranked]) {
      for (const [itemId, text] of NOTES) await upload(text, { itemId })
    }
  })
  afterAll(() => Promise.all([plain.stop(), reranked.stop()]))
  const use = (scores: Readonly<Record<string, number>>, more?: Partial<Reranker>) => {
    const { asked, reranker } = scripted(scores, more)
    current = reranker
    return asked
  }

  test('is ordered by the reranker, and what that takes no more of stays below', async () => {
    expect((await recalled(plain)).items).toEqual(['oven', 'dough', 'owner'])
    const asked = use({ dough: 0.9, Marguerite: 1 })
    const { items, scores, notice } = await recalled(reranked)
    expect(items).toEqual(['dough', 'oven', 'owner'])
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(notice).toBeUndefined()
    expect(asked).toEqual([{ query: QUESTION, passages: [NOTES[0][1], NOTES[1][1]] }])
  })

  test('tells what the reranker added to each score', async () => {
    use({ dough: 0.9, Marguerite: 1 })
    const { service, key } = reranked
    const { results } = await service.explore.recall(await service.authenticate(key), { text: QUESTION })
    const partOf = (itemId: string) =>
      results.find((result) => result.item_id === itemId)?.why.parts.find(({ kind }) => kind === 'reranker')?.value
    expect(partOf('dough')).toBeGreaterThan(0)
    expect(partOf('owner')).toBeUndefined()
    for (const { why, score } of results) {
      expect(why.parts.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(score, 5)
    }
  })

  test('keeps the built-in order where the reranker sees no difference', async () => {
    use({})
    expect((await recalled(reranked)).items).toEqual(['oven', 'dough', 'owner'])
  })

  test('is as sure as the mix and the reranker are together', async () => {
    const [mix = 0] = (await recalled(plain)).scores
    use({})
    expect((await recalled(reranked)).scores[0]).toBeCloseTo(mix / 2, 5)
    const weak = 'Does anybody own zebras?'
    expect((await recalled(plain, weak)).items).toEqual([])
    expect((await recalled(reranked, weak)).items).toEqual([])
    use({ Marguerite: 1 })
    const { items, scores } = await recalled(reranked, weak)
    expect(items[0]).toBe('owner')
    expect(scores[0]).toBeGreaterThan(0.5)
  })

  test('goes on in the built-in order when the reranker fails, and says so', async () => {
    use({}, { rerank: () => Promise.reject(new Error('the thread ended')) })
    const { items, notice } = await recalled(reranked)
    expect(items).toEqual(['oven', 'dough', 'owner'])
    expect(notice).toMatch(/^The reranker isn't responding/)
    const { service, key } = reranked
    expect((await service.ask(await service.authenticate(key), { text: QUESTION })).notice).toBe(notice)
    clock.advance(60_000)
  })

  test.skipIf(isMissing)('is ordered by an ONNX model', async () => {
    const folder = join(temporaryFolder(), 'tiny')
    writeReranker(folder, ['dough', 'rest', 'bakery'])
    const settings = RERANKER_SETTINGS.parse({ provider: 'onnx', model: folder })
    const reranker = await openOnnxReranker(settings, { cacheFolder: '/nowhere', package: address })
    onTestFinished(() => reranker.close())
    current = reranker
    const { items, notice } = await recalled(reranked, 'bakery oven broke: dough rest')
    expect(notice).toBeUndefined()
    expect(items[0]).toBe('dough')
  })
})

test('a reranker that fails is left alone for a while: recall goes on in the built-in order, and says so', async () => {
  let isBroken = true
  const { asked, reranker } = scripted({ Marguerite: 1 })
  const { log, lines } = recordingLog()
  const clock = movableClock()
  const failing: Reranker = {
    ...reranker,
    rerank: (...call) => (isBroken ? Promise.reject(new Error('the thread ended')) : reranker.rerank(...call)),
  }
  const rerank = createReranking({ reranker: failing, clock, log })
  const notice = "The reranker isn't responding, so the built-in order was used."
  expect(await rerank.compare('x', [{ text: 'Marguerite' }])).toEqual({ notice })
  isBroken = false
  clock.advance(29_999)
  expect(await rerank.compare('x', [{ text: 'Marguerite' }])).toEqual({ notice })
  expect(asked).toEqual([])
  clock.advance(1)
  expect(await rerank.compare('x', [{ text: 'Marguerite' }])).toEqual({ scores: Float32Array.of(1) })
  expect(lines.map(({ level }) => level)).toEqual(['warn'])
})

test('a reranker that takes too long is not waited for; whoever stops waiting does not blame it', async () => {
  const { log, lines } = recordingLog()
  const rerank: Reranker['rerank'] = (_query, _passages, { signal } = {}) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  const { reranker } = scripted({}, { rerank })
  const parts = { reranker, clock: movableClock(), log }
  const slow = await createReranking({ ...parts, limitMs: 5 }).compare('x', [{ text: 'y' }])
  expect(slow).toEqual({ notice: expect.stringContaining('took longer than 0.005 s') })
  expect(lines).toHaveLength(1)
  const abort = new AbortController()
  const given = createReranking({ ...parts, limitMs: 10_000 }).compare('x', [{ text: 'y' }], abort.signal)
  abort.abort(new Error('gone'))
  await expect(given).rejects.toThrow('gone')
  expect(lines).toHaveLength(1)
})
