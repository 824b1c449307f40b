import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppRoutesOptions } from '../../src/http/app/app-routes.ts'
import { packagePath } from '../../src/lib/files.ts'
import { startAppService } from '../lib/app/app-service.ts'
import { buildPages } from '../lib/app/built-pages.ts'
import { type AppVisit, appVisit } from '../lib/app-visit.ts'
import { httpCall, rawCall } from '../lib/http-call.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
interface Route {
  readonly method: Method
  /** As it is registered, such as `/app/api/keys/:id`. */
  readonly pattern: string
}

const WEB = packagePath('dist/web')

/** For whoever is not signed in: how they sign in. Every other route below /app/api needs a session. */
const OPEN = [
  'DELETE /app/api/session',
  'GET /app/api/session',
  'POST /app/api/sign-in/link',
  'POST /app/api/sign-in/link/check',
  'POST /app/api/sign-in/passkey',
  'POST /app/api/sign-in/passkey/options',
  'POST /app/api/sign-in/password',
]

let app: AppVisit
const routes: Route[] = []

beforeAll(async () => {
  await buildPages()
  app = await appVisit({
    work: false,
    // Without sources: a request without the right is refused before the service is used.
    door: () =>
      ({
        agentRequests: {},
        keysService: {},
        settingsService: {},
        sourcesService: {},
        grantsService: {},
      }) as unknown as Partial<AppRoutesOptions>,
    routes: (server) => {
      server.addHook('onRoute', ({ method, url }) => {
        for (const one of [method].flat()) if (one !== 'HEAD') routes.push({ method: one as Method, pattern: url })
      })
    },
  })
})
afterAll(() => app[Symbol.asyncDispose]())

const apiRoutes = () => routes.filter(({ pattern }) => pattern.startsWith('/app/api/'))
const changes = () => apiRoutes().filter(({ method }) => method !== 'GET')
const named = ({ method, pattern }: Route) => `${method} ${pattern}`
/** Below /app/api, with something in the place of each parameter. */
const pathOf = ({ pattern }: Route) => pattern.slice('/app/api'.length).replace(/:\w+|\*/g, 'text')

describe('every answer below /app', () => {
  const script = () => `/app/assets/${readdirSync(join(WEB, 'assets')).find((name) => name.endsWith('.js'))}`

  test.each([
    '/app',
    '/app/',
    '/app/sources/new',
    '/app/theme.js',
    '/app/api/session',
    '/app/api/keys',
    '/app/api/none',
  ])('%s keeps the browser from running, framing or telling anything of others', async (path) => {
    const { headers } = await httpCall(app.baseUrl + path)
    expectGuarded(headers)
  })

  test('so do the scripts', async () => {
    const { status, headers } = await httpCall(app.baseUrl + script())
    expect(status).toBe(200)
    expectGuarded(headers)
  })

  test('is kept by nobody when it is of an account', async () => {
    for (const path of ['/session', '/keys'])
      expect((await app.call(path)).headers.get('cache-control'), path).toBe('no-store')
  })

  test('lets no other site read it', async () => {
    const headers = { origin: 'https://evil.test', 'access-control-request-method': 'POST' }
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await httpCall(`${app.baseUrl}/app/api/session`, { method, headers })
      expect(answer.headers.get('access-control-allow-origin'), method).toBeNull()
    }
  })
})

function expectGuarded(headers: Headers): void {
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("base-uri 'none'")
  expect(policy).toContain("form-action 'self'")
  expect(policy).not.toMatch(/unsafe|\*|https?:/)
  expect(Object.fromEntries(headers)).toMatchObject({
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  })
  expect(headers.get('x-powered-by')).toBeNull()
}

describe('the files of the pages', () => {
  test.each([
    '/app/../package.json',
    '/app/..%2fpackage.json',
    '/app/..%2f..%2fpackage.json',
    '/app/%2e%2e/%2e%2e/package.json',
    '/app/assets/../../../package.json',
    '/app/assets/..%2f..%2f..%2fpackage.json',
    '/app/assets/..%5c..%5c..%5cpackage.json',
    '/app/assets/%252e%252e%252f%252e%252e%252fpackage.json',
    '/app//etc/passwd',
    '/app/%00',
    '/app/assets/index.html%00.js',
    '/app/.git/config',
  ])('are all that %s can reach', async (path) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${app.running.port}\r\nConnection: close\r\n\r\n`
    const { status, body } = await rawCall(app.running.port, request)
    expect(body).not.toMatch(/"dependencies"|root:|\[core\]/)
    if (status === 200) expect(body).toContain('<div id="root">')
    else expect(status).toBeGreaterThanOrEqual(400)
  })

  test('come without maps to their sources', async () => {
    const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    expect(files.filter((name) => name.endsWith('.map'))).toEqual([])
    const scripts = files.filter((name) => /\.(js|css)$/.test(name))
    expect(scripts.length).toBeGreaterThan(3)
    expect(scripts.filter((name) => readFileSync(join(WEB, name), 'utf8').includes('sourceMappingURL'))).toEqual([])
  })

  test('hold no script and no style inside of the document', () => {
    const document = readFileSync(join(WEB, 'index.html'), 'utf8')
    expect(document).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|javascript:/)
  })
})

describe('a request', () => {
  test.each(['/app/', '/app/api/session'])('for another host is not answered by %s', async (path) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n`
    const { status, body } = await rawCall(app.running.port, request)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(body).not.toContain('csrf_token')
  })

  test('of a method that a path does not know is refused', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      expect((await httpCall(`${app.baseUrl}/app/`, { method })).status, method).toBe(405)
    expect((await app.call('/session', { method: 'PATCH', body: {} })).status).toBe(405)
  })

  test('that is larger than any form is refused, and the service goes on', async () => {
    const answer = await app.call('/sign-in/password', {
      method: 'POST',
      body: { login: 'ada', password: 'p'.repeat(8 * 1024 * 1024) },
    })
    expect([400, 413]).toContain(answer.status)
    expect((await app.call('/session')).status).toBe(200)
  })

  test("that isn't valid JSON is refused where JSON is expected", async () => {
    const headers = { 'content-type': 'text/plain' }
    const answer = await app.call('/sign-in/password', { method: 'POST', body: {}, headers })
    expect([400, 415]).toContain(answer.status)
  })
})

describe('routes below /app/api', () => {
  test('are there to be walked', () => {
    expect(changes().length).toBeGreaterThan(5)
  })

  test('need a session, all but those that make one', async () => {
    const open: string[] = []
    for (const route of apiRoutes()) {
      const stranger = app.visitor()
      await stranger.session()
      const { status } = await stranger.call(pathOf(route), { method: route.method })
      if (status !== 401) open.push(named(route))
    }
    expect(open.sort()).toEqual(OPEN)
  })

  test('take no key for a session', async () => {
    const { key } = app.running
    const ways: Record<string, string>[] = [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]
    for (const headers of ways)
      for (const path of ['/keys', '/events']) expect((await app.visitor().call(path, { headers })).status).toBe(401)
  })

  test('change nothing without the token of the session', async () => {
    for (const route of changes()) {
      for (const token of ['', 'made-up']) {
        const headers = { 'x-csrf-token': token }
        const { status } = await app.call(pathOf(route), { method: route.method, headers })
        expect(status, named(route)).toBe(403)
      }
    }
  })

  test('change nothing with the token of somebody else', async () => {
    const other = app.visitor()
    const { csrf_token } = await other.session()
    for (const route of changes()) {
      const headers = { 'x-csrf-token': csrf_token }
      const { status } = await app.call(pathOf(route), { method: route.method, headers })
      expect(status, named(route)).toBe(403)
    }
  })

  test.each([
    ['Origin', { origin: 'https://evil.test' }],
    ['Origin of no page', { origin: 'null' }],
    ['Origin of another port', { origin: 'http://127.0.0.1:1' }],
    ['Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site of a neighbor', { 'sec-fetch-site': 'same-site' }],
  ])('change nothing for a page of another site, by its %s', async (_name, headers) => {
    for (const route of changes()) {
      const { status } = await app.call(pathOf(route), { method: route.method, headers })
      expect(status, named(route)).toBe(403)
    }
  })
})

describe('a session', () => {
  test('is no key for /v1', async () => {
    const { cookie } = app
    expect(cookie).not.toBe('')
    for (const path of ['/v1/files/list?source_type=text', '/v1/memories/recall']) {
      const method = path.includes('recall') ? 'POST' : 'GET'
      const { status } = await httpCall(app.baseUrl + path, { method, headers: { cookie } })
      expect(status, path).toBe(401)
    }
  })

  test('is a cookie that no script reads, no other site sends and no other path gets', async () => {
    const [set = ''] = (await httpCall(`${app.baseUrl}/app/api/session`)).headers.getSetCookie()
    const [pair = '', ...attributes] = set.split('; ')
    expect(pair).toMatch(/^[\w-]+=.{30,}$/)
    expect(attributes.map((attribute) => attribute.toLowerCase())).toEqual(
      expect.arrayContaining(['path=/app', 'httponly', 'samesite=strict']),
    )
    expect(set).not.toMatch(/domain=/i)
  })

  test('is sent over TLS only where people reach the service so', async () => {
    await using service = await startAppService({ env: { RECALLD_BASE_URL: 'https://memory.example' } })
    const headers = { 'x-forwarded-proto': 'https' }
    const [set = ''] = (await httpCall(`${service.address}/app/api/session`, { headers })).headers.getSetCookie()
    expect(set).toMatch(/; Secure(;|$)/)
  })
})
