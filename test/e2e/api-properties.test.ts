import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { itemIdProblem } from '../../src/domain/identifiers.ts'
import { isSourceType, SOURCE_TYPES } from '../../src/domain/source-type.ts'
import { httpCall, type RawAnswer, rawCall } from '../lib/http-call.ts'
import { type RunningService, startService } from '../lib/start-service.ts'

/*
 * Whatever bytes arrive: never a 5xx, never silence, never an error without a detail. Seeded, so that a failure shows
 * again; the log of the service is part of the answer: a defect would stand there.
 */

const SEED = 20_261_120
const run = (numRuns: number) => ({ seed: SEED, numRuns, endOnFailure: true })

let running: RunningService
beforeAll(async () => {
  running = await startService({ work: false })
})
afterEach(() => {
  expect(running.logLines.filter(({ level }) => level === 'error')).toEqual([])
})
afterAll(() => running.stop())

const url = (path: string) => `${running.baseUrl}${path}`

function expectRefusalOrSuccess(status: number | undefined, body: string) {
  expect(status).toBeDefined()
  expect(status).toBeLessThan(500)
  if (Number(status) >= 400) expect(JSON.parse(body)).toMatchObject({ detail: expect.stringMatching(/\S/) })
}

const expectWhole = ({ status, body }: RawAnswer) =>
  expectRefusalOrSuccess(status, Buffer.from(body, 'latin1').toString())

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '..',
    'a/b',
    '%',
    '%00',
    '\u202e',
    '\ud800',
    "' OR 1=1 --",
    '__proto__',
    'constructor',
  ),
)
const itemIds = fc.oneof(
  anyText,
  fc.stringMatching(/^[A-Za-z0-9_\-=!:]{1,40}$/),
  fc.string({ unit: fc.constantFrom('a', 'é', '語', '-', ':', '!'), minLength: 1, maxLength: 500 }),
)
const sources = fc.oneof(fc.constantFrom<string>(...SOURCE_TYPES), anyText)

describe('generated values', () => {
  test('an item_id is accepted exactly when its rule says so, and then downloads and deletes under the same name', async () => {
    await fc.assert(
      fc.asyncProperty(itemIds, async (generated) => {
        // What a form can carry: line ends are CRLF there, and lone surrogates become U+FFFD.
        const itemId = generated.toWellFormed().replace(/\r\n?|\n/g, '\r\n')
        const form: [string, string | File][] = [
          ['file', new File(['x'], 'x.txt')],
          ['user_name', 'U'],
          ['item_id', itemId],
        ]
        const answer = await httpCall(url('/v1/memorize'), { method: 'POST', key: running.key, form })
        expectRefusalOrSuccess(answer.status, answer.text)
        expect(answer.status).toBe(itemIdProblem(itemId) === undefined ? 200 : 400)
        if (answer.status !== 200) return
        const downloaded = await httpCall(url(`/v1/files/download?item_id=${encodeURIComponent(itemId)}`), {
          key: running.key,
        })
        expect([downloaded.status, downloaded.text]).toEqual([200, 'x'])
        const path = `/v1/files/text/${encodeURIComponent(itemId)}`
        expect((await httpCall(url(path), { method: 'DELETE', key: running.key })).body.item_id).toBe(itemId)
      }),
      run(120),
    )
  })

  test('a source is accepted exactly when it is one of the specification', async () => {
    await fc.assert(
      fc.asyncProperty(sources, async (source) => {
        const answer = await httpCall(url(`/v1/files/list?source_type=${encodeURIComponent(source.toWellFormed())}`), {
          key: running.key,
        })
        expectRefusalOrSuccess(answer.status, answer.text)
        expect(answer.status).toBe(isSourceType(source) ? 200 : 400)
      }),
      run(100),
    )
  })

  test('any text in any field of a recall is answered', async () => {
    const field = fc.tuple(fc.constantFrom('text', 'source', 'limit', 'since', 'until', '__proto__', 'other'), anyText)
    await fc.assert(
      fc.asyncProperty(fc.array(field, { maxLength: 5 }), async (fields) => {
        const form = fields.map(([name, value]) => [name, value.toWellFormed()] as const)
        const answer = await httpCall(url('/v1/memories/recall'), { method: 'POST', key: running.key, form })
        expectRefusalOrSuccess(answer.status, answer.text)
      }),
      run(150),
    )
  })

  test('any query string of list and download is answered', async () => {
    const name = fc.constantFrom('source_type', 'item_id', 'limit', 'offset', 'start_date')
    const value = fc.oneof(anyText, fc.constantFrom('text', '1', '-1', '1e9', 'NaN', '99999999999999999999'))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('list', 'download'),
        fc.array(fc.tuple(name, value), { maxLength: 5 }),
        async (path, pairs) => {
          const query = new URLSearchParams(pairs.map(([key, text]): [string, string] => [key, text.toWellFormed()]))
          const answer = await httpCall(url(`/v1/files/${path}?${query}`), { key: running.key })
          expectRefusalOrSuccess(answer.status, answer.text)
        },
      ),
      run(120),
    )
  })

  test('names and types of files come back without what a header cannot carry', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.uint8Array({ maxLength: 50 }), async (name, bytes) => {
        const form: [string, string | File][] = [
          ['file', new File([new Uint8Array(bytes)], name.toWellFormed())],
          ['user_name', 'U'],
        ]
        const answer = await httpCall(url('/v1/memorize'), { method: 'POST', key: running.key, form })
        expectRefusalOrSuccess(answer.status, answer.text)
        if (answer.status !== 200) return
        const downloaded = await httpCall(url(`/v1/files/download?item_id=${String(answer.body.item_id)}`), {
          key: running.key,
        })
        expect(downloaded.status).toBe(200)
        expect(downloaded.bytes).toEqual(new Uint8Array(bytes))
        expect(downloaded.headers.get('content-disposition')).toMatch(
          /^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/,
        )
      }),
      run(80),
    )
  })
})

describe('generated bytes', () => {
  const head = (path: string, type: string, length: number, extra = '') =>
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${running.key}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n${extra}\r\n`
  const whole = [
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\nI was here.\r\n',
    '--b\r\ncontent-disposition: form-data; name="user_name"\r\n\r\nAda\r\n',
    '--b\r\ncontent-disposition: form-data; name="text"\r\n\r\nwho was here\r\n',
    '--b--\r\n',
  ].join('')
  const paths = fc.constantFrom('/v1/memorize', '/v1/memories/recall', '/v1/memories/ask')

  test('a form that is cut anywhere is answered', async () => {
    await fc.assert(
      fc.asyncProperty(paths, fc.nat({ max: whole.length }), async (path, length) => {
        const body = whole.slice(0, length)
        expectWhole(await rawCall(running.port, head(path, 'multipart/form-data; boundary=b', body.length) + body))
      }),
      run(120),
    )
  })

  test('a form with any bytes changed is answered', async () => {
    const change = fc.tuple(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 0, max: 255 }))
    await fc.assert(
      fc.asyncProperty(paths, fc.array(change, { minLength: 1, maxLength: 8 }), async (path, changes) => {
        const body = Buffer.from(whole, 'latin1')
        for (const [at, byte] of changes) body[at] = byte
        const request = Buffer.concat([Buffer.from(head(path, 'multipart/form-data; boundary=b', body.length)), body])
        expectWhole(await rawCall(running.port, request))
      }),
      run(150),
    )
  })

  test('any Content-Type with any body is answered', async () => {
    const boundary = fc.string({
      unit: fc.constantFrom('a', '"', ';', '=', ' ', '-', '%', "'", '\\', '*'),
      maxLength: 20,
    })
    const type = fc.oneof(
      boundary.map((text) => `multipart/form-data; boundary=${text}`),
      boundary.map((text) => `multipart/form-data${text}`),
      fc.constantFrom(
        'multipart/mixed; boundary=b',
        'application/json',
        'text/plain; charset=utf-7',
        '*/*',
        'x',
        `multipart/form-data; boundary=${'b'.repeat(300)}`,
      ),
    )
    await fc.assert(
      fc.asyncProperty(paths, type, fc.uint8Array({ maxLength: 200 }), async (path, contentType, bytes) => {
        const request = Buffer.concat([Buffer.from(head(path, contentType, bytes.length)), bytes])
        expectWhole(await rawCall(running.port, request))
      }),
      run(120),
    )
  })

  test('headers that are doubled, empty or odd are answered', async () => {
    const name = fc.constantFrom(
      'x-api-key',
      'content-type',
      'accept',
      'accept-version',
      'expect',
      'host',
      'cookie',
      'x-forwarded-for',
      'transfer-encoding',
      'connection',
      'content-length',
    )
    const value = fc.string({ unit: fc.constantFrom('a', '1', ' ', ',', ';', '"', '%', '\t', '*', ':'), maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 6 }), async (headers) => {
        const lines = headers.map(([key, text]) => `${key}: ${text}\r\n`).join('')
        const request = `GET /v1/files/list?source_type=text HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${running.key}\r\n${lines}\r\n`
        expectWhole(await rawCall(running.port, request, true))
      }),
      run(150),
    )
  })

  test('a sender that goes away in the middle leaves the service working', async () => {
    await fc.assert(
      fc.asyncProperty(paths, fc.nat({ max: whole.length }), async (path, length) => {
        await rawCall(
          running.port,
          head(path, 'multipart/form-data; boundary=b', whole.length + 10) + whole.slice(0, length),
          true,
        )
        expect((await httpCall(url('/v1/health'))).status).toBe(200)
      }),
      run(40),
    )
  })
})
