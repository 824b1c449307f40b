import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccessDecision, AgentList } from '../../src/http/app/schemas/agents.ts'
import type { AppVisit } from '../lib/app-visit.ts'
import { httpCall } from '../lib/http-call.ts'
import { mcpHeaders, mcpRequest } from '../lib/mcp-message.ts'
import { CALLBACK, RawAgent } from '../lib/oauth-agent.ts'
import { AgentBrowser, oauthVisit } from '../lib/oauth-visit.ts'

/** How far the clock of the service is ahead, in milliseconds. */
let later = 0
let visit: AppVisit
let agent: RawAgent
let browser: AgentBrowser
beforeAll(async () => {
  visit = await oauthVisit({ start: { clock: () => new Date(Date.now() + later) } })
  agent = new RawAgent(visit.baseUrl)
  await agent.registered()
  browser = new AgentBrowser(visit.baseUrl, visit)
})
afterAll(() => visit?.[Symbol.asyncDispose]())

const decision = (change: Partial<AccessDecision> = {}): AccessDecision => ({
  ...{ account_id: visit.accountId, sources: 'all', access: 'read', days: 30, ...change },
})
const agents = async () => (await visit.get<AgentList>('/agents')).agents
const newCode = async () =>
  String((await browser.allow(await browser.begin(agent.address()), decision())).searchParams.get('code'))
const connected = async () => (await agent.redeem(await newCode())).body
const mcpStatus = async (token: string, { baseUrl } = visit) => {
  const message = mcpRequest('tools/list')
  const headers = Object.fromEntries(mcpHeaders(message, { authorization: `Bearer ${token}` }))
  return (await httpCall(`${baseUrl}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) })).status
}
/** The error that the agent is sent, or that the person is shown. */
const refusal = async (address: URL) => {
  const answer = await browser.open(address)
  const location = answer.headers.get('location')
  if (location === null) return answer.status
  const { searchParams, hash } = new URL(location, visit.baseUrl)
  return searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error')
}

describe('a request for access', () => {
  test.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['with the challenge in plain text', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with a challenge whose method is left out', { code_challenge_method: undefined }, 'invalid_request'],
    ['for a token without a code', { response_type: 'token' }, 'unsupported_response_type'],
    ['for another server', { resource: 'https://other.test/mcp' }, 'invalid_target'],
    ['for the service and another server', { resource: 'https://127.0.0.1/mcp' }, 'invalid_target'],
    ['that must not ask the person', { prompt: 'none' }, 'consent_required'],
  ])('%s is sent back with an error', async (_, change, error) => {
    expect(await refusal(agent.address(change))).toBe(error)
  })

  test.each([
    ['to another host', 'https://evil.test/callback'],
    ['to another path', `${CALLBACK}/more`],
    ['to a host in the user part', 'http://127.0.0.1:33418@evil.test/callback'],
    ['to a script', 'javascript:alert(1)'],
  ])('%s is sent nowhere', async (_, redirect) => {
    expect(await refusal(agent.address({ redirect_uri: redirect }))).toBe(400)
  })

  test('of an unknown client is sent nowhere', async () => {
    expect(await refusal(agent.address({ client_id: 'nobody' }))).toBe(400)
    expect(await refusal(agent.address({ client_id: 'https://127.0.0.1/client.json' }))).toBe(400)
  })

  test('cannot be allowed in another browser than the one in which it began', async () => {
    const attackers = new AgentBrowser(visit.baseUrl, visit.visitor())
    const id = await attackers.begin(agent.address())
    const victims = new AgentBrowser(visit.baseUrl, visit)
    for (const action of ['', '/allow', '/deny'] as const) {
      const answer = await victims.call(id, action, action === '/allow' ? decision() : undefined)
      expect(answer.status, action).toBe(404)
    }
    const other = await victims.begin(agent.address())
    expect((await victims.call(id)).status).toBe(404)
    expect((await victims.call(other)).status).toBe(200)
    expect([401, 403]).toContain((await attackers.call(id, '/allow', decision())).status)
    expect((await attackers.open(`/oauth/authorize/${id}`)).headers.get('location')).toContain('/app/connect-agent/')
  })

  test('cannot be allowed by a page of another site, or without the token of the session', async () => {
    const id = await browser.begin(agent.address())
    const before = (await agents()).length
    const forged: Record<string, string>[] = [
      { 'x-csrf-token': '' },
      { origin: 'https://evil.test' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of forged) {
      const path = `/agents/requests/${id}/allow`
      const answer = await visit.call(path, { method: 'POST', body: decision(), headers })
      expect(answer.status).toBe(403)
    }
    expect(await agents()).toHaveLength(before)
  })

  test('is answered once', async () => {
    const id = await browser.begin(agent.address())
    const first = await browser.call(id, '/allow', decision())
    expect(first.status).toBe(200)
    expect((await browser.call(id, '/allow', decision())).status).toBe(404)
    await browser.end(JSON.parse(first.text))
    expect((await browser.open(`/oauth/authorize/${id}`)).status).toBe(400)
  })

  test('is allowed by owners only, for accounts of their own, and for no more than it asks', async () => {
    const member = await visit.personFor({ role: 'member' })
    const theirs = new AgentBrowser(visit.baseUrl, member)
    const id = await theirs.begin(agent.address())
    expect((await theirs.call(id, '/allow', decision())).status).toBe(403)
    const { accountId } = await visit.service.accounts.create({ name: 'Elsewhere', userName: 'Eve' })
    const own = await browser.begin(agent.address())
    expect((await browser.call(own, '/allow', decision({ account_id: accountId }))).status).toBe(403)
    expect((await browser.call(own, '/allow', decision({ access: 'write' }))).status).toBe(400)
    expect((await browser.call(own, '/allow', decision({ sources: [] }))).status).toBe(400)
    expect((await browser.call(own, '/allow', decision({ days: 0 }))).status).toBe(400)
  })
})

describe('a code', () => {
  test('that is used twice ends the access that it gave', async () => {
    const code = await newCode()
    const { body } = await agent.redeem(code)
    expect(await mcpStatus(body.access_token)).toBe(200)
    expect(await agent.redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await mcpStatus(body.access_token)).toBe(401)
    expect(await agent.refresh(body.refresh_token)).toMatchObject({ status: 400 })
    await visit.service.activity.recorded()
    await expect
      .poll(async () => (await visit.call('/activity')).text)
      .toContain('"kind":"agent_disconnected","name":"Raw","reason":"token_reused"')
  })

  test('is worth nothing to somebody else', async () => {
    const other = new RawAgent(visit.baseUrl)
    await other.registered()
    const code = await newCode()
    expect(await other.redeem(code)).toMatchObject({ body: { error: 'invalid_grant' } })
    for (const change of [
      { code_verifier: undefined },
      { code_verifier: 'x'.repeat(43) },
      { redirect_uri: 'http://127.0.0.1:1/callback' },
    ])
      expect((await agent.redeem(code, change)).status).toBe(400)
    expect(await agent.redeem(code, { resource: 'https://other.test/mcp' })).toMatchObject({
      body: { error: 'invalid_target' },
    })
  })

  test('of many requests at the same time, one gets tokens at most', async () => {
    const code = await newCode()
    const answers = await Promise.all(Array.from({ length: 6 }, () => agent.redeem(code)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })
})

describe('tokens', () => {
  test('a refresh token that comes back later ends everything: somebody else has it', async () => {
    const first = await connected()
    const second = await agent.refresh(first.refresh_token)
    expect(second.status).toBe(200)
    // Its answer may have got lost, or two processes refresh at once.
    expect((await agent.refresh(first.refresh_token)).status).toBe(200)
    later = 60_000
    expect(await agent.refresh(first.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    later = 0
    expect(await mcpStatus(second.body.access_token)).toBe(401)
    expect((await agent.refresh(second.body.refresh_token)).status).toBe(400)
  })

  test('a refresh token is worth nothing to another client, and no access token', async () => {
    const { refresh_token: token } = await connected()
    const other = new RawAgent(visit.baseUrl)
    await other.registered()
    expect(await other.refresh(token)).toMatchObject({ body: { error: 'invalid_grant' } })
    expect(await other.revoke(token)).toBe(200)
    expect(await mcpStatus(token)).toBe(401)
    expect((await agent.refresh(token)).status).toBe(200)
  })

  test('nobody gets more rights by refreshing', async () => {
    const { refresh_token: token } = await connected()
    expect((await agent.refresh(token, { scope: 'memory:read memory:write' })).status).toBe(400)
    const { body } = await agent.refresh(token)
    expect(body.scope).toBe('memory:read')
  })

  test('that are for another service are refused', async () => {
    const { access_token: token } = await connected()
    await using elsewhere = await oauthVisit({
      baseUrl: 'https://memory.test',
      start: { server: { allowedHosts: ['*'] } },
    })
    expect(await mcpStatus(token)).toBe(200)
    expect(await mcpStatus(token, elsewhere)).toBe(401)
    await expect(visit.service.agents.authenticate(token, ['https://memory.test/mcp'])).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  test('end with the right of the person who gave them', async () => {
    const owner = await visit.personFor({ role: 'owner' })
    const theirs = new AgentBrowser(visit.baseUrl, owner)
    const back = await theirs.allow(await theirs.begin(agent.address()), decision())
    const { body } = await agent.redeem(String(back.searchParams.get('code')))
    expect(await mcpStatus(body.access_token)).toBe(200)
    await visit.send('PATCH', `/people/${owner.personId}`, { role: 'member' })
    expect(await mcpStatus(body.access_token)).toBe(401)
    expect((await agent.refresh(body.refresh_token)).status).toBe(400)
  })
})

describe('a registration', () => {
  test.each([
    ['whose answers go over http to another machine', { redirect_uris: ['http://evil.test/cb'] }],
    ['of a web application over http', { application_type: 'web', redirect_uris: ['http://evil.test/cb'] }],
    ['whose answers go to a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['without an address for answers', { redirect_uris: [] }],
    ['with a fragment', { redirect_uris: ['https://agent.test/cb#x'] }],
    ['with hundreds of addresses', { redirect_uris: Array.from({ length: 100 }, (_, n) => `https://agent.test/${n}`) }],
    ['for implicit access', { grant_types: ['implicit'], response_types: ['token'] }],
    ['under a very long name', { client_name: 'x'.repeat(1_000) }],
  ])('%s is refused', async (_, metadata) => {
    expect((await new RawAgent(visit.baseUrl).register(metadata)).status).toBe(400)
  })

  test('of a program with a scheme of its own is taken, as editors have one', async () => {
    const answer = await new RawAgent(visit.baseUrl).register({
      redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'],
    })
    expect(answer.status).toBe(201)
  })

  test('is limited by address, and what is too large is not read', async () => {
    await using flooded = await oauthVisit()
    const one = () => new RawAgent(flooded.baseUrl).register()
    const answers = await Promise.all(Array.from({ length: 40 }, one))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
    const large = await new RawAgent(visit.baseUrl).register({ software_statement: 'x'.repeat(200_000) })
    expect(large.status).toBe(400)
  })
})
