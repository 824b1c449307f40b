import { describe, expect } from 'vitest'
import { askResult, recallResult } from '../../src/domain/results.ts'
import { httpCall } from '../lib/http-call.ts'
import { expectDetail, rules, specifiedService } from '../lib/specified-service.ts'

/* The specification, sentence by sentence, against the real service over HTTP. */

const { running, github, url, get, remove, recall, ask, memorize } = specifiedService()

describe('4.3 Recall', () => {
  rules([
    [
      '4.3',
      'rule 1: blank text is 400, saying that query text is required',
      async () => {
        for (const text of ['', ' ', '\n\t ', '\u00a0'])
          expectDetail(await recall([['text', text]]), 400, /query text is required/i)
      },
    ],
    [
      '4.3',
      'rule 2: a missing text field is 422',
      async () => {
        const answer = await recall([['source', 'text']])
        expectDetail(answer, 422, /text/)
        expect(answer.body.errors).toEqual([{ field: 'text', message: expect.any(String) }])
      },
    ],
    [
      '4.3',
      'rule 3: no match is 200 with an empty memories array',
      async () => {
        const answer = await recall([['text', 'zyxwvut qwrtpsd']])
        expect(answer.status).toBe(200)
        expect(answer.body).toMatchObject({ memories: [], qa: [], chunks: [] })
      },
    ],
    [
      '4.3',
      'rule 4: what is nearest in meaning comes first',
      async () => {
        const { memories } = recallResult.parse((await recall([['text', 'flaky checkout test']])).body)
        expect(memories[0]?.item_id).toBe('checkout-test')
      },
    ],
    [
      '4.3',
      'source filters by source type',
      async () => {
        const { memories } = recallResult.parse(
          (
            await recall([
              ['text', 'billing checkout test'],
              ['source', 'github'],
            ])
          ).body,
        )
        expect(new Set(memories.map(({ source }) => source))).toEqual(new Set(['github']))
      },
    ],
    [
      '4.3',
      'the key must have access to the source: 403',
      async () =>
        expectDetail(
          await recall(
            [
              ['text', 'x'],
              ['source', 'slack'],
            ],
            github(),
          ),
          403,
        ),
    ],
    [
      '4.3',
      'an unsupported source is 400',
      async () =>
        expectDetail(
          await recall([
            ['text', 'x'],
            ['source', 'fax'],
          ]),
          400,
          /source/,
        ),
    ],
    [
      '4.3',
      'extension: limit is the most memories; out of range it is 400',
      async () => {
        const { memories } = recallResult.parse(
          (
            await recall([
              ['text', 'billing migration Alan station'],
              ['limit', '1'],
            ])
          ).body,
        )
        expect(memories.length).toBeLessThanOrEqual(1)
        for (const limit of ['0', '101', '-1', '1.5', 'ten'])
          expectDetail(
            await recall([
              ['text', 'x'],
              ['limit', limit],
            ]),
            400,
            /limit/,
          )
      },
    ],
    [
      '4.3',
      'extension: since and until are times, also in words; anything else is 400',
      async () => {
        expect(
          (
            await recall([
              ['text', 'x'],
              ['since', '2026-03-01'],
              ['until', '2026-04-01T00:00:00+02:00'],
            ])
          ).status,
        ).toBe(200)
        for (const since of ['soonish', '2026-13-01', '2026-03-01T10:00']) {
          expectDetail(
            await recall([
              ['text', 'x'],
              ['since', since],
            ]),
            400,
            /since/,
          )
        }
        expectDetail(
          await recall([
            ['text', 'x'],
            ['since', '2026-05-01'],
            ['until', '2026-04-01'],
          ]),
          400,
          /since/,
        )
      },
    ],
  ])
})

describe('2.3 trace_id', () => {
  rules([
    [
      '2.3',
      'trace_id identifies the recall request: the log line of the request carries it',
      async () => {
        const { body } = await recall([['text', 'billing']])
        await expect
          .poll(() => running().logLines.filter(({ message }) => message === 'request'))
          .toContainEqual({
            level: 'info',
            message: 'request',
            fields: expect.objectContaining({ traceId: body.trace_id, route: '/v1/memories/recall', status: 200 }),
          })
      },
    ],
  ])
})

describe('4.4 Files', () => {
  rules([
    [
      '4.4',
      'list requires source_type: without it 422',
      async () => expectDetail(await get('/v1/files/list'), 422, /source_type/),
    ],
    [
      '4.4',
      'an unsupported source_type is 400',
      async () => {
        expectDetail(await get('/v1/files/list?source_type=fax'), 400, /source_type/)
        expectDetail(await get('/v1/files/download?item_id=x&source_type=fax'), 400, /source_type/)
        expectDetail(await remove('/v1/files/fax/x'), 400, /source_type/)
      },
    ],
    [
      '4.4',
      'list pages by limit and offset, and tells the total',
      async () => {
        for (const n of [1, 2, 3]) await memorize({ fields: { item_id: `page-${n}`, source_type: 'books' } })
        const page = await get('/v1/files/list?source_type=books&limit=2&offset=2')
        expect(page.body).toMatchObject({ total: 3, limit: 2, offset: 2, files: [{ source_type: 'books' }] })
      },
    ],
    [
      '4.4',
      'start_date is accepted but has no filtering effect',
      async () => {
        const plain = await get('/v1/files/list?source_type=github')
        const dated = await get('/v1/files/list?source_type=github&start_date=2999-01-01')
        expect(dated.body).toEqual(plain.body)
      },
    ],
    [
      '4.4',
      'a listed file has the fields the design gives it',
      async () => {
        const { files } = (await get('/v1/files/list?source_type=github')).body as { files: unknown[] }
        expect(files[0]).toMatchObject({
          item_id: 'checkout-test',
          source_type: 'github',
          file_name: 'note.txt',
          content_type: 'text/plain',
          size_bytes: 67,
          status: 'ready',
          memory_count: expect.any(Number),
          created_at: expect.any(String),
          updated_at: expect.any(String),
        })
      },
    ],
    [
      '4.4',
      'download gives the original bytes as an attachment with their content type',
      async () => {
        const name = 'naïve "plan" – 計画.md'
        await memorize({ body: '# Plan\r\n\r\nI sail.', name, fields: { item_id: 'plan' } })
        const answer = await get('/v1/files/download?item_id=plan&source_type=text')
        expect(answer.text).toBe('# Plan\r\n\r\nI sail.')
        expect(answer.headers.get('content-type')).toBe('text/plain')
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
        expect(answer.headers.get('content-disposition')).toMatch(
          /^attachment; filename="na_ve .*"; filename\*=UTF-8''na%C3%AFve/,
        )
      },
    ],
    [
      '4.4',
      'download without source_type searches the sources available to the key',
      async () => {
        expect((await get('/v1/files/download?item_id=checkout-test')).status).toBe(200)
        expect((await get('/v1/files/download?item_id=checkout-test', github())).status).toBe(200)
        expectDetail(await get('/v1/files/download?item_id=billing', github()), 404)
      },
    ],
    [
      '4.4',
      'download requires item_id: without it 422',
      async () => expectDetail(await get('/v1/files/download'), 422, /item_id/),
    ],
    [
      '4.4',
      'delete is destructive: the item is gone from recall, list and download when it is answered',
      async () => {
        await running().upload('I hid the treasure under the third oak.', { itemId: 'treasure' })
        const answer = await remove('/v1/files/text/treasure')
        expect(answer.body).toMatchObject({
          status: 'success',
          item_id: 'treasure',
          source_type: 'text',
          deleted_memories: expect.any(Number),
        })
        expect((await recall([['text', 'treasure under the third oak']])).text).not.toContain('treasure')
        expect((await get('/v1/files/list?source_type=text')).text).not.toContain('treasure')
        expectDetail(await get('/v1/files/download?item_id=treasure'), 404)
        expectDetail(await remove('/v1/files/text/treasure'), 404)
      },
    ],
    [
      '4.4',
      'an item that is still being processed can be deleted, and does not come back',
      async () => {
        await memorize({ body: 'I whispered the word saffron.', fields: { item_id: 'racing' } })
        expect((await remove('/v1/files/text/racing')).status).toBe(200)
        await running().upload('I waited for the queue.', { itemId: 'after-racing' })
        expect((await recall([['text', 'whispered the word saffron']])).text).not.toContain('racing_memory')
      },
    ],
  ])
})

describe('4.5 Answer, 4.6 Feedback', () => {
  rules([
    [
      '4.5',
      'ask answers with one string field response',
      async () => {
        const answer = await ask([['text', 'When does the billing migration start?']])
        expect(answer.status).toBe(200)
        expect(answer.body).toEqual({ response: expect.stringMatching(/April/) })
      },
    ],
    [
      '4.5',
      'extension: who asks for citations also gets what the response quotes',
      async () => {
        const question: [string, string] = ['text', 'When does the billing migration start?']
        const { body } = await ask([question, ['citations', 'true']])
        const { response, abstained, citations } = askResult.parse(body)
        expect({ abstained, citations }).toEqual({
          abstained: false,
          citations: [
            {
              n: 1,
              item_id: 'billing',
              source: 'text',
              handle: 'r1.0',
              quote: expect.any(String),
              when: '1 April 2026',
            },
          ],
        })
        expect(response).toContain(`“${citations?.[0]?.quote}” [1]`)
        expectDetail(await ask([question, ['citations', 'maybe']]), 400, /citations must be true or false/)
      },
    ],
    [
      '4.5',
      'a missing text is 422, a blank one 400',
      async () => {
        expectDetail(await ask([['question', 'x']]), 422, /text/)
        expectDetail(await ask([['text', ' ']]), 400, /query text is required/i)
      },
    ],
    [
      '4.6',
      'feedback is not exposed: 404',
      async () =>
        expectDetail(await httpCall(url('/v1/memories/feedback'), { method: 'POST', key: running().key }), 404),
    ],
  ])
})
