import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Embedder } from '../../../src/models/model.ts'
import { createPipeline } from '../../../src/pipeline/pipeline.ts'
import { answerQuestion } from '../../../src/retrieval/answer/answer.ts'
import { type Recalled, recallMemories } from '../../../src/retrieval/recall/recall.ts'
import { type EvaluationStore, type NewText, openEvaluationStore } from '../../eval/evaluation-store.ts'
import { readChanges } from '../../eval/updates/changes.ts'
import { measureChanges } from '../../eval/updates/measure-changes.ts'
import { measureUpdates } from '../../eval/updates/measure-updates.ts'
import { DEVELOPMENT_PAIRS } from '../../eval/updates/pairs.ts'
import { builtInEmbedder } from '../../lib/built-in-embedder.ts'
import { fileOf, type Told } from '../../lib/labelled-pair.ts'
import { LABELLED_UPDATES } from '../../lib/labelled-updates.ts'

const NOW = new Date('2026-11-20T09:00:00Z')
const CHAIN: readonly Told[] = [
  { form: 'chat', at: '2026-03-02T09:00Z', text: 'The gallery opening is on 20 March.' },
  { form: 'mail', at: '2026-03-05T09:00Z', title: 'Opening', text: 'The gallery opening is postponed to 27 March.' },
  { form: 'chat', at: '2026-03-09T09:00Z', text: 'The gallery opening moved to 3 April.' },
]

describe('what a newer memory replaces', () => {
  let store: EvaluationStore
  let embedder: Embedder
  let together: string

  async function accountOf(texts: readonly NewText[]): Promise<string> {
    const accountId = await store.createAccount()
    const pipeline = createPipeline({ embedder })
    await store.add(accountId, texts, (file) => pipeline.run(file))
    return accountId
  }
  const asText = (told: Told, itemId: string): NewText => ({ itemId, ...fileOf(told) })
  const ask = (text: string, limit = 20) => ({ text, limit, now: NOW, timeZone: 'UTC' })
  const recall = (accountId: string, text: string, limit?: number) =>
    recallMemories(ask(text, limit), { index: store.index(accountId), embedder })
  const answer = (accountId: string, text: string) =>
    answerQuestion(ask(text), { index: store.index(accountId), embedder })
  const items = ({ memories }: Recalled) => memories.map(({ row }) => row.itemId)
  const linksIn = ({ memories }: Recalled) =>
    memories.flatMap(({ row, supersedes }) => supersedes.map((older) => `${row.itemId} > ${older.itemId}`))

  beforeAll(async () => {
    embedder = await builtInEmbedder()
    store = await openEvaluationStore()
    together = await accountOf(
      LABELLED_UPDATES.flatMap(({ older, newer }, i) => [asText(older, `old-${i}`), asText(newer, `new-${i}`)]),
    )
  })
  afterAll(() => store.close())

  it('is linked in labelled pairs: precision at least 95 %, recall at least 70 %', async () => {
    const { updates, linked, missed, wrong, newestFirst } = await measureUpdates(LABELLED_UPDATES, embedder)
    console.log(`updates: ${wrong.length} wrong links, ${linked} of ${updates}; the newest first: ${newestFirst}`)
    expect(wrong.length / (wrong.length + linked), `wrong: ${wrong.join('; ')}`).toBeLessThanOrEqual(0.05)
    expect(linked / updates, `missed: ${missed.join('; ')}`).toBeGreaterThanOrEqual(0.7)
    expect(newestFirst / updates).toBeGreaterThanOrEqual(0.95)
  })

  it('comes first when the present is asked for, in whatever words it is said', async () => {
    const { updates, wrong, newestFirst, answeredByNewest } = await measureUpdates(DEVELOPMENT_PAIRS, embedder)
    console.log(
      `updates in many forms: the newest first: ${newestFirst} of ${updates}, answered by: ${answeredByNewest}`,
    )
    expect(wrong).toEqual([])
    expect(newestFirst / updates).toBeGreaterThanOrEqual(0.7)
    expect(answeredByNewest / updates).toBeGreaterThanOrEqual(0.65)
  })

  it('answers a question about today, and what it replaced one about before', async () => {
    const { changes, current, before, failures } = await measureChanges(readChanges('dev'), embedder)
    console.log(`values that changed: ${current} of ${changes} current, ${before} of before`)
    expect(current / changes, failures.join('\n')).toBeGreaterThanOrEqual(0.85)
    expect(before / changes, failures.join('\n')).toBeGreaterThanOrEqual(0.85)
  })

  it('is followed by the other version, which says whether it is earlier or later', async () => {
    const [older, newer] = [
      { form: 'note', at: '2025-09-03T09:00Z', text: 'Herr Windisch is our tax advisor and calls this week.' },
      { form: 'chat', at: '2026-02-11T09:00Z', text: 'Renate Kolb is our tax advisor from this month on.' },
    ] as const
    const accountId = await accountOf([asText(older, 'older'), asText(newer, 'newer')])
    const today = await answer(accountId, 'Who is our tax advisor?')
    expect(today.response).toMatch(/^Ada \(11 February 2026\): “Renate Kolb.*\nEarlier: “Herr Windisch/)
    const past = await answer(accountId, 'Who was our tax advisor before?')
    expect(past.response).toMatch(/^“Herr Windisch.*\nLater: Ada \(11 February 2026\): “Renate Kolb/)
  })

  it('comes after it, in memories and in chunks, with falling scores', async () => {
    for (const { question } of LABELLED_UPDATES) {
      const found = await recall(together, question)
      for (const { row, supersededBy } of found.memories) {
        const ids = items(found)
        if (supersededBy) expect(ids.indexOf(supersededBy.itemId)).toBeLessThan(ids.indexOf(row.itemId))
      }
      for (const list of [found.memories, found.chunks]) {
        const scores = list.map(({ score }) => score)
        expect(scores).toEqual([...scores].sort((a, b) => b - a))
      }
    }
  })

  it('is the history of a chain, whatever order it arrived in', async () => {
    const texts = CHAIN.map((told, i) => asText(told, `step-${i}`))
    for (const order of [texts, texts.toReversed()]) {
      const accountId = await accountOf(order)
      const found = await recall(accountId, 'when is the gallery opening?')
      expect(items(found)[0]).toBe('step-2')
      const [newest] = found.memories
      expect(newest!.supersedes.map(({ itemId }) => itemId)).toEqual(['step-1', 'step-0'])
      expect(newest!.supersedes.map(({ content }) => content.when)).toEqual([
        '5 March 2026, 09:00',
        '2 March 2026, 09:00',
      ])
      for (const { row, supersededBy } of found.memories.slice(1)) {
        expect(supersededBy?.itemId, row.itemId).toBe('step-2')
      }
      expect(items(await recall(accountId, 'when is the gallery opening?', 1))).toEqual(['step-2'])
    }
  })

  it('is not quoted as an answer; what holds now says that it replaces it', async () => {
    const accountId = await accountOf(CHAIN.map((told, i) => asText(told, `step-${i}`)))
    const { response, citations } = await answer(accountId, 'when is the gallery opening?')
    expect(response).toContain('moved to 3 April')
    expect(response).toContain('(replaces what was said on 5 March 2026)')
    expect(response).not.toContain('20 March')
    expect(citations.map(({ itemId }) => itemId)).toEqual(['step-2'])
  })

  it('is not replaced by a newer sentence that only says during what it happens', async () => {
    const accountId = await accountOf(
      [
        CHAIN[0]!,
        CHAIN[1]!,
        {
          form: 'mail',
          at: '2026-03-18T09:00Z',
          title: 'Shifts',
          text: 'During gallery opening week, Jonas has the nights.',
        },
      ].map((told, n) => asText(told as Told, `told-${n}`)),
    )
    const { response } = await answer(accountId, 'When is the gallery opening?')
    expect(response.split('\n')[0]).toContain('27 March')
    expect(response.split('\n')[0]).not.toContain('Jonas')
  })

  it('is not linked by what somebody without a date says', async () => {
    const [older, newer] = [CHAIN[0]!, CHAIN[2]!]
    const undated = { itemId: 'newer', text: newer.text, fileName: 'a.txt', contentType: 'text/plain' }
    const accountId = await accountOf([asText(older, 'older'), undated])
    expect(linksIn(await recall(accountId, 'when is the gallery opening?'))).toEqual([])
  })
})
