import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { GraphGateway } from '../../../connectors/microsoft/graph-gateway.ts'
import { microsoftFields } from '../../../connectors/microsoft/microsoft-config.ts'
import type { AccessGrant, Grants } from '../../../src/connector/access-grant.ts'
import type { CheckContext } from '../../../src/connector/connector.ts'
import { GraphServer, graphError } from '../../fakes/microsoft/graph-server.ts'
import { NO_GRANTS } from '../../lib/no-grants.ts'
import { recordingLog } from '../../lib/recording-log.ts'

const NOW = new Date('2026-11-20T10:00:00Z')
const thing = z.looseObject({ id: z.string() })

async function opened(config: Record<string, unknown> = {}, grants: Grants = NO_GRANTS) {
  const server = await GraphServer.start()
  const context: CheckContext<z.infer<ReturnType<typeof fields>>> = {
    config: fields().parse({ ...server.settings, ...config }),
    clock: () => NOW,
    log: recordingLog().log,
    signal: new AbortController().signal,
    requests: {
      call: (_, send) => send(new AbortController().signal),
      holdUntil: async () => undefined,
      spaceOut: async () => undefined,
    },
    grants,
    machine: { platform: 'linux', userHome: '/', env: {}, temporaryFolder: '/', spoolFolder: '/' },
    userName: 'Ada Lovelace',
    timeZone: 'UTC',
  }
  const gateway: GraphGateway = new GraphGateway(context, { workload: 'outlook', scopes: ['Mail.Read'] })
  return { server, gateway, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

async function listed(gateway: GraphGateway) {
  const ids: string[] = []
  for await (const { id } of gateway.list(thing, '/things')) ids.push(id)
  return ids
}

function fields() {
  return z.strictObject(microsoftFields())
}

function grantOf(tokens: readonly string[]): Grants {
  const left = [...tokens]
  const next = async () => left.shift() ?? 'used-up'
  const grant: AccessGrant = {
    account: 'tenant.user',
    title: 'ada@acme.test',
    scopes: ['Mail.Read'],
    place: {},
    accessToken: next,
    replaceToken: next,
  }
  return { open: async () => grant }
}

describe('the gateway to Microsoft Graph', () => {
  test('asks with the token below /v1.0, whether api_url ends in it or not', async () => {
    for (const suffix of ['', '/', '/v1.0', '/v1.0/']) {
      await using fake = await opened()
      const { server } = fake
      await using other = await opened({ api_url: server.url.replace(/\/$/, '') + suffix })
      await other.gateway.get(thing, '/me', {
        query: { $select: 'id,mail' },
        headers: { prefer: 'IdType="ImmutableId"' },
      })
      expect(server.requests[0]).toMatchObject({
        url: '/me?$select=id,mail',
        headers: { authorization: 'Bearer graph-token', prefer: 'IdType="ImmutableId"' },
      })
    }
  })

  test('follows links as they were given, and keeps them without their origin', async () => {
    await using fake = await opened()
    const { server, gateway } = fake
    server.on('/things', ({ query }) =>
      query.has('$skiptoken')
        ? { body: { value: [{ id: 'b' }], '@odata.deltaLink': server.link('/things?$deltatoken=d') } }
        : {
            body: {
              value: [{ id: 'a' }],
              '@odata.nextLink': server.link('/things?x=1&x=2&$skiptoken=a%2Fb'),
            },
          },
    )
    const first = await gateway.page(thing, '/things')
    expect(first).toMatchObject({ values: [{ id: 'a' }], nextLink: '/things?x=1&x=2&$skiptoken=a%2Fb' })
    const second = await gateway.page(thing, { link: first.nextLink ?? '' })
    expect(second).toMatchObject({ values: [{ id: 'b' }], nextLink: undefined, deltaLink: '/things?$deltatoken=d' })
    expect(server.requests.at(-1)?.url).toBe('/things?x=1&x=2&$skiptoken=a/b')
    expect(await listed(gateway)).toEqual(['a', 'b'])
  })

  test('sends the token to no other origin', async () => {
    await using fake = await opened()
    await using foreign = await opened()
    const { server, gateway } = fake
    server.on('/things', () => ({
      body: { value: [], '@odata.nextLink': foreign.server.link('/things?$skiptoken=x') },
    }))
    await expect(listed(gateway)).rejects.toMatchObject({ remedy: 'reconfigure' })
    server.fail({ on: /moved/, status: 302, headers: { location: foreign.server.link('/moved') } })
    await expect(gateway.get(thing, '/moved')).rejects.toMatchObject({ remedy: 'skip' })
    expect(foreign.server.requests).toEqual([])
  })

  test('takes links to a host of Graph where api_url is a proxy of it', async () => {
    await using fake = await opened()
    const { server, gateway } = fake
    server.on('/things', () => ({
      body: { value: [], '@odata.nextLink': 'https://graph.microsoft.com/v1.0/things?$skiptoken=x' },
    }))
    expect((await gateway.page(thing, '/things')).nextLink).toBe('/things?$skiptoken=x')
  })

  test('asks for another token once when one is refused, and wants to be authorized again after that', async () => {
    await using fake = await opened({ token: undefined }, grantOf(['stale', 'graph-token']))
    expect(await fake.gateway.get(thing, '/me')).toMatchObject({ id: fake.server.user.id })
    await using plain = await opened({ token: 'wrong' })
    await expect(plain.gateway.get(thing, '/me')).rejects.toMatchObject({ remedy: 'reauthorize' })
    expect(plain.server.requests).toHaveLength(1)
  })

  test.each([
    [403, 'ErrorAccessDenied', 'skip'],
    [404, 'ErrorItemNotFound', 'skip'],
    [404, 'MailboxNotEnabledForRESTAPI', 'reconfigure'],
    [410, 'ItemGone', 'skip'],
    [410, 'SyncStateNotFound', 'restart'],
    [404, 'SyncStateNotFound', 'restart'],
    [410, 'resyncRequired', 'restart'],
    [400, 'ErrorInvalidSyncStateData', 'restart'],
    [400, 'BadRequest', 'skip'],
    [412, 'PreconditionFailed', 'skip'],
    [423, 'notAllowed', 'skip'],
    [500, 'generalException', 'retry'],
    [502, '', 'retry'],
    [504, 'timeout', 'retry'],
  ])('makes of %i %s: %s', async (status, code, remedy) => {
    await using fake = await opened()
    fake.server.fail({ on: /me/, ...graphError(status, code) })
    await expect(fake.gateway.get(thing, '/me')).rejects.toMatchObject({ remedy, status, graphCode: code })
  })

  test('takes any refusal of a link that Graph gave as the end of it, wherever it says to begin anew', async () => {
    await using fake = await opened()
    const { server, gateway } = fake
    const location = 'https://my.personalcontent.test/things?token=anew'
    server.fail({ on: /old/, ...graphError(410, 'whatever'), headers: { location } })
    await expect(gateway.page(thing, { link: '/things?$deltatoken=old' })).rejects.toMatchObject({ remedy: 'restart' })
    server.fail({ on: /old/, ...graphError(400, 'BadRequest') })
    await expect(gateway.page(thing, { link: '/things?$deltatoken=old' })).rejects.toMatchObject({ remedy: 'restart' })
  })

  test('waits as long as Retry-After says, in seconds or until a date', async () => {
    await using fake = await opened()
    const { server, gateway } = fake
    const limited = { remedy: 'retry', limited: true }
    server.fail({ on: /me/, ...graphError(429, 'TooManyRequests'), headers: { 'retry-after': '3600' } })
    await expect(gateway.get(thing, '/me')).rejects.toMatchObject({
      ...limited,
      retryAt: new Date('2026-11-20T11:00:00Z'),
    })
    server.fail({ on: /me/, status: 503, headers: { 'retry-after': 'Fri, 20 Nov 2026 10:05:00 GMT' } })
    await expect(gateway.get(thing, '/me')).rejects.toMatchObject({
      ...limited,
      retryAt: new Date('2026-11-20T10:05:00Z'),
    })
    server.fail({ on: /me/, ...graphError(403, 'accessDenied'), headers: { 'retry-after': '60' } })
    await expect(gateway.get(thing, '/me')).rejects.toMatchObject({
      ...limited,
      retryAt: new Date('2026-11-20T10:01:00Z'),
    })
    server.fail({ on: /me/, ...graphError(509, 'bandwidthLimitExceeded') })
    await expect(gateway.get(thing, '/me')).rejects.toMatchObject({ ...limited, retryAt: undefined })
    server.fail({ on: /me/, status: 503 })
    await expect(gateway.get(thing, '/me')).rejects.toMatchObject({
      remedy: 'retry',
      limited: false,
      retryAt: undefined,
    })
  })

  test('tries again after an answer that broke off, and shows nothing of it', async () => {
    await using fake = await opened()
    const { server, gateway } = fake
    server.fail({ on: /me/, cutOff: true, times: 1 })
    await expect(gateway.get(thing, '/me')).rejects.toMatchObject({ remedy: 'retry' })
    server.fail({ on: /me/, body: Buffer.from('{"id": "secr'), times: 1 })
    await expect(gateway.get(thing, '/me')).rejects.toMatchObject({
      remedy: 'retry',
      message: 'Graph sent an incomplete response for me.',
    })
    server.fail({ on: /me/, body: Buffer.from('<html>'), headers: { 'content-type': 'text/html' }, times: 1 })
    await expect(gateway.get(thing, '/me')).rejects.toMatchObject({ remedy: 'reconfigure' })
    expect(await gateway.get(thing, '/me')).toMatchObject({ id: server.user.id })
    expect(await gateway.find(thing, '/me')).toBeDefined()
  })

  test('downloads from pre-signed addresses without a token, and not more than is wanted', async () => {
    await using fake = await opened()
    const { server, gateway } = fake
    const address = server.open('/signed/a', () => ({ body: Buffer.from('hello') }))
    server.on('/drive/items/{id}/content', ({ parts }) =>
      parts.id === 'a' ? { status: 302, headers: { location: address } } : graphError(404, 'itemNotFound'),
    )
    expect(Buffer.from((await gateway.download(address, 5)) ?? []).toString()).toBe('hello')
    expect(Buffer.from((await gateway.download('/drive/items/a/content', 5)) ?? []).toString()).toBe('hello')
    expect(await gateway.download('/drive/items/b/content', 5)).toBeUndefined()
    await expect(gateway.download(address, 4)).rejects.toMatchObject({ remedy: 'skip' })
  })

  test('says neither the token of a link nor a secret address', async () => {
    await using fake = await opened()
    const { server, gateway } = fake
    server.fail({ on: /delta/, ...graphError(500, 'generalException') })
    const link = "/drives/d/root/delta(token='secret')"
    await expect(gateway.page(thing, { link })).rejects.toThrow(
      'Graph returned an error for drives/d/root/delta (HTTP 500).',
    )
    const error = await gateway.download('no address?tempauth=secret', 5).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ remedy: 'skip', message: 'Its address is invalid.' })
    expect(inspect(error)).not.toContain('secret')
  })

  test('takes a record without its fields in an unexpected form, and no page with a record that it cannot name', async () => {
    await using fake = await opened()
    const { server, gateway } = fake
    const mail = z.looseObject({
      id: z.string().min(1),
      subject: z.string().nullish(),
      to: z.array(z.string()).nullish(),
    })
    let value: unknown[] = [
      { id: 'a', subject: 7, to: ['ada'] },
      { id: 'b', to: [null] },
    ]
    server.on('/things', () => ({ body: { value } }))
    expect((await gateway.page(mail, '/things')).values).toEqual([{ id: 'a', to: ['ada'] }, { id: 'b' }])
    value = [{ id: 'a' }, { subject: 'Nameless' }]
    await expect(gateway.page(mail, '/things')).rejects.toMatchObject({ remedy: 'retry' })
  })

  test('gives a page that comes again and again up, so that what was read from it is read anew', async () => {
    await using fake = await opened()
    const { server, gateway } = fake
    server.on('/things', () => ({ body: { value: [], '@odata.nextLink': server.link('/things?$skiptoken=x') } }))
    await expect(listed(gateway)).rejects.toMatchObject({ remedy: 'retry' })
    const walk = async () => {
      for await (const { values } of gateway.pages(thing, '/things')) expect(values).toEqual([])
    }
    await expect(walk()).rejects.toMatchObject({ remedy: 'restart' })
  })
})
