import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { GoogleConfig } from '../../../connectors/google/google-config.ts'
import { type GoogleGateway, googleGateway } from '../../../connectors/google/google-gateway.ts'
import type { AccessGrant, Grants } from '../../../src/connector/access-grant.ts'
import type { CheckContext } from '../../../src/connector/connector.ts'
import { SourceError } from '../../../src/connector/source-error.ts'
import { type GoogleFault, GoogleServer } from '../../fakes/google/google-server.ts'
import { NO_GRANTS } from '../../lib/no-grants.ts'
import { recordingLog } from '../../lib/recording-log.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const NEED = { family: 'workspace', scopes: ['https://www.googleapis.com/auth/gmail.readonly'] }
const PROFILE = '/gmail/v1/users/me/profile'

let server: GoogleServer
beforeEach(async () => {
  server = await GoogleServer.start()
  server.now = NOW
  server.route('GET', PROFILE, () => ({ body: { emailAddress: 'ada@acme.test' } }))
  server.route('GET', '/v1/mediaItems', ({ query }) => ({ body: { size: query.get('pageSize') } }))
})
afterEach(() => server[Symbol.asyncDispose]())

interface Opened {
  readonly gateway: GoogleGateway
  readonly lines: readonly unknown[]
}

async function opened(
  config: Partial<GoogleConfig> = { token: server.token },
  { grants = NO_GRANTS, signal = new AbortController().signal }: { grants?: Grants; signal?: AbortSignal } = {},
): Promise<Opened> {
  const { log, lines } = recordingLog()
  const context: CheckContext<GoogleConfig> = {
    config: { name: 'me', api_url: server.url, ...config },
    clock: () => NOW,
    log,
    signal,
    requests: { call: (_, send) => send(signal), holdUntil: async () => undefined, spaceOut: async () => undefined },
    grants,
    machine: { platform: 'linux', userHome: '/', env: {}, temporaryFolder: '/', spoolFolder: '/' },
    userName: 'Ada',
    timeZone: 'UTC',
  }
  return { gateway: await googleGateway(context, NEED), lines }
}

async function profile({ gateway }: Opened): Promise<string> {
  const { gmail } = await import('googleapis/build/src/apis/gmail/index.js')
  const { users } = gmail({ version: 'v1', ...gateway.apiOptions })
  const { emailAddress } = await gateway.ask({
    title: 'Gmail',
    asked: 'the profile',
    answer: z.looseObject({ emailAddress: z.string() }),
    send: (options) => users.getProfile({ userId: 'me' }, options),
  })
  return emailAddress
}

async function refusal(asking: Promise<unknown>): Promise<SourceError> {
  const error = await asking.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (error instanceof SourceError) return error
  throw new Error(`it should have been refused: ${inspect(error)}`)
}

function grantOf(grant: Partial<AccessGrant>): Grants {
  const whole: AccessGrant = {
    account: '1001',
    title: 'ada@acme.test',
    scopes: NEED.scopes,
    place: {},
    accessToken: async () => 'ya29.old',
    replaceToken: async () => 'ya29.old',
    ...grant,
  }
  return { open: async () => whole }
}

describe('access to Google', () => {
  test('is the token of the configuration, sent to where the configuration says and nowhere else', async () => {
    expect(await profile(await opened())).toBe('ada@acme.test')
    expect(server.takeLog()).toEqual([`GET ${PROFILE}`])
  })

  test('is renewed once when Google refuses the token of a grant', async () => {
    const refused: string[] = []
    const replaceToken = async (token: string) => {
      refused.push(token)
      return server.token
    }
    expect(await profile(await opened({}, { grants: grantOf({ replaceToken }) }))).toBe('ada@acme.test')
    expect(refused).toEqual(['ya29.old'])
    expect(server.log).toHaveLength(2)
  })

  test('ends when Google refuses the renewed token too', async () => {
    const error = await refusal(profile(await opened({}, { grants: grantOf({}) })))
    expect(error).toMatchObject({ remedy: 'reauthorize', message: expect.stringContaining('Connect again') })
    expect(server.log).toHaveLength(2)
  })

  test('ends with the token of the configuration, which nobody can renew', async () => {
    const error = await refusal(profile(await opened({ token: 'ya29.wrong' })))
    expect(error).toMatchObject({ remedy: 'reauthorize', message: expect.stringContaining('rejected the token') })
    expect(server.log).toHaveLength(1)
  })

  test('needs somebody who granted it', async () => {
    expect(await refusal(opened({}))).toMatchObject({ remedy: 'reconfigure' })
  })
})

const refusing = (reason: string, message: string) =>
  JSON.stringify({ error: { code: 400, message, errors: [{ domain: 'global', reason, message }] } })

describe('what Google answers instead', () => {
  const GMAIL_LIMIT = 'User-rate limit exceeded.  Retry after 2026-03-02T09:14:07.123Z'
  const reset = '2026-03-03T08:00:00.000Z'
  test.each([
    [429, undefined, 'retry', true],
    [403, 'rateLimitExceeded', 'retry', true],
    [403, 'userRateLimitExceeded', 'retry', true],
    [403, 'quotaExceeded', 'retry', true],
    [500, 'backendError', 'retry', false],
    [503, undefined, 'retry', false],
    [403, 'accessNotConfigured', 'reconfigure', false],
    [403, 'insufficientPermissions', 'reconfigure', false],
    [403, 'domainPolicy', 'reconfigure', false],
    [401, 'youtubeSignupRequired', 'reconfigure', false],
    [403, 'forbidden', 'skip', false],
    [404, 'notFound', 'skip', false],
    [400, 'invalidArgument', 'skip', false],
  ] as const)('%s %s is answered with %s, after one request', async (status, reason, remedy, limited) => {
    server.faults.push({ path: /profile/, status, ...(reason && { reason }) })
    expect(await refusal(profile(await opened()))).toMatchObject({ remedy, limited })
    expect(server.log).toHaveLength(1)
  })

  test.each([
    [{ status: 429, headers: { 'retry-after': '90' } }, '2026-03-02T09:01:30.000Z'],
    [{ status: 403, reason: 'rateLimitExceeded', headers: { 'retry-after': '30' } }, '2026-03-02T09:00:30.000Z'],
    [{ status: 503, headers: { 'retry-after': 'Mon, 02 Mar 2026 10:00:00 GMT' } }, '2026-03-02T10:00:00.000Z'],
    [{ status: 403, reason: 'dailyLimitExceeded' }, reset],
    [{ status: 403, body: refusing('userRateLimitExceeded', GMAIL_LIMIT) }, '2026-03-02T09:14:07.123Z'],
    [{ status: 429, headers: { 'retry-after': 'soon' } }, '2026-03-02T09:00:20.000Z'],
    [{ status: 403, reason: 'rateLimitExceeded' }, '2026-03-02T09:00:20.000Z'],
  ])('%o says when to come back', async (fault, at) => {
    server.faults.push({ path: /profile/, ...fault })
    expect((await refusal(profile(await opened()))).retryAt?.toISOString()).toBe(at)
  })

  test('names no end, so that quotas of a minute are waited for, and no run waits for longer ones', async () => {
    const access = await opened()
    const waits = async () => {
      server.faults.push({ path: /profile/, status: 429 })
      return ((await refusal(profile(access))).retryAt?.getTime() ?? 0) - NOW.getTime()
    }
    expect([await waits(), await waits(), await waits(), await waits()]).toEqual([20_000, 45_000, 900_000, 900_000])
    expect(await profile(access)).toBe('ada@acme.test')
    expect(await waits()).toBe(20_000)
  })

  test('for an account without a mailbox says so', async () => {
    const body = refusing('failedPrecondition', 'Mail service not enabled')
    server.faults.push({ path: /profile/, status: 400, body })
    const error = await refusal(profile(await opened()))
    expect(error).toMatchObject({ remedy: 'reconfigure', message: expect.stringContaining('no mailbox') })
  })

  test('in the newer form of errors is understood too', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'SERVICE_DISABLED' }]
    const body = JSON.stringify({ error: { code: 403, message: 'off', status: 'PERMISSION_DENIED', details } })
    server.faults.push({ path: /profile/, status: 403, body })
    expect(await refusal(profile(await opened()))).toMatchObject({
      remedy: 'reconfigure',
      message: expect.stringContaining('Enable it'),
    })
  })

  test('half of an answer, and a web page, are tried again', async () => {
    server.faults.push({ path: /profile/, isCut: true })
    expect(await refusal(profile(await opened()))).toMatchObject({ remedy: 'retry', limited: false })
    server.faults.push({ path: /profile/, status: 502, body: '<html>Sorry, ada@acme.test</html>' })
    const error = await refusal(profile(await opened()))
    expect(error).toMatchObject({ remedy: 'retry' })
    expect(error.message).not.toContain('Sorry')
    server.route('GET', '/gmail/v1/users/me/labels', () => ({ body: '<html>Sign in</html>', type: 'text/html' }))
    const { gateway } = await opened()
    const { gmail } = await import('googleapis/build/src/apis/gmail/index.js')
    const page = gateway.ask({
      title: 'Gmail',
      asked: 'the labels',
      answer: z.looseObject({ labels: z.array(z.unknown()) }),
      send: (options) => gmail({ version: 'v1', ...gateway.apiOptions }).users.labels.list({ userId: 'me' }, options),
    })
    expect(await refusal(page)).toMatchObject({ remedy: 'retry', message: expect.stringContaining('the labels') })
  })

  test('to something that is gone is nothing, where that may be', async () => {
    const { gateway } = await opened()
    const find = (isAbsent?: Parameters<GoogleGateway['find']>[1]) =>
      gateway.find(
        { title: 'Photos', asked: 'a picture', answer: z.unknown(), send: gateway.fetching('https://x.test/v1/none') },
        isAbsent,
      )
    expect(await find()).toBeUndefined()
    expect(await refusal(find(({ status }) => status === 410))).toMatchObject({ remedy: 'skip' })
  })
})

describe('requests that the SDK does not know', () => {
  test('go where the configuration says, with their query', async () => {
    const { gateway } = await opened()
    const send = gateway.fetching('https://photoslibrary.googleapis.com/v1/mediaItems?pageSize=3')
    expect(await gateway.ask({ title: 'Photos', asked: 'pictures', answer: z.unknown(), send })).toEqual({ size: '3' })
    server.faults.push({ path: /mediaItems/, status: 429, headers: { 'retry-after': '5' } })
    const error = await refusal(gateway.ask({ title: 'Photos', asked: 'pictures', answer: z.unknown(), send }))
    expect(error).toMatchObject({ limited: true, retryAt: new Date(NOW.getTime() + 5_000) })
    server.faults.push({ path: /mediaItems/, isCut: true })
    expect(await refusal(gateway.ask({ title: 'Photos', asked: 'pictures', answer: z.unknown(), send }))).toMatchObject(
      {
        remedy: 'retry',
      },
    )
  })
})

describe('a token of Google', () => {
  const faults: readonly Omit<GoogleFault, 'path'>[] = [
    { status: 401 },
    { status: 403, reason: 'forbidden' },
    { status: 429 },
    { status: 500 },
    { isCut: true },
    { status: 502, body: '<html>' },
  ]
  test.each(faults)('stands in no error and no line of the log: %o', async (fault) => {
    server.faults.push({ path: /./, times: 2, ...fault })
    const access = await opened()
    const error = await refusal(profile(access))
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(server.token)
    server.faults.push({ path: /./, ...fault })
    const send = access.gateway.fetching('https://photos.test/v1/mediaItems')
    const fetched = await refusal(access.gateway.ask({ title: 'P', asked: 'x', answer: z.unknown(), send }))
    expect(inspect([fetched, access.lines], { depth: 20, showHidden: true })).not.toContain(server.token)
  })
})

describe('a run that is ended', () => {
  test('asks nothing more', async () => {
    const ending = new AbortController()
    const access = await opened({ token: server.token }, { signal: ending.signal })
    ending.abort()
    await expect(profile(access)).rejects.toThrow()
    expect(server.log).toEqual([])
  })
})

describe('a service account', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recalld-test-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** Where tokens are given; what was asked for. */
  async function tokenServer(answer: () => { status: number; body: unknown }) {
    const asked: Record<string, unknown>[] = []
    const tokens = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const assertion = new URLSearchParams(Buffer.concat(chunks).toString()).get('assertion') ?? ''
      asked.push(
        JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>,
      )
      const { status, body } = answer()
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => tokens.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`
    const file = join(folder, 'key.json')
    const key = { type: 'service_account', client_email: 'robot@acme.test', private_key: pem, token_uri: url }
    writeFileSync(file, JSON.stringify(key))
    return {
      asked,
      config: { service_account_file: file, subject: 'ada@acme.test' },
      async [Symbol.asyncDispose]() {
        tokens.closeAllConnections()
        await new Promise((resolve) => tokens.close(resolve))
      },
    }
  }

  test('reads as the person it is for, with one token for many requests', async () => {
    const body = { access_token: server.token, expires_in: 3600, token_type: 'Bearer' }
    await using tokens = await tokenServer(() => ({ status: 200, body }))
    const access = await opened(tokens.config)
    expect(await profile(access)).toBe('ada@acme.test')
    await profile(access)
    expect(tokens.asked).toHaveLength(1)
    expect(tokens.asked[0]).toMatchObject({
      iss: 'robot@acme.test',
      sub: 'ada@acme.test',
      scope: NEED.scopes.join(' '),
    })
    expect(access.gateway.granted).toMatchObject({ title: 'ada@acme.test' })
  })

  test('that Google refuses says what an administrator has to do, without the key', async () => {
    const body = { error: 'unauthorized_client', error_description: 'Client is unauthorized' }
    await using tokens = await tokenServer(() => ({ status: 401, body }))
    const error = await refusal(profile(await opened(tokens.config)))
    expect(error).toMatchObject({ remedy: 'reauthorize', message: expect.stringContaining('domain-wide delegation') })
    const told = inspect(error, { depth: 20, showHidden: true })
    for (const secret of [pem.slice(100, 140), 'assertion', 'eyJ']) expect(told).not.toContain(secret)
  })

  test('whose tokens cannot be had just then is tried again', async () => {
    await using tokens = await tokenServer(() => ({ status: 503, body: {} }))
    const error = await refusal(profile(await opened(tokens.config)))
    expect(error).toMatchObject({ remedy: 'retry' })
    const told = inspect(error, { depth: 20, showHidden: true })
    for (const secret of [pem.slice(100, 140), 'assertion', 'eyJ']) expect(told).not.toContain(secret)
  })

  test('needs a key that can be read, and a person', async () => {
    const file = join(folder, 'wrong.json')
    writeFileSync(file, '{"private_key": "secret')
    const error = await refusal(opened({ service_account_file: file, subject: 'ada@acme.test' }))
    expect(error).toMatchObject({ remedy: 'reconfigure' })
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('secret')
    await using tokens = await tokenServer(() => ({ status: 200, body: {} }))
    const { service_account_file } = tokens.config
    expect(await refusal(opened({ service_account_file }))).toMatchObject({
      message: expect.stringContaining('subject'),
    })
  })
})
