import { describe, expect, test } from 'vitest'
import { recallResult } from '../../src/domain/results.ts'
import { SOURCE_TYPES } from '../../src/domain/source-type.ts'
import { httpCall } from '../lib/http-call.ts'
import { expectDetail, rules, specifiedService } from '../lib/specified-service.ts'
import { startService } from '../lib/start-service.ts'

/* The specification, sentence by sentence, against the real service over HTTP. */

const { running, github, nothing, url, get, remove, recall, ask, memorize } = specifiedService()

describe('5 Authentication', () => {
  const authenticated: [string, string][] = [
    ['POST', '/v1/memorize'],
    ['POST', '/v1/memories/recall'],
    ['POST', '/v1/memories/ask'],
    ['GET', '/v1/files/list?source_type=text'],
    ['GET', '/v1/files/download?item_id=x'],
    ['DELETE', '/v1/files/text/x'],
  ]
  test.each(authenticated)(
    '5.1, 5.2 %s %s with a missing or invalid key is 401, saying that the key is not valid',
    async (method, path) => {
      for (const key of [
        undefined,
        '',
        'rk_',
        'nonsense',
        `rk_${'A'.repeat(43)}`,
        `${running().key}x`,
        running().key.toLowerCase(),
      ]) {
        expectDetail(await httpCall(url(path), { method, key }), 401, /key .*is not valid/i)
      }
    },
  )

  rules([
    [
      '5.3',
      'a key is displayed once, at creation',
      async () => {
        const keys = await running().service.keys.list(running().accountId)
        expect(JSON.stringify(keys)).not.toContain(running().key)
      },
    ],
    [
      '5.4',
      'at most 5 keys per account; creating one requires a billing account; the default key cannot be deleted but can be regenerated',
      async () => {
        const { accountId: account, key } = await running().service.accounts.create({ name: 'five', userName: 'Five' })
        const create = (name: string) => running().service.keys.create({ account, name, sources: 'all' })
        await expect(create('early')).rejects.toMatchObject({
          code: 'payment_required',
          message: expect.stringMatching(/billing account/),
        })
        await running().service.billing.set({ account, status: 'active' })
        for (const name of ['two', 'three', 'four', 'five']) await create(name)
        await expect(create('six')).rejects.toMatchObject({ message: expect.stringMatching(/at most 5/) })
        await expect(running().service.keys.delete({ account, key: 'default' })).rejects.toThrow(/cannot be deleted/)
        const renewed = await running().service.keys.regenerate({ account, key: 'default' })
        expect((await get('/v1/files/list?source_type=text', key)).status).toBe(401)
        expect((await get('/v1/files/list?source_type=text', renewed.key)).status).toBe(200)
      },
    ],
    [
      '5.5',
      'an all-sources key has access to every source type',
      async () => {
        for (const source of SOURCE_TYPES) expect((await get(`/v1/files/list?source_type=${source}`)).status).toBe(200)
      },
    ],
    [
      '5.5',
      'a key of specific sources has access only to these',
      async () => {
        for (const source of SOURCE_TYPES) {
          expect((await get(`/v1/files/list?source_type=${source}`, github())).status).toBe(
            source === 'github' ? 200 : 403,
          )
        }
      },
    ],
    [
      '5.5',
      'an empty selection has no file or source access',
      async () => {
        for (const source of SOURCE_TYPES)
          expectDetail(await get(`/v1/files/list?source_type=${source}`, nothing()), 403)
        expectDetail(await memorize({ key: nothing() }), 403)
        expect((await recall([['text', 'billing migration']], nothing())).body).toMatchObject({
          memories: [],
          qa: [],
          chunks: [],
        })
        expectDetail(await get('/v1/files/download?item_id=billing', nothing()), 403)
        expectDetail(await get('/v1/files/download?item_id=absent', nothing()), 403)
      },
    ],
    [
      '5.6',
      'a source outside the allowed list is 403 for uploads, file operations and recall with source',
      async () => {
        expectDetail(await memorize({ key: github(), fields: { source_type: 'text' } }), 403)
        expectDetail(await get('/v1/files/list?source_type=text', github()), 403)
        expectDetail(await get('/v1/files/download?source_type=text&item_id=billing', github()), 403)
        expectDetail(await remove('/v1/files/text/billing', github()), 403)
        expectDetail(
          await recall(
            [
              ['text', 'x'],
              ['source', 'text'],
            ],
            github(),
          ),
          403,
        )
      },
    ],
    [
      '5.6',
      'recall without source on a scoped key returns only memories from allowed sources',
      async () => {
        const { memories, chunks } = recallResult.parse(
          (await recall([['text', 'billing migration checkout test']], github())).body,
        )
        expect(memories.length).toBeGreaterThan(0)
        for (const { source } of [...memories, ...chunks]) expect(source).toBe('github')
      },
    ],
    [
      '5.7',
      'a billing check failure gives 402',
      async () => {
        const { accountId: account, key } = await running().service.accounts.create({ name: 'late', userName: 'Late' })
        await running().service.billing.set({ account, status: 'past_due' })
        for (const [method, path] of authenticated)
          expectDetail(await httpCall(url(path), { method, key }), 402, /past due/)
        expect((await get('/v1/health', key)).status).toBe(200)
        await running().service.billing.set({ account, status: 'active' })
        expect((await get('/v1/files/list?source_type=text', key)).status).toBe(200)
      },
    ],
  ])
})

describe('6 Events and 9 Versioning', () => {
  rules([
    [
      '6',
      'no event is documented: workflow_execution is a reference only, no path answers to it',
      async () => {
        const { body } = await memorize()
        expectDetail(await get(`/v1/${String(body.workflow_execution)}`), 404)
      },
    ],
    [
      '9',
      'the version is carried in the prefix /v1: without it nothing answers',
      async () => {
        for (const path of ['/health', '/files/list', '/memories/recall', '/v2/health'])
          expectDetail(await get(path), 404)
      },
    ],
  ])
})
describe('7 Errors', () => {
  rules([
    [
      '7',
      '400: invalid parameters or malformed input',
      async () => expectDetail(await get('/v1/files/list?source_type=text&limit=abc'), 400),
    ],
    [
      '7',
      '401: missing or invalid API key',
      async () => expectDetail(await get('/v1/files/list?source_type=text', 'rk_no'), 401),
    ],
    [
      '7',
      '403: key lacks access to the requested source',
      async () => expectDetail(await get('/v1/files/list?source_type=fit', github()), 403),
    ],
    ['7', '404: resource not found', async () => expectDetail(await get('/v1/files/download?item_id=absent'), 404)],
    [
      '7',
      '409: the supplied item_id exists',
      async () => expectDetail(await memorize({ fields: { item_id: 'billing' } }), 409),
    ],
    ['7', '422: a required form field is missing', async () => expectDetail(await recall([['query', 'x']]), 422)],
    [
      '7',
      '503: temporarily unavailable, with Retry-After',
      async () => {
        await using stopping = await startService({ work: false })
        stopping.server.beginShutdown()
        for (const path of ['/v1/health', '/v1/files/list?source_type=text', '/nothing']) {
          const answer = await httpCall(`${stopping.baseUrl}${path}`, { key: stopping.key })
          expectDetail(answer, 503, /shutting down/)
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
        }
      },
    ],
    [
      '7',
      '500: a defect is told without its inner text',
      async () => {
        await using broken = await startService({
          work: false,
          routes: (server) =>
            server.get('/defect', async () => {
              throw new TypeError('secret inner text')
            }),
        })
        const answer = await httpCall(`${broken.baseUrl}/defect`)
        expectDetail(answer, 500, /Internal server error/)
        expect(answer.text).not.toContain('secret')
      },
    ],
  ])
})

describe('8 Limits', () => {
  rules([
    [
      '8',
      'upload size: text of 10 MB is accepted, a byte more is 400',
      async () => {
        const whole = new Uint8Array(10 * 1024 * 1024).fill(97)
        expect((await memorize({ body: whole, fields: { item_id: 'ten-mb' } })).status).toBe(200)
        expect((await remove('/v1/files/text/ten-mb')).status).toBe(200)
        expectDetail(await memorize({ body: new Uint8Array(10 * 1024 * 1024 + 1).fill(97) }), 400, /10 MB/)
      },
    ],
    [
      '8',
      'upload size: a PDF of 20 MB is accepted, a byte more is 400',
      async () => {
        const pdf = (bytes: number) => {
          const body = new Uint8Array(bytes).fill(32)
          body.set(new TextEncoder().encode('%PDF-1.7\n'))
          return body
        }
        const accepted = await memorize({
          body: pdf(20 * 1024 * 1024),
          name: 'a.pdf',
          fields: { item_id: 'pdf', source_type: 'pdf' },
        })
        expect(accepted.status).toBe(200)
        expect((await remove('/v1/files/pdf/pdf')).status).toBe(200)
        expectDetail(await memorize({ body: pdf(20 * 1024 * 1024 + 1), name: 'a.pdf' }), 400, /20 MB/)
      },
    ],
    [
      '8',
      'item_id: 500 characters are accepted and can be deleted, one more is 400',
      async () => {
        const itemId = '語'.repeat(500)
        expect((await memorize({ fields: { item_id: itemId } })).status).toBe(200)
        expect((await remove(`/v1/files/text/${encodeURIComponent(itemId)}`)).status).toBe(200)
        expectDetail(await memorize({ fields: { item_id: `${itemId}語` } }), 400, /500/)
      },
    ],
    [
      '8',
      'text of recall and answer: 1,000 characters are accepted, one more is 400',
      async () => {
        for (const send of [recall, ask]) {
          expect((await send([['text', '😀'.repeat(1_000)]])).status).toBe(200)
          expectDetail(await send([['text', 'x'.repeat(1_001)]]), 400, /1000/)
        }
      },
    ],
    [
      '8',
      'list page size: default 1000, at most 10000',
      async () => {
        expect((await get('/v1/files/list?source_type=text')).body.limit).toBe(1_000)
        expect((await get('/v1/files/list?source_type=text&limit=10000')).body.limit).toBe(10_000)
        for (const limit of ['10001', '0', '-5'])
          expectDetail(await get(`/v1/files/list?source_type=text&limit=${limit}`), 400, /limit/)
        expectDetail(await get('/v1/files/list?source_type=text&offset=-1'), 400, /offset/)
      },
    ],
  ])
})
