import { createServer, request } from 'node:http'
import { connect as connectTo } from 'node:net'
import { PassThrough } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { consent } from '../../../src/cli/connect/consent.ts'
import { listenOnLoopback } from '../../../src/cli/connect/loopback-listener.ts'
import { hasBrowser } from '../../../src/cli/connect/open-browser.ts'
import { redirectHeaders, redirectHtml } from '../../../src/cli/connect/redirect-page.ts'
import { openPrompter } from '../../../src/cli/terminal/prompter.ts'
import { madeUpProvider, scriptedGrants } from '../../lib/scripted-grants.ts'

const GOOD = { status: 200, isGood: true, title: 'Connected', text: 'You can close this window.' }

async function listen(place: Partial<Parameters<typeof listenOnLoopback>[0]> = {}) {
  const asked: string[] = []
  const listener = await listenOnLoopback({ host: '127.0.0.1', port: 0, path: '/callback', ...place }, async (url) => {
    asked.push(url)
    return GOOD
  })
  onTestFinished(() => listener[Symbol.asyncDispose]())
  return { listener, asked, port: Number(new URL(listener.url).port) }
}

/** As `fetch`, which sets the host by itself. */
function ask(port: number, path: string, { host, method = 'GET' }: { host?: string; method?: string } = {}) {
  return new Promise<number | undefined>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, ...(host !== undefined && { headers: { host } }) }
    request(options, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

describe('the listener', () => {
  test('answers the one path and hands on the whole address', async () => {
    const { listener, asked } = await listen()
    const response = await fetch(`${listener.url}?state=1&code=a%20b`)
    expect(response.status).toBe(200)
    expect(asked).toEqual([`${listener.url}?state=1&code=a%20b`])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  })

  test('answers nothing else: no other path, name, method or target', async () => {
    const { asked, port } = await listen()
    expect(await ask(port, '/')).toBe(404)
    expect(await ask(port, '/callback/?state=1')).toBe(404)
    expect(await ask(port, '/callback?state=1', { host: 'evil.test' })).toBe(404)
    expect(await ask(port, '/callback?state=1', { host: `localhost:${port}` })).toBe(404)
    expect(await ask(port, '/callback?state=1', { method: 'POST' })).toBe(404)
    expect(await ask(port, `http://evil.test/callback?state=1`)).toBe(404)
    expect(asked).toEqual([])
  })

  test('for localhost takes that name, on all addresses that it has', async () => {
    const { listener, asked, port } = await listen({ host: 'localhost', path: '/' })
    expect(listener.url).toBe(`http://localhost:${port}/`)
    expect(await ask(port, '/?state=1', { host: `localhost:${port}` })).toBe(200)
    expect((await fetch(`${listener.url}?state=2`)).status).toBe(200)
    expect(asked).toHaveLength(2)
  })

  test('says which port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await new Promise((resolve) => other.once('listening', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await expect(listen({ port })).rejects.toThrow(`Another program is using port ${port}.`)
  })

  test('ends though a browser keeps a connection open that it never used', async () => {
    const { listener, port } = await listen()
    const idle = connectTo(port, '127.0.0.1')
    idle.on('error', () => undefined)
    await new Promise((resolve) => idle.once('connect', resolve))
    const closed = new Promise((resolve) => idle.once('close', resolve))
    await listener[Symbol.asyncDispose]()
    await closed
    await expect(fetch(listener.url)).rejects.toThrow()
  })
})

describe('the page', () => {
  test('is escaped, and allowed to load or run nothing but its own style', () => {
    const html = redirectHtml({ ...GOOD, title: `<script>alert("a")</script>`, text: `it's & that` })
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;alert(&quot;a&quot;)&lt;/script&gt;')
    expect(html).toContain('it&#39;s &amp; that')
    expect(html).not.toMatch(/(src|href)=|url\(|@import/)
    expect(redirectHeaders()['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; /,
    )
  })
})

test('a consent that nobody answers ends with a sentence', async () => {
  using prompter = openPrompter(new PassThrough(), { write: () => true })
  const service = scriptedGrants({})
  const request = { provider: 'made_up', family: 'office', scopes: [], client: { clientId: 'id' }, place: {} }
  const answer = consent(
    service,
    { provider: madeUpProvider(), request },
    {},
    {
      prompter,
      say: () => undefined,
      output: {},
      openBrowser: undefined,
      stop: new AbortController().signal,
      patienceMs: 1,
    },
  )
  await expect(answer).rejects.toThrow('Nothing was saved. Run the command again.')
})

test.each([
  ['linux', { DISPLAY: ':0' }, true, true],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true, true],
  ['linux', {}, true, false],
  ['darwin', {}, true, true],
  ['win32', {}, true, true],
  ['darwin', {}, false, false],
  ['darwin', { SSH_CONNECTION: '192.0.2.1 50000 192.0.2.2 22' }, true, false],
  ['linux', { SSH_TTY: '/dev/pts/0', DISPLAY: 'localhost:10.0' }, true, true],
])('a browser can be opened on %s with %j and a terminal: %s', (platform, env, isTTY, expected) => {
  expect(hasBrowser({ stdout: { isTTY, write: () => true }, env }, { platform })).toBe(expected)
})
