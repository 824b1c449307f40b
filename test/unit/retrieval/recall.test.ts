import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SourceType } from '../../../src/domain/source-type.ts'
import type { Embedder } from '../../../src/models/model.ts'
import { createPipeline } from '../../../src/pipeline/pipeline.ts'
import { type Recalled, recallMemories } from '../../../src/retrieval/recall/recall.ts'
import type { SearchIndex } from '../../../src/store/search/search.ts'
import { type EvaluationStore, openEvaluationStore } from '../../eval/evaluation-store.ts'
import { builtInEmbedder } from '../../lib/built-in-embedder.ts'

// A Friday.
const NOW = new Date('2026-11-20T09:00:00Z')

const NOTES: readonly (readonly [itemId: string, when: string, text: string, sourceType?: SourceType])[] = [
  [
    'tokyo',
    '2026-03-10T09:00:00Z',
    'We booked the flights to Tokyo and a small hotel near Ueno park for the conference.',
  ],
  ['budget', '2026-03-12T09:00:00Z', 'The marketing budget was cut by ten percent, so the brochure has to wait.'],
  ['garden', '2025-07-01T09:00:00Z', 'Planted tomatoes and beans behind the house; the soil needs more compost.'],
  [
    'error',
    '2026-05-04T09:00:00Z',
    'The importer died with ERR_OUT_OF_RANGE when the buffer was empty. Fixed by checking its length first.',
  ],
  ['ticket', '2026-06-02T09:00:00Z', 'Closed OPS-1423 after the database was moved to the new cluster.'],
  ['dentist', '2026-11-19T08:00:00Z', 'Went to the dentist; the crown has to be replaced in spring.'],
  ['runner', '2026-11-12T08:00:00Z', 'Ran the half marathon with Konstantin in the rain and finished under two hours.'],
  ['standup', '2026-11-17T08:00:00Z', 'Standup: the release is frozen until the login bug is fixed.', 'slack'],
  [
    'login-mail',
    '2026-11-16T08:00:00Z',
    'The customer writes that the login bug keeps her from paying invoices.',
    'email',
  ],
  ['chinese', '2026-02-01T09:00:00Z', '我们决定下周开始学习机器学习，老师是王小明。'],
  ['japanese', '2026-02-02T09:00:00Z', '昨日は黒い猫が庭に来ました。名前はタマです。'],
  ['russian', '2026-02-03T09:00:00Z', 'Мы переехали в новую квартиру возле вокзала.'],
  ['korean', '2026-02-04T09:00:00Z', '친구를 부산에서 만났고 해산물을 먹었다.'],
]

function fileOf(when: string, text: string): string {
  return `---\nwhen: ${when}\n---\n${text}\n`
}

describe('recall through the whole pipeline and the SQLite store', () => {
  let store: EvaluationStore
  let embedder: Embedder
  let index: SearchIndex

  beforeAll(async () => {
    embedder = await builtInEmbedder()
    store = await openEvaluationStore()
    const accountId = await store.createAccount()
    const pipeline = createPipeline({ embedder })
    const texts = NOTES.map(([itemId, when, text, sourceType]) => ({
      itemId,
      text: fileOf(when, text),
      ...(sourceType && { sourceType }),
    }))
    await store.add(accountId, texts, (file) => pipeline.run(file))
    index = store.index(accountId)
  })
  afterAll(() => store.close())

  const recall = (
    text: string,
    more: { source?: SourceType; since?: Date; until?: Date; timeZone?: string; limit?: number } = {},
  ) => recallMemories({ text, now: NOW, timeZone: 'UTC', ...more }, { index, embedder })
  const items = ({ memories }: Recalled): string[] => memories.map(({ row }) => row.itemId)

  it.each([
    ['where do we stay in Tokyo?', 'tokyo'],
    ['why is the brochure late', 'budget'],
    ['growing vegetables', 'garden'],
    ['ERR_OUT_OF_RANGE', 'error'],
    ['err_out_of_range', 'error'],
    ['OPS-1423', 'ticket'],
    ['1423', 'ticket'],
    ['who ran with Konstantyn', 'runner'],
    ['机器学习', 'chinese'],
    ['王小明', 'chinese'],
    ['猫', 'japanese'],
    ['黒い猫の名前', 'japanese'],
    ['новая квартира', 'russian'],
    ['вокзала', 'russian'],
    ['친구', 'korean'],
    ['부산에서 누구를 만났지?', 'korean'],
  ])('finds for "%s" the memory %s first', async (question, itemId) => {
    const found = await recall(question)
    expect(items(found)[0]).toBe(itemId)
    expect(found.chunks[0]?.itemId).toBe(itemId)
  })

  it('gives scores in [0, 1], best first, and no more results than asked for', async () => {
    const { memories, chunks } = await recall('the login bug and the release', { limit: 2 })
    expect(memories.length).toBeLessThanOrEqual(2)
    expect(chunks.length).toBeLessThanOrEqual(2)
    for (const list of [memories, chunks]) {
      const scores = list.map(({ score }) => score)
      expect(scores).toEqual([...scores].sort((a, b) => b - a))
      for (const score of scores) expect(score).toBeGreaterThan(0)
      for (const score of scores) expect(score).toBeLessThanOrEqual(1)
    }
  })

  it('scores a question that is answered above one that is hardly touched', async () => {
    const [answered] = (await recall('hotel near Ueno park')).memories
    const [touched] = (await recall('what is the name of the park ranger of Yellowstone')).memories
    expect(answered!.score).toBeGreaterThan(touched?.score ?? 0)
  })

  it.each(['photosynthesis of quantum walruses', 'zxqv', 'what is the capital of Mongolia'])(
    'returns nothing for "%s"',
    async (question) => {
      expect(await recall(question)).toMatchObject({ memories: [], qas: [], chunks: [] })
    },
  )

  it('returns what lies in the time that a question counts from now', async () => {
    expect(items(await recall('what happened yesterday'))).toEqual(['dentist'])
    expect(items(await recall('what did I do last week'))).toEqual(['runner'])
  })

  it('begins yesterday in the time zone of the asker', async () => {
    // 08:00 UTC on the 19th is still the 18th in Honolulu, where it is now the 19th.
    expect(items(await recall('what happened yesterday', { timeZone: 'Pacific/Honolulu' }))).toEqual(['dentist'])
    expect(items(await recall('what happened today', { timeZone: 'Pacific/Honolulu' }))).not.toContain('dentist')
  })

  it('prefers what was told in the month that a question names', async () => {
    const found = items(await recall('what was decided in March 2026'))
    expect(found.slice(0, 2).sort()).toEqual(['budget', 'tokyo'])
  })

  it('prefers the source that a question names and keeps to the source that the request names', async () => {
    expect(items(await recall('the login bug in slack'))[0]).toBe('standup')
    expect(items(await recall('emails about the login bug'))[0]).toBe('login-mail')
    expect(items(await recall('login bug', { source: 'email' }))).toEqual(['login-mail'])
  })

  it('keeps to since and until of the request', async () => {
    const found = await recall('login bug', {
      since: new Date('2026-11-17T00:00:00Z'),
      until: new Date('2026-11-18T00:00:00Z'),
    })
    expect(items(found)).toEqual(['standup'])
    expect(found.chunks.map(({ itemId }) => itemId)).toEqual(['standup'])
  })

  it('says of a chunk when it is from, as its memory does', async () => {
    const [chunk] = (await recall('hotel near Ueno park', { timeZone: 'UTC' })).chunks
    expect(chunk).toMatchObject({ itemId: 'tokyo', when: '10 March 2026, 09:00' })
  })

  it('stops when nobody waits any more', async () => {
    const reason = new Error('gone')
    const signal = AbortSignal.abort(reason)
    await expect(
      recallMemories({ text: 'Tokyo', now: NOW, timeZone: 'UTC', signal }, { index, embedder }),
    ).rejects.toBe(reason)
  })

  it('finds nothing in an account that holds nothing', async () => {
    const empty = store.index(await store.createAccount())
    const found = await recallMemories({ text: 'Tokyo', now: NOW, timeZone: 'UTC' }, { index: empty, embedder })
    expect(found).toMatchObject({ memories: [], qas: [], chunks: [] })
  })
})
