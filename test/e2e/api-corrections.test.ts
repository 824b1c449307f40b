import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRestMemory } from '../../src/client/rest-memory.ts'
import { correctionResult, undoResult } from '../../src/domain/change-results.ts'
import { askResult, recallResult } from '../../src/domain/results.ts'
import { httpCall } from '../lib/http-call.ts'
import { type RunningService, startService } from '../lib/start-service.ts'

const MAIL = `From: Priya Raman <priya@example.com>
To: ann@example.com
Subject: Offsite
Date: Tue, 3 Mar 2026 10:00:00 +0000
Content-Type: text/plain; charset=utf-8

The offsite takes place in Lisbon from 4 to 6 May.
`
const QUESTION = 'Where does the offsite take place?'

describe('putting a memory right over REST', () => {
  let running: RunningService
  beforeAll(async () => {
    running = await startService()
  })
  afterAll(() => running.stop())

  const call = (method: string, path: string, fields: Readonly<Record<string, string>> = {}) =>
    httpCall(`${running.baseUrl}${path}`, {
      method,
      key: running.key,
      ...(Object.keys(fields).length > 0 && { form: Object.entries(fields) }),
    })
  const recall = async (fields: Readonly<Record<string, string>>) =>
    recallResult.parse((await call('POST', '/v1/memories/recall', fields)).body)
  const ask = async (text: string) =>
    askResult.parse((await call('POST', '/v1/memories/ask', { text, citations: 'true' })).body).response
  const correct = async (customId: string, text: string) => {
    const { status, body } = await call('PUT', `/v1/memories/${customId}/correction`, { text })
    expect(status).toBe(200)
    const result = correctionResult.parse(body)
    await running.ready(result.item_id, result.source_type)
    return result
  }

  test('a correction replaces the memory in every answer, survives its processing, and can be undone', async () => {
    await running.upload(MAIL, { itemId: 'mail', source: 'email' })
    const corrected = await correct('mail_memory_0', 'The offsite takes place in Porto from 4 to 6 May.')
    expect(corrected).toMatchObject({ source_type: 'email', corrects: 'mail_memory_0' })

    const expectCorrected = async () => {
      // Found by what only the wrong memory says, too.
      for (const text of [QUESTION, 'Lisbon']) {
        const { memories } = await recall({ text })
        expect(memories[0]).toMatchObject({
          custom_id: corrected.custom_id,
          content: { correction: { by: expect.any(String) }, supersedes: [{ custom_id: 'mail_memory_0' }] },
        })
        expect(memories[1]?.content.superseded_by).toBe(corrected.custom_id)
      }
      expect(await ask(QUESTION)).toMatch(/Porto/)
      expect(await ask(QUESTION)).not.toMatch(/Lisbon/)
      // Dated as what it corrects.
      expect(await ask('What happened in March 2026?')).not.toMatch(/Offsite/)
    }
    await expectCorrected()
    await running.upload(MAIL.replace('4 to 6 May.', '4 to 6 May. '), {
      itemId: 'mail',
      source: 'email',
      onConflict: 'replace',
    })
    await expectCorrected()

    const undone = await call('DELETE', '/v1/memories/mail_memory_0/correction')
    expect(undoResult.parse(undone.body)).toEqual({ status: 'success', undone: 1 })
    expect(await ask(QUESTION)).toMatch(/Lisbon/)
    expect((await recall({ text: 'Porto' })).memories.map(({ item_id }) => item_id)).not.toContain(corrected.item_id)
  })

  test('as of a day before it was made, a correction changes nothing', async () => {
    await running.upload(MAIL.replaceAll('offsite', 'retreat'), { itemId: 'retreat', source: 'email' })
    await correct('retreat_memory_0', 'The retreat takes place in Faro.')
    const [first] = (await recall({ text: 'Where does the retreat take place?', as_of: '2026-04' })).memories
    expect(first?.content.superseded_by).toBeUndefined()
  })

  test('a pinned memory ranks above one that says the same as well, until it is unpinned', async () => {
    await running.upload('The boiler code is 4711 in the cellar.', { itemId: 'cellar' })
    await running.upload('The boiler code is 9922 in the attic.', { itemId: 'attic' })
    const order = async () => (await recall({ text: 'the boiler code' })).memories.map(({ item_id }) => item_id)
    const [, second] = await order()
    await call('PUT', `/v1/memories/${second}_memory_0/pin`)
    expect((await order())[0]).toBe(second)
    const pinned = (await recall({ text: 'the boiler code' })).memories[0]
    expect(pinned?.content.pin).toMatchObject({ by: expect.any(String), at: expect.any(String) })
    expect((await call('DELETE', `/v1/memories/${second}_memory_0/pin`)).body).toMatchObject({ undone: 1 })
    expect((await order())[1]).toBe(second)
  })

  test('the client corrects, pins and hides over REST as the service does in process', async () => {
    await running.upload('The gate opens at seven.', { itemId: 'gate' })
    const memory = createRestMemory({ baseUrl: running.baseUrl, apiKey: running.key })
    const ref = { customId: 'gate_memory_0', sourceType: 'text' } as const
    const { item_id } = await memory.correct({ memory: ref, text: 'The gate opens at eight.' })
    await running.ready(item_id)
    expect(await memory.mark('pin', ref)).toEqual({ status: 'success', custom_id: ref.customId, source_type: 'text' })
    const { memories } = await memory.recall({ text: 'When does the gate open?' })
    expect(memories.map(({ content }) => [content.narrative, content.pin?.by])).toEqual([
      ['The gate opens at eight.', undefined],
      [expect.stringMatching(/seven/), expect.any(String)],
    ])
    expect(await memory.unmark('pin', ref)).toEqual({ status: 'success', undone: 1 })
    expect(await memory.mark('hide', ref)).toEqual({ status: 'success', custom_id: ref.customId, source_type: 'text' })
    const found = (await memory.recall({ text: 'When does the gate open?' })).memories.map((one) => one.item_id)
    expect(found.filter((id) => id === 'gate' || id === item_id)).toEqual([])
    expect(await memory.unmark('hide', ref)).toEqual({ status: 'success', undone: 1 })
    expect(await memory.undoCorrection(ref)).toEqual({ status: 'success', undone: 1 })
    await memory.close()
  })

  test('says what is wrong: no such memory, a blank text, a source that is none', async () => {
    expect((await call('PUT', '/v1/memories/none_memory_0/pin')).status).toBe(404)
    expect((await call('PUT', '/v1/memories/cellar_memory_7/pin')).status).toBe(404)
    expect((await call('PUT', '/v1/memories/cellar_memory_7/hide')).status).toBe(404)
    expect((await call('PUT', '/v1/memories/cellar_memory_0/correction', { text: ' ' })).status).toBe(400)
    expect((await call('PUT', '/v1/memories/cellar_memory_0/correction', { other: 'x' })).status).toBe(422)
    expect((await call('DELETE', '/v1/memories/cellar_memory_0/pin?source_type=email')).status).toBe(404)
  })
})
