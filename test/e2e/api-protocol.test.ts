import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { httpCall, rawCall } from '../lib/http-call.ts'
import { type RunningService, startService } from '../lib/start-service.ts'

let running: RunningService
beforeAll(async () => {
  running = await startService({ server: { allowedHosts: ['memory.example.org'] } })
})
afterAll(() => running.stop())

const file = (text: string | Uint8Array<ArrayBuffer>, name = 'note.txt') =>
  new File([text], name, { type: 'text/plain' })
const url = (path: string) => `${running.baseUrl}${path}`

describe('what is not a valid request', () => {
  test('a path that does not exist is 404 with a detail', async () => {
    const answer = await httpCall(url('/v1/nothing'), { key: running.key })
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({ detail: expect.any(String) })
  })

  test.each([
    ['PUT', '/v1/memorize', 'POST'],
    ['GET', '/v1/memories/recall', 'POST'],
    ['OPTIONS', '/v1/memories/recall', 'POST'],
    ['POST', '/v1/files/list', 'GET, HEAD'],
    ['GET', '/v1/files/text/abc', 'DELETE'],
    ['PATCH', '/v1/health', 'GET, HEAD'],
  ])('%s %s is 405 with Allow: %s', async (method, path, allow) => {
    const answer = await httpCall(url(path), { method, key: running.key })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe(allow)
    expect(answer.body).toEqual({ detail: expect.any(String) })
  })

  test('HEAD answers like GET, without a body', async () => {
    const answer = await httpCall(url('/v1/health'), { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('')
    expect((await httpCall(url('/v1/files/list'), { method: 'HEAD' })).status).toBe(401)
  })

  test.each([
    ['application/json', '{"text": "hello"}'],
    ['application/json', '{"text": '],
    ['application/x-www-form-urlencoded', 'text=hello'],
    ['text/plain', 'hello'],
    ['application/octet-stream', 'hello'],
  ])('a body of type %s is 422 and told what to send instead', async (type, body) => {
    for (const path of ['/v1/memories/recall', '/v1/memories/ask', '/v1/memorize']) {
      const answer = await httpCall(url(path), {
        method: 'POST',
        key: running.key,
        headers: { 'content-type': type },
        body,
      })
      expect(answer.status).toBe(422)
      expect(answer.body.detail).toMatch(/multipart\/form-data/)
      expect(answer.body.errors).toEqual([
        { field: path === '/v1/memorize' ? 'file' : 'text', message: expect.stringMatching(/is required/) },
      ])
    }
  })

  test.each([
    ['/v1/memories/recall', 'text', 422],
    ['/v1/memories/recall', 'source', 400],
    ['/v1/memorize', 'source_type', 400],
    ['/v1/memorize', 'item_id', 400],
    ['/v1/memorize', 'attachment', 400],
  ])('%s refuses a file in the place of the text field %s, instead of passing it over', async (path, field, status) => {
    const answer = await httpCall(url(path), {
      method: 'POST',
      key: running.key,
      form: [
        ['user_name', 'Ada'],
        ['file', new File(['I met Grace.'], 'note.txt')],
        [field, new File(['slack'], 'field')],
      ].filter(([name]) => path === '/v1/memorize' || name === field) as [string, string | File][],
    })
    expect(answer.status).toBe(status)
    expect(answer.body.detail).toContain(`${field} must be a text field`)
  })

  test.each(['limit=1e1', 'limit=0x5', 'limit=%201', 'limit=', 'limit=1.0', 'offset=', 'offset=9007199254740992'])(
    'a list with %s is 400, told once',
    async (parameter) => {
      const answer = await httpCall(url(`/v1/files/list?source_type=text&${parameter}`), { key: running.key })
      expect(answer.status).toBe(400)
      expect(answer.body.detail).toMatch(/^(limit|offset) must be a whole number [^;]*$/)
    },
  )

  test('a parameter that is given twice is 400 and told so', async () => {
    const answer = await httpCall(url('/v1/files/list?source_type=text&source_type=slack'), { key: running.key })
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toBe('source_type must be given once')
  })

  test('a POST without any body is 422', async () => {
    const answer = await httpCall(url('/v1/memories/recall'), { method: 'POST', key: running.key })
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatch(/text is required/)
  })

  test('a form without a boundary, or with another one than announced, is 400', async () => {
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary=other']) {
      const answer = await httpCall(url('/v1/memories/recall'), {
        method: 'POST',
        key: running.key,
        headers: { 'content-type': type },
        body: '--real\r\ncontent-disposition: form-data; name="text"\r\n\r\nhello\r\n--real--\r\n',
      })
      expect(answer.status).toBe(400)
      expect(answer.body.detail).toMatch(/malformed/)
    }
  })

  test('a form that ends before its last boundary is 400', async () => {
    const answer = await httpCall(url('/v1/memorize'), {
      method: 'POST',
      key: running.key,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf a fi',
    })
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toMatch(/malformed or incomplete/)
  })

  test('a field that is given twice is 400', async () => {
    const answer = await httpCall(url('/v1/memories/recall'), {
      method: 'POST',
      key: running.key,
      form: [
        ['text', 'one'],
        ['text', 'two'],
      ],
    })
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toMatch(/text was given more than once/)
  })

  test('a parameter that is given twice is 400', async () => {
    const answer = await httpCall(url('/v1/files/list?source_type=text&limit=1&limit=2'), { key: running.key })
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toMatch(/limit/)
  })

  test('a form with hundreds of fields is 400', async () => {
    const form = Array.from({ length: 300 }, (_, index) => [`field${index}`, 'x'] as const)
    const answer = await httpCall(url('/v1/memories/recall'), { method: 'POST', key: running.key, form })
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toMatch(/too many fields/)
  })

  test('a field of megabytes is 400', async () => {
    const answer = await httpCall(url('/v1/memories/recall'), {
      method: 'POST',
      key: running.key,
      form: [['text', 'x'.repeat(3_000_000)]],
    })
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toMatch(/text is too long/)
  })

  test('a query sent as a file, and a file sent as text, are 422 and told what to do', async () => {
    const query = await httpCall(url('/v1/memories/recall'), {
      method: 'POST',
      key: running.key,
      form: [['text', file('hello')]],
    })
    expect(query.status).toBe(422)
    expect(query.body.detail).toMatch(/text must be a text field/)
    const upload = await httpCall(url('/v1/memorize'), {
      method: 'POST',
      key: running.key,
      form: [
        ['file', 'hello'],
        ['user_name', 'Ada'],
      ],
    })
    expect(upload.status).toBe(422)
    expect(upload.body.detail).toMatch(/filename/)
  })

  test.each(['/v1/files/text/%ff', '/v1/files/text/%E0%A4%A', '/v1/files/text/%'])(
    'the path %s is 400 with a detail',
    async (path) => {
      const answer = await rawCall(
        running.port,
        `DELETE ${path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${running.key}\r\n\r\n`,
      )
      expect(answer.status).toBe(400)
      expect(JSON.parse(answer.body)).toEqual({ detail: expect.any(String) })
    },
  )

  test.each([
    '/v1/files/text/a%2Fb',
    '/v1/files/text/..',
    '/v1/files/text/%2e%2e',
    '/v1/files/text/a%00b',
    '/v1/files/text/a%20b',
  ])('an item_id with other characters is 400: %s', async (path) => {
    const answer = await rawCall(
      running.port,
      `DELETE ${path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${running.key}\r\n\r\n`,
    )
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body).detail).toMatch(/item_id may contain only/)
  })
})

describe('what is not valid HTTP', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a header without a name', 'GET /v1/health HTTP/1.1\r\nhost: localhost\r\n: x\r\n\r\n', 400],
    ['headers of 100 KB', `GET /v1/health HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`, 431],
    ['an address of 100 KB', `GET /v1/${'a'.repeat(100_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`, 431],
    [
      'a chunk without a length',
      'POST /v1/memorize HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      undefined,
    ],
    ['no Host header', 'GET /v1/health HTTP/1.1\r\n\r\n', 400],
    ['a Host header with a port that there is not', 'GET /v1/health HTTP/1.1\r\nHost: localhost:99999\r\n\r\n', 400],
    ['two Host headers', 'GET /v1/health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n', 400],
    ['an unknown expectation', 'GET /v1/health HTTP/1.1\r\nhost: localhost\r\nexpect: tea\r\n\r\n', 417],
  ])('%s is answered with a detail', async (_, request, status) => {
    const answer = await rawCall(running.port, request)
    if (status !== undefined) expect(answer.status).toBe(status)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(JSON.parse(answer.body)).toEqual({ detail: expect.any(String) })
  })
})

describe('the Host header', () => {
  const get = (host: string) => rawCall(running.port, `GET /v1/health HTTP/1.1\r\nhost: ${host}\r\n\r\n`)

  test.each(['evil.example.com', 'evil.example.com:7411', 'localhost.evil.com', '127.0.0.1.evil.com'])(
    'a foreign name is refused, against DNS rebinding: %s',
    async (host) => {
      const answer = await get(host)
      expect(answer.status).toBe(403)
      expect(JSON.parse(answer.body).detail).toMatch(/allowed_hosts/)
    },
  )

  test.each(['localhost', 'LOCALHOST:7411', '127.0.0.1', '[::1]:7411', '192.168.1.20:7411', 'memory.example.org'])(
    'localhost, addresses and configured names are answered: %s',
    async (host) => {
      expect((await get(host)).status).toBe(200)
    },
  )
})

describe('headers of answers', () => {
  test('every answer tells the rate, and an id to find it in the log', async () => {
    const answer = await httpCall(url('/v1/files/list?source_type=text'), { key: running.key })
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id']) {
      expect(answer.headers.get(name)).toBeTruthy()
    }
  })

  test('no answer allows another origin, since keys do not belong in browsers', async () => {
    for (const path of ['/v1/health', '/v1/files/list?source_type=text', '/openapi.json']) {
      const answer = await httpCall(url(path), { key: running.key, headers: { origin: 'https://example.org' } })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('content is never sniffed, and nothing inline is executed', async () => {
    const answer = await httpCall(url('/docs'))
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'/)
    expect(answer.headers.get('content-security-policy')).not.toMatch(/unsafe-inline/)
  })
})

describe('a body that is refused', () => {
  test('is answered although the sender is still sending', async () => {
    const head =
      `POST /v1/memorize HTTP/1.1\r\nhost: localhost\r\nx-api-key: rk_wrong\r\n` +
      'content-type: multipart/form-data; boundary=b\r\ncontent-length: 30000000\r\n\r\n'
    const answer = await rawCall(running.port, head + 'x'.repeat(100_000))
    expect(answer.status).toBe(401)
  })

  test.each([
    ['text', 11, 'x', 'notes.txt', /at most 10 MB/],
    ['a PDF', 21, '%PDF-1.7\n', 'paper.pdf', /at most 20 MB/],
  ])('%s of %i MB is 400, and its sender gets to see it', async (_, megabytes, start, name, detail) => {
    const bytes = new Uint8Array(megabytes * 1024 * 1024).fill(120)
    bytes.set(new TextEncoder().encode(start))
    const answer = await httpCall(url('/v1/memorize'), {
      method: 'POST',
      key: running.key,
      form: [
        ['file', file(bytes, name)],
        ['user_name', 'Ada'],
      ],
    })
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toMatch(detail)
  })

  test('is not read for ever: beyond 48 MB the answer comes first', async () => {
    const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="note.txt"\r\n\r\n'
    const end = '\r\n--b--\r\n'
    const body = Buffer.concat([Buffer.from(part), Buffer.alloc(60 * 1024 * 1024, 'x'), Buffer.from(end)])
    const head =
      `POST /v1/memorize HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${running.key}\r\n` +
      `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${body.length}\r\n\r\n`
    // fetch fails where the connection ends before it has sent everything, though the answer is there.
    const answer = await rawCall(running.port, Buffer.concat([Buffer.from(head), body]))
    expect(answer.status).toBe(400)
    expect(answer.body).toMatch(/too large/)
  })
})
