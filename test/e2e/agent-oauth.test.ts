import { UnauthorizedError } from '@modelcontextprotocol/client'
import { auth as authV1 } from '@modelcontextprotocol/sdk/client/auth.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccessDecision, AgentList } from '../../src/http/app/schemas/agents.ts'
import type { AppVisit } from '../lib/app-visit.ts'
import { httpCall } from '../lib/http-call.ts'
import { httpHost } from '../lib/mcp-host.ts'
import { connectHost, HostCredentials, RawAgent } from '../lib/oauth-agent.ts'
import { AgentBrowser, oauthVisit } from '../lib/oauth-visit.ts'

const DOCUMENT = 'https://agents.test/client.json'
let visit: AppVisit
let browser: AgentBrowser
beforeAll(async () => {
  visit = await oauthVisit({ fetchDocument: async () => Response.json(described) })
  browser = new AgentBrowser(visit.baseUrl, visit)
  await visit.running.upload('The billing migration starts on 1 April 2026.', { itemId: 'billing' })
  await visit.running.upload('The checkout test is flaky.', { source: 'github', itemId: 'checkout' })
})
afterAll(() => visit?.[Symbol.asyncDispose]())

const described = {
  ...{ client_id: DOCUMENT, client_name: 'Described agent', client_uri: 'https://agents.test' },
  ...{ redirect_uris: ['http://127.0.0.1/callback'], grant_types: ['authorization_code', 'refresh_token'] },
  ...{ response_types: ['code'], token_endpoint_auth_method: 'none' },
}
const decision = (change: Partial<AccessDecision> = {}): AccessDecision => ({
  ...{ account_id: visit.accountId, sources: 'all', access: 'read', days: 30, ...change },
})
const agents = async () => (await visit.get<AgentList>('/agents')).agents
const toolNames = async (client: Awaited<ReturnType<typeof connectHost>>) =>
  (await client.listTools()).tools.map(({ name }) => name)

/** The official client is refused, a person allows it in the browser, and it connects. */
async function connectByConsent(credentials: HostCredentials, allowed: AccessDecision) {
  const transport = await connectHost(visit.baseUrl, credentials).catch((error: unknown) => error)
  expect(transport).toBeInstanceOf(UnauthorizedError)
  const back = await browser.allow(await browser.begin(String(credentials.address)), allowed)
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const address = new URL(`${visit.baseUrl}/mcp`)
  await new StreamableHTTPClientTransport(address, { authProvider: credentials }).finishAuth(back.searchParams)
  return connectHost(visit.baseUrl, credentials)
}

test('a client finds the authorization server from a 401, by every path that clients try', async () => {
  const { baseUrl } = visit
  const { status, headers } = await httpCall(`${baseUrl}/mcp`, { method: 'POST', body: '{}' })
  expect(status).toBe(401)
  expect(headers.get('www-authenticate')).toBe(
    `Bearer realm="recalld", resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp", scope="memory:read memory:write"`,
  )
  const local = baseUrl.replace('127.0.0.1', 'localhost')
  for (const origin of [baseUrl, local]) {
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
      expect((await httpCall(origin + path)).body).toMatchObject({
        resource: `${origin}/mcp`,
        authorization_servers: [baseUrl],
        scopes_supported: ['memory:read', 'memory:write'],
      })
    }
  }
  const paths = ['oauth-authorization-server', 'openid-configuration'].flatMap((name) => [name, `${name}/mcp`])
  for (const path of [...paths.map((name) => `/.well-known/${name}`), '/mcp/.well-known/openid-configuration']) {
    expect((await httpCall(baseUrl + path)).body, path).toMatchObject({
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      registration_endpoint: `${baseUrl}/oauth/register`,
      revocation_endpoint: `${baseUrl}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    })
  }
})

test('the official client registers, is allowed, recalls, and refreshes its access', async () => {
  const credentials = new HostCredentials({ client_name: 'Claude \u202e code' })
  const client = await connectByConsent(credentials, decision())
  expect(await toolNames(client)).toEqual(['recall', 'ask', 'open'])
  const found = await client.callTool({ name: 'recall', arguments: { query: 'billing migration' } })
  expect(JSON.stringify(found.content)).toContain('1 April 2026')
  const [agent] = await agents()
  expect(agent).toMatchObject({ name: 'Claude code', host: null, access: 'read', sources: 'all' })
  await expect.poll(async () => (await agents())[0]?.last_used_at).not.toBeNull()
  const { stored } = credentials
  credentials.stored = stored && { ...stored, access_token: 'over' }
  expect(await toolNames(await connectHost(visit.baseUrl, credentials))).toEqual(['recall', 'ask', 'open'])
  expect(credentials.stored?.refresh_token).not.toBe(stored?.refresh_token)
  expect(await agents()).toHaveLength(1)
  await visit.send('DELETE', `/agents/${agent?.id}`)
  expect(await agents()).toEqual([])
  await expect(connectHost(visit.baseUrl, credentials)).rejects.toThrow('grant request is invalid')
})

test('a client that is described by a document needs no registration, and is shown with its host', async () => {
  const credentials = new HostCredentials({}, DOCUMENT)
  const client = await connectByConsent(credentials, decision({ access: 'write', days: null }))
  expect(await toolNames(client)).toEqual(['recall', 'ask', 'open', 'remember', 'forget'])
  expect(await agents()).toMatchObject([
    { name: 'Described agent', host: 'agents.test', access: 'write', expires_at: null },
  ])
  const stored = await client.callTool({ name: 'remember', arguments: { text: 'Lunch is at noon.' } })
  expect(stored.isError).toBeFalsy()
  await visit.send('DELETE', `/agents/${(await agents())[0]?.id}`)
})

test('the client of the SDK before goes the same way', async () => {
  const credentials = new HostCredentials()
  const serverUrl = `${visit.baseUrl}/mcp`
  expect(await authV1(credentials, { serverUrl })).toBe('REDIRECT')
  const back = await browser.allow(await browser.begin(String(credentials.address)), decision())
  const authorizationCode = String(back.searchParams.get('code'))
  expect(await authV1(credentials, { serverUrl, authorizationCode })).toBe('AUTHORIZED')
  const host = await httpHost('v1', visit.baseUrl, { authorization: `Bearer ${credentials.stored?.access_token}` })
  expect(JSON.stringify(await host.call('recall', { query: 'billing' }))).toContain('1 April 2026')
})

describe('an access token', () => {
  let agent: RawAgent
  beforeAll(async () => {
    agent = new RawAgent(visit.baseUrl)
    await agent.registered()
  })
  const connect = async (change: Partial<AccessDecision>, asked: Record<string, string | undefined> = {}) => {
    const back = await browser.allow(await browser.begin(agent.address(asked)), decision(change))
    const { status, body } = await agent.redeem(String(back.searchParams.get('code')))
    expect(status).toBe(200)
    return body
  }
  const host = (token: string) => httpHost('auto', visit.baseUrl, { authorization: `Bearer ${token}` })

  test('sees the sources that it was given, and no other', async () => {
    const { access_token: token } = await connect({ sources: ['github'] })
    const client = await host(token)
    const found = JSON.stringify(await client.call('recall', { query: 'billing migration checkout test' }))
    expect(found).toContain('flaky')
    expect(found).not.toContain('1 April 2026')
  })

  test('works for the account that was chosen, and not for another', async () => {
    const { accountId: other } = await visit.service.people.createAccount({ name: 'Other', ownerId: visit.personId })
    const { access_token: token } = await connect({ account_id: other })
    expect(JSON.stringify(await (await host(token)).call('recall', { query: 'billing' }))).not.toContain('1 April 2026')
    expect((await agents()).map(({ id }) => id)).not.toContain(
      (await visit.service.agents.list(other)).map(({ id }) => id)[0],
    )
  })

  test('is for MCP alone: the REST interface takes keys', async () => {
    const { access_token: token } = await connect({})
    const given: Record<string, string>[] = [{ 'x-api-key': token }, { authorization: `Bearer ${token}` }]
    for (const headers of given) {
      const { status } = await httpCall(`${visit.baseUrl}/v1/memories/recall`, { method: 'POST', headers })
      expect(status).toBe(401)
    }
  })

  test('of a client that names no scope and no resource is for all that is offered, as the person allows', async () => {
    const body = await connect({ access: 'write' }, { scope: undefined, resource: undefined })
    expect(body.scope).toBe('memory:read memory:write')
    expect((await (await host(body.access_token)).client.listTools()).tools).toHaveLength(5)
  })

  test('counts against the rate of its account, as a key does', async () => {
    const { access_token: token } = await connect({})
    const principal = await visit.service.agents.authenticate(token, [`${visit.baseUrl}/mcp`])
    expect(principal).toMatchObject({ accountId: visit.accountId, keyName: 'Raw', isReadOnly: true })
    await expect(
      visit.service.memorize(principal, {
        ...{ body: new Uint8Array([65]), fileName: 'a.txt', contentType: 'text/plain', userName: 'x' },
      }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('ends when the agent gives it back, and with it the agent is gone from the list', async () => {
    const before = (await agents()).length
    const { access_token: token, refresh_token: refresh } = await connect({})
    expect(await agents()).toHaveLength(before + 1)
    expect(await agent.revoke(refresh)).toBe(200)
    await expect(host(token)).rejects.toThrow(/401|Unauthorized|Invalid access token/i)
    expect(await agents()).toHaveLength(before)
  })

  test('of a client with a secret comes only with the secret', async () => {
    const confidential = new RawAgent(visit.baseUrl)
    const { client_secret: secret } = await confidential.registered({
      token_endpoint_auth_method: 'client_secret_post',
    })
    const begin = async () =>
      String((await browser.allow(await browser.begin(confidential.address()), decision())).searchParams.get('code'))
    expect(await confidential.redeem(await begin())).toMatchObject({ status: 401 })
    expect(await confidential.redeem(await begin(), { client_secret: 'wrong' })).toMatchObject({ status: 401 })
    expect(await confidential.redeem(await begin(), { client_secret: String(secret) })).toMatchObject({ status: 200 })
    const metadata = await visit.store.authorizations.clients.find(confidential.clientId)
    expect(metadata).not.toContain(String(secret))
  })
})

test('nothing that an agent holds is in the database in a form that works', async () => {
  const agent = new RawAgent(visit.baseUrl)
  await agent.registered()
  const back = await browser.allow(await browser.begin(agent.address()), decision())
  const code = String(back.searchParams.get('code'))
  const { body } = await agent.redeem(code)
  const { hashToken } = await import('../../src/service/agents.ts')
  for (const [kind, token] of [
    ['code', code],
    ['access', body.access_token],
    ['refresh', body.refresh_token],
  ] as const) {
    const kept = await visit.store.authorizations.tokens.find(kind, hashToken(token))
    expect(kept?.payload).toBeDefined()
    expect(kept?.payload).not.toContain(token)
  }
})

test('a person who says no sends the agent back with an error', async () => {
  const agent = new RawAgent(visit.baseUrl)
  await agent.registered()
  const id = await browser.begin(agent.address())
  const back = await browser.end(JSON.parse((await browser.call(id, '/deny')).text))
  expect(Object.fromEntries(back.searchParams)).toMatchObject({
    error: 'access_denied',
    state: 'xyz',
    iss: visit.baseUrl,
  })
})
