import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askResult, recallResult } from '../../src/domain/results.ts'
import { movableClock } from '../contract/store-contract.ts'
import { httpCall } from '../lib/http-call.ts'
import { type RunningService, startService } from '../lib/start-service.ts'

const MAY = `---
title: Pool of the shop
when: 2026-05-04T09:00:00Z
---
Ann [2026-05-04 09:00]: The connection pool of the shop has a size of 50.
`
const JUNE = `---
title: Pool of the shop
when: 2026-06-08T09:00:00Z
---
Ben [2026-06-08 09:00]: The connection pool of the shop now has a size of 20.
`
const MAIL = `From: Priya Raman <priya@example.com>
To: ann@example.com
Subject: Offsite
Date: Mon, 8 Jun 2026 10:00:00 +0000
Content-Type: text/plain; charset=utf-8

The offsite is at the harbour hotel on 3 July. Dogs are not allowed at the offsite.
`

describe('a question over REST', () => {
  const clock = movableClock()
  let running: RunningService
  beforeAll(async () => {
    running = await startService({ clock })
    await running.upload(MAY, { itemId: 'may', source: 'slack' })
    await running.upload(JUNE, { itemId: 'june', source: 'slack' })
    await running.upload(MAIL, { itemId: 'mail', source: 'email' })
  })
  afterAll(() => running.stop())

  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    httpCall(`${running.baseUrl}${path}`, { method: 'POST', key: running.key, form: Object.entries(fields) })
  const recall = async (fields: Readonly<Record<string, string>>) =>
    recallResult.parse((await post('/v1/memories/recall', fields)).body)
  const ask = async (fields: Readonly<Record<string, string>>) =>
    askResult.parse((await post('/v1/memories/ask', { citations: 'true', ...fields })).body)
  const items = async (fields: Readonly<Record<string, string>>) => {
    const { chunks } = await recall(fields)
    return chunks.map(({ item_id }) => item_id)
  }

  test('as of a day finds nothing later, and counts words for times from there', async () => {
    const text = 'size of the connection pool'
    expect((await items({ text })).toSorted()).toEqual(['june', 'may'])
    expect(await items({ text, as_of: '2026-05' })).toEqual(['may'])
    expect(await items({ text, as_of: '2026-06-09', since: 'yesterday' })).toEqual(['june'])
    expect((await ask({ text: 'What size has the connection pool of the shop?' })).response).toMatch(/^Ben .*20/)
    const before = await ask({ text: 'What size has the connection pool of the shop?', as_of: '2026-05-31' })
    expect(before.response).toMatch(/^Ann .*50/)
  })

  test('names its sources and people, and says which were applied', async () => {
    const mails = await recall({ text: 'emails from Priya' })
    expect(mails.filters).toEqual({ sources: ['email', 'ms-outlook'], person: 'Priya' })
    expect(mails.chunks.map(({ item_id }) => item_id)).toEqual(['mail'])
    expect(mails.confidence).toBeGreaterThan(0.2)
    expect(await items({ text: 'connection pool', person: 'Ben' })).toEqual(['june'])
  })

  test('of one stored word and some that are stored nowhere finds the best there is, with little confidence', async () => {
    const { chunks, confidence } = await recall({ text: 'where did I stay near a harbour in Lisbon?' })
    expect(chunks[0]?.item_id).toBe('mail')
    expect(confidence).toBeLessThan(0.5)
    expect(await recall({ text: 'zxqv blorptang' })).toMatchObject({ memories: [], qa: [], chunks: [] })
  })

  test('that is only a time lists what is dated then, in order', async () => {
    const { memories, filters } = await recall({ text: 'What happened on 8 June 2026?' })
    expect(memories.map(({ item_id }) => item_id)).toEqual(['june', 'mail'])
    expect(filters).toMatchObject({ since: expect.stringMatching(/^2026-06-0[78]T/) })
    const { notice } = await recall({ text: 'What happened on 9 June 2026?' })
    expect(notice).toBe('Nothing was found that is dated 9 June 2026.')
  })

  test('that names a time and people lists what they take part in then', async () => {
    const { response } = await ask({ text: 'What did Ben and I talk about in June 2026?' })
    expect(response).toMatch(/^Found 1 with Ben dated 1 June 2026 to 30 June 2026:/)
    expect(response).not.toContain('offsite')
    expect(
      (await recall({ text: 'What did Priya write in June 2026?' })).memories.map(({ item_id }) => item_id),
    ).toEqual(['mail'])
  })

  test('of the time between two events is answered by their days, each quoted', async () => {
    const { response, citations = [] } = await ask({
      text: 'How many days after Ann set the connection pool to 50 did Ben set the connection pool to 20?',
    })
    expect(response).toMatch(/^35 days, from 4 May 2026 to 8 June 2026\./)
    expect(citations.map(({ item_id }) => item_id)).toEqual(['may', 'june'])
  })

  test('of yes or no gets the word, where a sentence states or denies it all', async () => {
    expect((await ask({ text: 'Is the offsite at the harbour hotel?' })).response).toMatch(
      /^Yes: Priya Raman .*harbour hotel/,
    )
    expect((await ask({ text: 'Is the offsite at the mountain hotel?' })).response).not.toMatch(/^Yes/)
    expect((await ask({ text: 'Are dogs allowed at the offsite?' })).response).toMatch(/^No: Priya Raman .*not allowed/)
  })

  test('that goes on with what was said before is understood by it', async () => {
    const context = 'Where is the offsite? At the harbour hotel.'
    expect((await ask({ text: 'And when is it?', context })).response).toContain('3 July')
  })
})
