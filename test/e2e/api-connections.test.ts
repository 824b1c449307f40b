import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { type HeldConnection, holdConnection } from '../lib/held-connection.ts'
import { httpCall, rawCall } from '../lib/http-call.ts'
import { type RunningService, type StartOptions, startService } from '../lib/start-service.ts'
import { until } from '../lib/until.ts'

const started: AsyncDisposable[] = []
afterEach(async () => {
  for (const running of started.splice(0)) await running[Symbol.asyncDispose]()
})

async function start(options: StartOptions = {}): Promise<RunningService> {
  const running = await startService({ work: false, ...options, server: { drainMs: 0, ...options.server } })
  started.push(running)
  return running
}

const HALF_A_REQUEST = 'GET /v1/health HTTP/1.1\r\nhost: localhost\r\nx-half: '

async function hold(port: number, begin = HALF_A_REQUEST, from = '127.0.0.1', staysOpen = false) {
  const held = await holdConnection(port, begin, from, staysOpen)
  onTestFinished(() => held[Symbol.dispose]())
  return held
}

async function isHealthy({ port }: RunningService, from: string): Promise<boolean> {
  const request = 'GET /v1/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'
  using asked = await holdConnection(port, request, from)
  await asked.closed
  return asked.received().startsWith('HTTP/1.1 200')
}

const warnings = ({ logLines }: RunningService) => logLines.filter(({ level }) => level === 'warn')

describe('connections without a request', () => {
  test('of many addresses make room for one that asks, and those that wait longest go first', async () => {
    const running = await start({ server: { maxConnections: 6 } })
    const held = []
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) held.push(await hold(running.port, HALF_A_REQUEST, `127.0.1.${n}`))
    await held[1]?.closed
    expect(held.map(({ isOpen }) => isOpen)).toEqual([false, false, true, true, true, true, true, true])
    expect(await isHealthy(running, '127.0.0.2')).toBe(true)
    expect(warnings(running)).toHaveLength(1)
  })

  test('of one address end only others of that address', async () => {
    const running = await start({ server: { maxConnectionsPerAddress: 2 } })
    const other = await hold(running.port, HALF_A_REQUEST, '127.0.0.3')
    const held = []
    for (const _ of [1, 2, 3]) held.push(await hold(running.port, HALF_A_REQUEST, '127.0.0.2'))
    await held[0]?.closed
    expect([other, ...held].map(({ isOpen }) => isOpen)).toEqual([true, false, true, true])
  })

  test('of a trusted proxy are not counted as one address', async () => {
    const running = await start({ server: { maxConnectionsPerAddress: 2, trustedProxies: ['127.0.0.0/30'] } })
    const held = []
    for (const _ of [1, 2, 3, 4, 5]) held.push(await hold(running.port, HALF_A_REQUEST, '127.0.0.2'))
    expect(await isHealthy(running, '127.0.0.2')).toBe(true)
    expect(held.every(({ isOpen }) => isOpen)).toBe(true)
  })

  test('are answered 408 and closed when the headers do not arrive, whether the client closes or not', async () => {
    const running = await start({ server: { headersTimeoutMs: 200 } })
    const held = await hold(running.port, HALF_A_REQUEST, '127.0.0.1', true)
    await until(async () => held.received() !== '')
    expect(held.received()).toMatch(/^HTTP\/1\.1 408 .*"detail":"The request did not arrive in time/s)
    await until(async () => (await openConnections(running)) === 0)
  })
})

describe('connections with a request', () => {
  test('are kept when there are too many; the new one is ended', async () => {
    const { running, gate, begun } = await startSlow({ maxConnections: 2 })
    const request = 'GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n'
    const busy = [await hold(running.port, request), await hold(running.port, request)]
    await until(async () => begun() === 2)
    await (await hold(running.port, request)).closed
    gate.resolve()
    for (const held of busy) await until(async () => held.received().includes('done'))
  })

  test('of one client behind a trusted proxy are limited, those of another client are not', async () => {
    const { running, gate, begun } = await startSlow({ maxConnectionsPerAddress: 2, trustedProxies: ['127.0.0.1'] })
    const ask = (path: string, client: string) =>
      httpCall(`${running.baseUrl}${path}`, { headers: { 'x-forwarded-for': client } })
    const busy = [ask('/slow', '198.51.100.1'), ask('/slow', '198.51.100.1')]
    await until(async () => begun() === 2)
    const refused = await ask('/v1/live', '198.51.100.1')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await ask('/v1/live', '198.51.100.2')).status).toBe(200)
    gate.resolve()
    for (const answer of await Promise.all(busy)) expect(answer.status).toBe(200)
    expect((await ask('/v1/live', '198.51.100.1')).status).toBe(200)
  })

  /** With a route that answers when the gate opens. */
  async function startSlow(server: NonNullable<StartOptions['server']>) {
    const gate = Promise.withResolvers<void>()
    let begun = 0
    const slow = async () => {
      begun += 1
      await gate.promise
      return 'done'
    }
    const running = await start({ server, routes: (api) => api.get('/slow', slow) })
    return { running, gate, begun: () => begun }
  }
})

describe('a body that arrives too slowly', () => {
  const RULES = { bodyBytesPerSecond: 10_000, bodyWindowMs: 300 }

  async function trickle(held: HeldConnection): Promise<void> {
    while (held.isOpen) {
      held.write('x')
      await wait(20)
    }
  }

  const upload = (key: string) =>
    `POST /v1/memorize HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\ncontent-length: 9000000\r\n` +
    'content-type: multipart/form-data; boundary=b\r\n\r\n' +
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'

  test.each([
    ['an upload', upload],
    [
      'JSON',
      () =>
        'POST /json HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9000\r\ncontent-type: application/json\r\n\r\n{"a":"',
    ],
  ])('of %s is answered 408 with a detail, and the connection ends', async (_, request) => {
    const running = await start({ server: RULES, routes: (server) => server.post('/json', () => 'done') })
    const held = await hold(running.port, request(running.key))
    await trickle(held)
    expect(held.received()).toMatch(/^HTTP\/1\.1 408 .*"detail":"The request body arrived too slowly/s)
    expect(running.logLines.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('does not end a stream of the server, nor a body that the server is slow to read', async () => {
    const running = await start({
      server: { ...RULES, maxConcurrentUploads: 1 },
      routes: (server) =>
        server.get('/events', (_request, reply) => {
          reply.hijack()
          reply.raw.writeHead(200).write('first')
        }),
    })
    const stream = await hold(running.port, 'GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n')
    const other = await running.service.accounts.create({ name: 'Bob', userName: 'Bob' })
    // Holds the slot for as long as it is let; the other one has sent as much as the server takes meanwhile.
    const slow = await hold(running.port, upload(running.key))
    const waiting = hold(running.port, `${upload(other.key)}${'y'.repeat(1_000_000)}`)
    await trickle(slow)
    expect((await waiting).received()).toBe('')
    expect(stream.isOpen).toBe(true)
  })

  test('of one account does not keep the upload of another one waiting', async () => {
    const running = await start({ server: { maxConcurrentUploads: 4 } })
    const other = await running.service.accounts.create({ name: 'Bob', userName: 'Bob' })
    for (const _ of [1, 2, 3, 4, 5, 6]) await hold(running.port, upload(running.key))
    await until(async () => (await openConnections(running)) === 6)
    const answer = await httpCall(`${running.baseUrl}/v1/memorize`, {
      method: 'POST',
      key: other.key,
      form: [
        ['file', new File(['I arrive. '.repeat(20_000)], 'note.txt')],
        ['user_name', 'Bob'],
      ],
    })
    expect(answer.status).toBe(200)
  })
})

describe('when no further file can be opened', () => {
  const shortage = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall })

  test.each(['EMFILE', 'ENFILE'])(
    'a request that needs one is answered 503 (%s), and the log says why',
    async (code) => {
      const fail = async () => {
        throw new Error('a library failed', { cause: shortage(code, 'open') })
      }
      const running = await start({ routes: (server) => server.get('/file', fail) })
      const answer = await httpCall(`${running.baseUrl}/file`)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
      expect(answer.body.detail).toContain('too many open files')
      expect(running.logLines.filter(({ level }) => level === 'error')).toHaveLength(1)
    },
  )

  test('a connection that cannot be accepted ends nothing else', async () => {
    const running = await start()
    running.server.server.emit('error', shortage('EMFILE', 'accept'))
    expect(await isHealthy(running, '127.0.0.1')).toBe(true)
    expect(running.logLines.filter(({ level }) => level === 'error')).toHaveLength(1)
  })
})

describe('forwarding headers', () => {
  test('from a peer that is not trusted are ignored, and warned of once', async () => {
    const running = await start({ server: { rateLimitPerMinute: 3 } })
    const ask = (client: string) =>
      httpCall(`${running.baseUrl}/v1/files/list`, { headers: { 'x-forwarded-for': client } })
    for (const n of [1, 2, 3]) expect((await ask(`198.51.100.${n}`)).status).toBe(401)
    expect((await ask('198.51.100.4')).status).toBe(429)
    expect(warnings(running)).toHaveLength(1)
    expect(warnings(running)[0]?.message).toContain('trusted_proxies')
  })

  test('from a trusted proxy are not warned of', async () => {
    const running = await start({ server: { trustedProxies: ['127.0.0.1'] } })
    await httpCall(`${running.baseUrl}/v1/live`, { headers: { 'x-forwarded-for': '198.51.100.1' } })
    expect(warnings(running)).toEqual([])
    expect((await rawCall(running.port, 'GET /v1/live HTTP/1.1\r\nhost: localhost\r\n\r\n')).status).toBe(200)
  })
})

function openConnections({ server }: RunningService): Promise<number> {
  return new Promise((resolve, reject) =>
    server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}
