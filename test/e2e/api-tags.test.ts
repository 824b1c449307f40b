import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRestMemory } from '../../src/client/rest-memory.ts'
import { tagResult } from '../../src/domain/change-results.ts'
import { fileList, recallResult, recentResult } from '../../src/domain/results.ts'
import { httpCall } from '../lib/http-call.ts'
import { type RunningService, startService } from '../lib/start-service.ts'

describe('tagging items over REST', () => {
  let running: RunningService
  beforeAll(async () => {
    running = await startService()
    await running.upload('The harbour walk takes two hours.', { itemId: 'walk' })
    await running.upload('The harbour cinema opens at noon.', { itemId: 'cinema' })
    await running.upload('The harbour office closes at five.', { itemId: 'office', source: 'email' })
  })
  afterAll(() => running.stop())

  const call = (method: string, path: string, fields: Readonly<Record<string, string>> = {}, key = running.key) =>
    httpCall(`${running.baseUrl}${path}`, {
      method,
      key,
      ...(Object.keys(fields).length > 0 && { form: Object.entries(fields) }),
    })
  const change = (fields: Readonly<Record<string, string>>, item = 'text/walk', key = running.key) =>
    call('POST', `/v1/files/${item}/tags`, fields, key)

  test('tags are added, limit questions and lists, are shown with results, and are removed', async () => {
    const tagged = tagResult.parse((await change({ add: 'Holiday\nTo do' })).body)
    expect(tagged).toEqual({ status: 'success', item_id: 'walk', source_type: 'text', tags: ['Holiday', 'To do'] })
    await change({ add: 'HOLIDAY' }, 'email/office')

    const recall = async (fields: Readonly<Record<string, string>>) => {
      const { body } = await call('POST', '/v1/memories/recall', { text: 'harbour', ...fields })
      return recallResult.parse(body).memories.map(({ item_id, tags }) => ({ item_id, tags }))
    }
    expect((await recall({})).map(({ item_id }) => item_id).sort()).toEqual(['cinema', 'office', 'walk'])
    expect(await recall({ tag: 'holiday', source: 'text' })).toEqual([{ item_id: 'walk', tags: ['Holiday', 'To do'] }])
    expect((await recall({ tag: 'holiday' })).map(({ item_id }) => item_id).sort()).toEqual(['office', 'walk'])
    expect(await recall({ tag: 'unknown' })).toEqual([])
    const { body: answer } = await call('POST', '/v1/memories/ask', {
      text: 'When does the cinema open?',
      tag: 'to do',
    })
    expect(JSON.stringify(answer)).not.toContain('noon')
    const recent = recentResult.parse((await call('GET', '/v1/memories/recent?tag=to%20DO')).body)
    expect(recent.passages).toMatchObject([{ item_id: 'walk', tags: ['Holiday', 'To do'] }])
    const listed = fileList.parse((await call('GET', '/v1/files/list?source_type=text&tag=holiday')).body)
    expect(listed).toMatchObject({ total: 1, files: [{ item_id: 'walk', tags: ['Holiday', 'To do'] }] })

    const left = tagResult.parse((await change({ remove: 'holiday' })).body)
    expect(left.tags).toEqual(['To do'])
    expect(tagResult.parse((await call('GET', '/v1/files/text/walk/tags')).body).tags).toEqual(['To do'])
  })

  test.each([
    [{}, /Name at least one tag in `add` or `remove`\./],
    [{ add: 'x'.repeat(41) }, /add must be at most 40 characters\. Shorten the tag/],
    [{ remove: `a${String.fromCodePoint(0x200b)}b` }, /remove must not contain invisible characters/],
    [{ add: `${String.fromCodePoint(0x200d)}b` }, /add must not contain invisible characters/],
    [{ add: Array.from({ length: 21 }, (_, n) => `t${n}`).join('\n') }, /add.*at most 20 lines/],
  ])('%j is refused with the field and the remedy', async (fields, detail) => {
    const { status, body } = await change({ ...fields, other: '' })
    expect([status, JSON.stringify(body)]).toEqual([expect.any(Number), expect.stringMatching(detail)])
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(423)
  })

  test('a tag may have joiners between its letters, as Persian and emoji need', async () => {
    const tags = ['می\u200cخواهم', '👩\u200d🌾']
    expect(tagResult.parse((await change({ add: tags.join('\n') })).body).tags).toEqual(expect.arrayContaining(tags))
    await change({ remove: tags.join('\n') })
  })

  test('a filter that can be no tag is refused', async () => {
    const { status, body } = await call('POST', '/v1/memories/recall', { text: 'harbour', tag: 'x'.repeat(41) })
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('tag must be at most 40 characters')])
  })

  test('an item has at most 20 tags', async () => {
    const tags = Array.from({ length: 20 }, (_, n) => `t${n}`).join('\n')
    expect((await change({ add: tags }, 'text/cinema')).status).toBe(200)
    const { status, body } = await change({ add: 'one more' }, 'text/cinema')
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('Remove some tags first')])
  })

  test('nobody tags, reads or finds the tags of what is not theirs', async () => {
    const { key: other } = await running.service.accounts.create({ name: 'Bob', userName: 'Bob' })
    const mail = await running.keyFor(['email'], running.accountId)
    await change({ add: 'private' })
    for (const [key, status] of [
      [other, 404],
      [mail, 403],
    ] as const) {
      expect((await change({ add: 'theirs' }, 'text/walk', key)).status).toBe(status)
      expect((await call('GET', '/v1/files/text/walk/tags', {}, key)).status).toBe(status)
      const { body } = await call('POST', '/v1/memories/recall', { text: 'harbour', tag: 'private' }, key)
      expect(recallResult.parse(body)).toMatchObject({ memories: [], chunks: [] })
    }
    expect(tagResult.parse((await call('GET', '/v1/files/text/walk/tags')).body).tags).not.toContain('theirs')
  })

  test('the client does the same', async () => {
    const memory = createRestMemory({ baseUrl: running.baseUrl, apiKey: running.key })
    const office = { itemId: 'office', sourceType: 'email' } as const
    expect((await memory.tag({ ...office, add: ['Weiß/blau'], remove: ['holiday'] })).tags).toEqual(['Weiß/blau'])
    expect((await memory.tags(office)).tags).toEqual(['Weiß/blau'])
    expect((await memory.list({ sourceType: 'email', tag: 'weiß/BLAU' })).files).toMatchObject([{ item_id: 'office' }])
    await memory.close()
  })
})
