import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { recallResult, uploadResult } from '../../src/domain/results.ts'
import { SOURCE_TYPES } from '../../src/domain/source-type.ts'
import { httpCall } from '../lib/http-call.ts'
import { expectDetail, rules, specifiedService } from '../lib/specified-service.ts'
import { startService } from '../lib/start-service.ts'

/* The specification, sentence by sentence, against the real service over HTTP. */

const { running, github, url, get, remove, recall, memorize } = specifiedService()

describe('1 What the service does', () => {
  rules([
    [
      '1',
      'upload returns when processing has started; recall finds the memories after a short delay',
      async () => {
        const answer = await memorize({
          body: 'I planted seventeen rhubarb bushes behind the shed.',
          fields: { item_id: 'rhubarb' },
        })
        expect(answer.status).toBe(200)
        await running().ready('rhubarb')
        const { body } = await recall([['text', 'rhubarb behind the shed']])
        expect(recallResult.parse(body).memories.map(({ item_id }) => item_id)).toContain('rhubarb')
      },
    ],
    [
      '1',
      'responses are JSON',
      async () => {
        const answers = [
          await get('/v1/health'),
          await recall([['text', 'x']]),
          await get('/v1/files/list?source_type=text'),
        ]
        for (const { headers } of answers) expect(headers.get('content-type')).toMatch(/^application\/json/)
      },
    ],
  ])
})

describe('2 Resources and their fields', () => {
  test.each(SOURCE_TYPES)(
    '2.1 the source type %s can be uploaded, listed, recalled, downloaded and deleted',
    async (source) => {
      const item = `every-${source}`
      const uploaded = await memorize({ fields: { source_type: source, item_id: item } })
      expect(uploaded.status).toBe(200)
      expect((await get(`/v1/files/list?source_type=${source}`)).text).toContain(item)
      expect(
        (
          await recall([
            ['text', 'Alan'],
            ['source', source],
          ])
        ).status,
      ).toBe(200)
      expect((await get(`/v1/files/download?source_type=${source}&item_id=${item}`)).status).toBe(200)
      expect((await remove(`/v1/files/${source}/${item}`)).status).toBe(200)
    },
  )

  rules([
    [
      '2.1',
      'when source_type is omitted on upload, it defaults to text',
      async () => {
        await memorize({ fields: { item_id: 'no-source' } })
        expect((await get('/v1/files/list?source_type=text')).text).toContain('no-source')
      },
    ],
    [
      '2.2',
      'upload result: status success, user_id, item_id, workflow_execution',
      async () => {
        const answer = await memorize({ fields: { item_id: 'result' } })
        const result = uploadResult.parse(answer.body)
        expect(result).toMatchObject({ status: 'success', item_id: 'result', user_id: running().userId })
        expect(result.workflow_execution).toMatch(/^accounts\/[^/]+\/workflows\/memorize\/executions\/[^/]+$/)
      },
    ],
    [
      '2.3',
      'recall result: trace_id, memories, qa and chunks of the given shape',
      async () => {
        const { body } = await recall([['text', 'When does the billing migration start?']])
        const result = recallResult.parse(body)
        expect(result.memories.length).toBeGreaterThan(0)
        expect(z.uuid().safeParse(result.trace_id).success).toBe(true)
      },
    ],
    [
      '2.3',
      'memories are ranked, best first by score',
      async () => {
        const scores = recallResult
          .parse((await recall([['text', 'billing migration']])).body)
          .memories.map(({ score }) => score)
        expect(scores).toEqual([...scores].sort((left, right) => right - left))
      },
    ],
    [
      '2.3',
      'custom_id has the form <item_id>_memory_<index>',
      async () => {
        const { memories } = recallResult.parse((await recall([['text', 'billing migration']])).body)
        for (const { custom_id, item_id } of memories) expect(custom_id).toMatch(new RegExp(`^${item_id}_memory_\\d+$`))
      },
    ],
    [
      '2.3',
      'narrative is a first-person account of the user_name given at upload',
      async () => {
        await running().upload('Ada Lovelace wrote the first program for the Analytical Engine.', { itemId: 'engine' })
        const { memories } = recallResult.parse(
          (await recall([['text', 'first program for the Analytical Engine']])).body,
        )
        expect(memories.find(({ item_id }) => item_id === 'engine')?.content.narrative).toMatch(/\bI\b|\b[Mm]y\b/)
      },
    ],
    [
      '2.4',
      'a file is identified by the pair source_type and item_id',
      async () => {
        expect((await memorize({ body: 'I am text.', fields: { item_id: 'twin', source_type: 'text' } })).status).toBe(
          200,
        )
        expect(
          (await memorize({ body: 'I am slack.', fields: { item_id: 'twin', source_type: 'slack' } })).status,
        ).toBe(200)
        expect((await get('/v1/files/download?item_id=twin&source_type=text')).text).toBe('I am text.')
        expect((await get('/v1/files/download?item_id=twin&source_type=slack')).text).toBe('I am slack.')
      },
    ],
  ])
})

describe('3 States and transitions', () => {
  rules([
    [
      '3',
      'a successful upload response does not imply that recall will return the memories yet',
      async () => {
        await using idle = await startService({ work: false })
        const form: [string, string | File][] = [
          ['file', new File(['I saw a heron.'], 'a.txt')],
          ['user_name', 'Ada'],
        ]
        const uploaded = await httpCall(`${idle.baseUrl}/v1/memorize`, { method: 'POST', key: idle.key, form })
        expect(uploaded.status).toBe(200)
        const found = await httpCall(`${idle.baseUrl}/v1/memories/recall`, {
          method: 'POST',
          key: idle.key,
          form: [['text', 'heron']],
        })
        expect(found.body).toMatchObject({ memories: [], qa: [], chunks: [] })
      },
    ],
  ])
})

describe('4.1 Health', () => {
  rules([
    [
      '4.1',
      'no authentication, 200 with the strings status healthy and message',
      async () => {
        const answer = await httpCall(url('/v1/health'))
        expect(answer.status).toBe(200)
        expect(answer.body).toEqual({ status: 'healthy', message: expect.stringMatching(/platform API is running/) })
      },
    ],
  ])
})

describe('4.2 Memorize', () => {
  rules([
    ['4.2', 'file is required: without it 422', async () => expectDetail(await memorize({ body: null }), 422, /file/)],
    [
      '4.2',
      'user_name is required: without it 422',
      async () => expectDetail(await memorize({ fields: { user_name: 'ABSENT' } }), 422, /user_name/),
    ],
    [
      '4.2',
      'item_id is generated if omitted',
      async () => {
        const [one, two] = [await memorize(), await memorize()]
        expect(one.body.item_id).toEqual(expect.any(String))
        expect(one.body.item_id).not.toBe(two.body.item_id)
      },
    ],
    [
      '4.2',
      'item_id allows word characters plus - _ = ! :',
      async () => {
        const itemId = 'Café_naïve-会議:2026=!x1'
        const answer = await memorize({ fields: { item_id: itemId } })
        expect(answer.body.item_id).toBe(itemId)
        expect((await remove(`/v1/files/text/${encodeURIComponent(itemId)}`)).status).toBe(200)
      },
    ],
    [
      '4.2',
      'item_id allows no other characters: 400',
      async () => {
        for (const itemId of ['a b', 'a/b', 'a.b', 'a%b', 'a\nb', '', '../x', 'a"b', '😀']) {
          expectDetail(await memorize({ fields: { item_id: itemId } }), 400, /item_id/)
        }
      },
    ],
    [
      '4.2',
      'rule 1: a key that lacks access to the source_type is rejected with 403',
      async () => {
        expectDetail(await memorize({ key: github(), fields: { source_type: 'slack' } }), 403, /slack/)
        expectDetail(await memorize({ key: github() }), 403, /text/)
      },
    ],
    [
      '4.2',
      'rule 2: an item_id that already exists is 409, naming the conflict',
      async () => expectDetail(await memorize({ fields: { item_id: 'billing' } }), 409, /billing already exists/),
    ],
    [
      '4.2',
      'rule 2: an item_id that is currently being processed is 409, naming the conflict',
      async () => {
        await using idle = await startService({ work: false })
        const send = () =>
          httpCall(`${idle.baseUrl}/v1/memorize`, {
            method: 'POST',
            key: idle.key,
            form: [
              ['file', new File(['I wait.'], 'a.txt')],
              ['user_name', 'Ada'],
              ['item_id', 'busy'],
            ],
          })
        expect((await send()).status).toBe(200)
        expectDetail(await send(), 409, /busy is still being processed/)
      },
    ],
    [
      '4.2',
      'rule 3: a text that is not valid UTF-8 is 400',
      async () => {
        for (const bytes of [
          [0xff, 0xfe, 0x41, 0x00],
          [0xc3, 0x28],
          [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
        ]) {
          expectDetail(await memorize({ body: new Uint8Array(bytes) }), 400, /UTF-8/)
        }
      },
    ],
    [
      '4.2',
      'rule 4: stable item_id values give deduplication',
      async () => {
        const body = 'I keep this once.'
        expect((await memorize({ body, fields: { item_id: 'once' } })).status).toBe(200)
        expect((await memorize({ body, fields: { item_id: 'once' } })).status).toBe(409)
        const { files } = (await get('/v1/files/list?source_type=text')).body as { files: { item_id: string }[] }
        expect(files.filter(({ item_id }) => item_id === 'once')).toHaveLength(1)
      },
    ],
    [
      '4.2',
      'extension: on_conflict=replace keeps the old memories until the new ones are ready',
      async () => {
        await running().upload('I parked the car on level three.', { itemId: 'car' })
        const replace = { item_id: 'car', on_conflict: 'replace' }
        expect((await memorize({ body: 'I parked the car on level nine.', fields: replace })).status).toBe(200)
        expect((await recall([['text', 'Where did I park the car?']])).text).toContain('"item_id":"car"')
        await running().ready('car')
        expect((await recall([['text', 'Where did I park the car?']])).text).toContain('level nine')
        expect((await get('/v1/files/download?item_id=car')).text).toBe('I parked the car on level nine.')
      },
    ],
    [
      '4.2',
      'extension: an on_conflict of another value is 400',
      async () => expectDetail(await memorize({ fields: { on_conflict: 'merge' } }), 400, /on_conflict/),
    ],
    [
      '4.2',
      'extension: an upload of low priority is processed, and a priority of another value is 400',
      async () => {
        const fields = { item_id: 'old', priority: 'low' }
        expect((await memorize({ body: 'I sold the motorbike in 2019.', fields })).status).toBe(200)
        await running().ready('old')
        expect((await recall([['text', 'When did I sell the motorbike?']])).text).toContain('"item_id":"old"')
        expectDetail(await memorize({ fields: { priority: 'urgent' } }), 400, /priority must be normal or low/)
      },
    ],
  ])
})
