import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Embedder } from '../../../src/models/model.ts'
import { createPipeline } from '../../../src/pipeline/pipeline.ts'
import { recallMemories } from '../../../src/retrieval/recall/recall.ts'
import { type EvaluationStore, type NewText, openEvaluationStore } from '../../eval/evaluation-store.ts'
import { builtInEmbedder } from '../../lib/built-in-embedder.ts'
import { makeTwins } from '../../lib/near-twins.ts'

const NOW = new Date('2026-11-20T09:00:00Z')
const TWINS = makeTwins(4)
const ANNOUNCEMENT =
  'From Monday on the north entrance of the Zelkova building is closed for repairs, please use the door at the yard and bring your badge with you.'

function event(product: string, uid: string): string {
  return `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:${product}\nBEGIN:VEVENT\nUID:${uid}\nDTSTAMP:20260301T080000Z\nDTSTART:20260304T100000Z\nDTEND:20260304T110000Z\nSUMMARY:Hornbeam planning\nLOCATION:Room 4\nORGANIZER;CN=Ada:mailto:ada@example.com\nATTENDEE;CN=Ben:mailto:ben@example.com\nDESCRIPTION:Bring the plan of the Hornbeam garden.\nEND:VEVENT\nEND:VCALENDAR\n`
}

const PARAGRAPH =
  'The Larkspur archive keeps each recording for seven years, gives researchers access after a written request, and\nanswers within three weeks.'
const MAIL =
  'From: Ada <ada@example.com>\nTo: Ben <ben@example.com>\nSubject: Tamarisk lease\nDate: Wed, 4 Mar 2026 10:00:00 +0000\nMessage-ID: <1@example.com>\n\nThe Tamarisk lease ends on 30 June and I will not renew it.\n'

/** Each is one text in several forms. */
const COPIES: Readonly<Record<string, readonly NewText[]>> = {
  'Larkspur archive': [
    { itemId: 'lark-md', text: `# Larkspur\n\n${PARAGRAPH}\n`, sourceType: 'technical_docs' },
    {
      itemId: 'lark-html',
      text: `<html><head><title>Larkspur</title></head><body><h1>LARKSPUR</h1><p>${PARAGRAPH}</p></body></html>`,
      fileName: 'lark.html',
      contentType: 'text/html',
      sourceType: 'gdocs',
    },
    {
      itemId: 'lark-txt',
      text: `Larkspur\n\n${PARAGRAPH.replaceAll('\n', ' ')}   \n`,
      fileName: 'lark.txt',
      contentType: 'text/plain',
      sourceType: 'ms-onedrive',
    },
  ],
  'Hornbeam planning': [
    {
      itemId: 'google',
      text: event('-//Google Inc//Google Calendar//EN', 'a@google.com'),
      fileName: 'a.ics',
      contentType: 'text/calendar',
      sourceType: 'calendar',
    },
    {
      itemId: 'outlook',
      text: event('Microsoft Exchange Server 2010', '0400000082'),
      fileName: 'b.ics',
      contentType: 'text/calendar',
      sourceType: 'ms-calendar',
    },
  ],
  'Tamarisk lease': [
    { itemId: 'inbox', text: MAIL, fileName: 'a.eml', contentType: 'message/rfc822', sourceType: 'email' },
    { itemId: 'outlook-mail', text: MAIL, fileName: 'b.eml', contentType: 'message/rfc822', sourceType: 'ms-outlook' },
  ],
  'Zelkova entrance': ['#general', '#berlin'].map((channel, i) => ({
    itemId: `zelkova${i}`,
    text: `---\ntitle: "${channel}"\n---\nAda Holm [2026-03-04 10:0${i}]: ${ANNOUNCEMENT}\n`,
    sourceType: 'slack' as const,
  })),
}

describe('what is nearly the same, through the whole pipeline and the SQLite store,', () => {
  let store: EvaluationStore
  let embedder: Embedder
  let accountId: string

  beforeAll(async () => {
    embedder = await builtInEmbedder()
    store = await openEvaluationStore()
    accountId = await store.createAccount()
    const pipeline = createPipeline({ embedder })
    const twins = TWINS.flatMap(({ topic, texts, ...more }) =>
      texts.map((text, i) => ({ itemId: `${topic}-${i}`, text, ...more })),
    )
    await store.add(accountId, [...twins, ...Object.values(COPIES).flat()], (file) => pipeline.run(file))
  })
  afterAll(() => store.close())

  const recall = (text: string, limit?: number) =>
    recallMemories(
      { text, now: NOW, timeZone: 'UTC', ...(limit && { limit }) },
      { index: store.index(accountId), embedder },
    )

  it('survives, all 500 of texts that differ in one thing', async () => {
    const lost: string[] = []
    let survivors = 0
    for (const { shape, topic, texts } of TWINS) {
      const { memories, chunks } = await recall(topic, 2 * texts.length)
      expect(memories.flatMap(({ copies }) => copies)).toEqual([])
      const told = new Set(memories.map(({ row }) => row.itemId))
      // A turn that nothing was changed in may stand in several of them.
      const quoted = new Set(chunks.flatMap(({ itemId, copies }) => [itemId, ...copies.map((copy) => copy.itemId)]))
      for (const i of texts.keys()) {
        const itemId = `${topic}-${i}`
        if (told.has(itemId) && quoted.has(itemId)) survivors++
        else lost.push(`${shape} ${i}`)
      }
    }
    expect(lost).toEqual([])
    expect(survivors).toBeGreaterThanOrEqual(500)
  })

  it.each(Object.keys(COPIES))('is one result with all its places: %s', async (question) => {
    const items = COPIES[question]!.map(({ itemId }) => itemId)
    const { memories } = await recall(question)
    const found = memories.filter(({ row }) => items.includes(row.itemId))
    expect(found).toHaveLength(1)
    expect([found[0]!.row.itemId, ...found[0]!.copies.map(({ row }) => row.itemId)].sort()).toEqual([...items].sort())
  })

  it('names the places of copies behind a small limit too', async () => {
    const { memories, chunks } = await recall('Tamarisk lease', 1)
    expect(memories).toHaveLength(1)
    expect(memories[0]!.copies).toHaveLength(1)
    expect(chunks).toHaveLength(1)
    expect(chunks[0]!.copies).toMatchObject([{ title: 'Tamarisk lease', when: '4 March 2026, 10:00' }])
  })
})
