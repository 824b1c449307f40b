import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { apiUrlField, connectionFields, grantFields } from '../../src/connector/connection-fields.ts'
import type { Connector } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { Grants, PendingGrant } from '../../src/http/app/schemas/grants.ts'
import type { ConnectAnswer } from '../../src/http/app/schemas/sources.ts'
import { oauthServer } from '../fakes/oauth-server.ts'
import { madeUpConnector } from '../lib/made-up-connector.ts'
import { madeUpProvider } from '../lib/made-up-provider.ts'
import { type SourcesVisit, sourcesVisit } from '../lib/sources-visit.ts'
import { until } from '../lib/until.ts'

const SECRET = 'made-up-client-secret'
const ADA = { account: '1001', title: 'ada@acme.test' }
const BOB = { account: '1002', title: 'bob@acme.test' }
const NEED = { provider: 'acme', family: 'mail' }

/** Texts of a made-up mailbox, read by a grant. */
function mailbox(): Connector {
  const items = new Map([['monday', 'The minutes of Monday mention a purple lamp.']])
  const base = madeUpConnector({ items }, { id: 'acme_mail', title: 'Acme Mail', auth: 'oauth' })
  const config = z.strictObject({ ...connectionFields(), ...grantFields(), api_url: apiUrlField('https://api.test') })
  const scopes = ['mail.read']
  return {
    ...base,
    manifest: { ...base.manifest, config, grant: { ...NEED, scopes: () => scopes } },
    async check({ config: settings, grants, signal }) {
      const { account, api_url: api } = config.parse(settings)
      const grant = await grants.open({ ...NEED, scopes, account })
      const headers = { authorization: `Bearer ${await grant.accessToken(signal)}` }
      const response = await fetch(`${api}/me`, { headers })
      if (!response.ok) throw new SourceError('reauthorize', 'Acme rejected the token.')
      return { account: grant.account, title: grant.title }
    },
  }
}

async function acme({ isPasted = false, grantsInTurn = false } = {}) {
  const server = await oauthServer({ clock: () => new Date(), clientSecret: SECRET })
  onTestFinished(() => server[Symbol.asyncDispose]())
  server.person = ADA
  const { takesLongerPaths: _, ...redirect } = madeUpProvider().redirect as {
    takesLongerPaths?: true
    kind: 'loopback'
  } & Extract<ReturnType<typeof madeUpProvider>['redirect'], { kind: 'loopback' }>
  const provider = { ...madeUpProvider(), ...(isPasted && { redirect }) }
  const app = await sourcesVisit({
    registry: { acme_mail: async () => mailbox() },
    providers: { acme: async () => provider },
    grantsInTurn,
  })
  onTestFinished(() => app[Symbol.asyncDispose]())
  const begin = (more: object = {}) =>
    app.send<PendingGrant>('POST', '/grants/begin', {
      provider: 'acme',
      connectors: ['acme_mail'],
      client: { client_id: 'client-1', client_secret: SECRET },
      place: { auth_url: server.url, api_url: server.url },
      ...more,
    })
  return { server, app, begin }
}

const connect = (app: SourcesVisit, api_url: string, name = 'me', settings: object = {}) =>
  app.send<ConnectAnswer>('POST', '/sources', { connector: 'acme_mail', name, settings: { api_url, ...settings } })

describe.each([
  ['one process', false],
  ['two processes', true],
])('access that is granted in a browser, by %s', (_, grantsInTurn) => {
  test('comes back to the app by itself, and sources are read by it', async () => {
    const { server, app, begin } = await acme({ grantsInTurn })
    const pending = await begin()
    expect(pending).toMatchObject({
      state: 'waiting',
      redirect: 'automatic',
      redirect_url: `${app.baseUrl}/app/connected`,
      grant: null,
    })
    const address = await server.browse(pending.url)
    expect(address.startsWith(`${app.baseUrl}/app/connected?`)).toBe(true)
    // The browser comes from another site, so that it brings no cookie.
    expect((await fetch(address, { redirect: 'manual' })).status).toBeLessThan(500)
    const done = await app.send<PendingGrant>('POST', '/grants/complete', { address })
    expect(done).toMatchObject({ state: 'granted', problem: null, grant: { title: ADA.title, connections: [] } })
    expect(await app.get(`/grants/pending/${pending.id}`)).toMatchObject({ state: 'granted' })

    expect(await connect(app, server.url)).toMatchObject({ account: ADA.title })
    const listed = await app.untilListed('acme_mail/me', ({ state, running }) => state === 'healthy' && !running)
    expect(listed).toMatchObject({ access: { by: 'grant', grant: { title: ADA.title, refusal: null } }, items: 1 })
    await until(async () => (await app.recall('lamp')).includes('purple'))
    const { grants, providers } = await app.get<Grants>('/grants')
    expect(grants).toMatchObject([{ title: ADA.title, connections: ['acme_mail/me'], account_setting: ADA.title }])
    expect(providers).toMatchObject([
      { id: 'acme', has_client: true, redirect: 'automatic', client_secret: 'required' },
    ])
    const seen = JSON.stringify([app.logLines, app.events, grants, providers, done, app.config()])
    for (const secret of server.secrets) expect(seen).not.toContain(secret)
  })

  test('is pasted where the browser cannot come back to the app', async () => {
    const { server, app, begin } = await acme({ isPasted: true, grantsInTurn })
    const pending = await begin()
    expect(pending).toMatchObject({
      redirect: 'paste',
      redirect_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
    })
    const address = await server.browse(pending.url)
    const done = await app.send<PendingGrant>('POST', '/grants/complete', { address })
    expect(done).toMatchObject({ state: 'granted', grant: { title: ADA.title } })
  })

  test('counts only in a session of the person who began it', async () => {
    const { server, app, begin } = await acme({ grantsInTurn })
    const bob = await app.personFor({ role: 'owner' })
    await app.service.people.setAdmin(bob.personId, true)
    const pending = await begin()
    const address = await server.browse(pending.url)
    expect((await bob.call('/grants/complete', { method: 'POST', body: { address } })).status).toBe(400)
    expect((await bob.call(`/grants/pending/${pending.id}`)).status).toBe(404)
    const nobody = app.visitor()
    await nobody.session()
    expect((await nobody.call('/grants/complete', { method: 'POST', body: { address } })).status).toBe(401)
    expect(server.count('token')).toBe(0)
    const foreign = new URL(address)
    foreign.searchParams.set('state', 'made-up-by-somebody')
    const answer = await app.call('/grants/complete', { method: 'POST', body: { address: foreign.href } })
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'address', message: expect.any(String) }] } })
    expect((await app.get<Grants>('/grants')).grants).toEqual([])
    expect(await app.send('POST', '/grants/complete', { address })).toMatchObject({ state: 'granted' })
  })

  test('is redeemed once when the browser sends its answer twice', async () => {
    const { server, app, begin } = await acme({ grantsInTurn })
    const address = await server.browse((await begin()).url)
    const twice = [1, 2].map(() => app.send<PendingGrant>('POST', '/grants/complete', { address }))
    for (const done of await Promise.all(twice)) {
      expect(done).toMatchObject({ state: 'granted', grant: { title: ADA.title } })
    }
    expect(server.count('token', 'authorization_code')).toBe(1)
  })

  test('may be sent again when the provider did not answer', async () => {
    const { server, app, begin } = await acme({ grantsInTurn })
    const address = await server.browse((await begin()).url)
    server.fault('token', { kind: 'status', status: 503 })
    expect((await app.call('/grants/complete', { method: 'POST', body: { address } })).status).toBe(503)
    expect(await app.send('POST', '/grants/complete', { address })).toMatchObject({ state: 'granted' })
  })

  test('that the person refuses is told, and nothing is stored', async () => {
    const { server, app, begin } = await acme({ grantsInTurn })
    const pending = await begin()
    server.person = { ...ADA, refuses: 'access_denied' }
    const address = await server.browse(pending.url)
    const done = await app.send<PendingGrant>('POST', '/grants/complete', { address })
    expect(done).toMatchObject({ state: 'failed', grant: null, problem: expect.any(String) })
    expect((await app.get<Grants>('/grants')).grants).toEqual([])
  })

  test('that was given up cannot be finished any more', async () => {
    const { server, app, begin } = await acme({ grantsInTurn })
    const pending = await begin()
    const address = await server.browse(pending.url)
    await app.send('DELETE', `/grants/pending/${pending.id}`)
    expect((await app.call('/grants/complete', { method: 'POST', body: { address } })).status).toBe(400)
  })

  test('by a code is told when it was typed', async () => {
    const { server, app } = await acme({ grantsInTurn })
    const pending = await app.send<PendingGrant>('POST', '/grants/device', {
      provider: 'acme',
      connectors: ['acme_mail'],
      client: { client_id: 'client-1', client_secret: SECRET },
      place: { auth_url: server.url, api_url: server.url },
    })
    expect(pending).toMatchObject({ state: 'waiting', redirect: null, code: expect.any(String) })
    app.events.length = 0
    server.typeCode(pending.code ?? '')
    await until(async () => app.events.some(({ type }) => type === 'sources'))
    expect(await app.get(`/grants/pending/${pending.id}`)).toMatchObject({
      state: 'granted',
      grant: { title: ADA.title },
    })
  })

  test('of a second account leaves the sources of the first with theirs', async () => {
    const { server, app, begin } = await acme({ grantsInTurn })
    const grant = async (person: typeof ADA) => {
      server.person = person
      const address = await server.browse((await begin()).url)
      await app.send('POST', '/grants/complete', { address })
    }
    await grant(ADA)
    await connect(app, server.url)
    await grant(BOB)
    expect(app.config()).toContain(`account: ${ADA.title}`)
    expect(await connect(app, server.url, 'bob', { account: BOB.title })).toMatchObject({ account: BOB.title })
    const { grants } = await app.get<Grants>('/grants')
    expect(grants.map(({ title, connections }) => ({ title, connections }))).toEqual([
      { title: ADA.title, connections: ['acme_mail/me'] },
      { title: BOB.title, connections: ['acme_mail/bob'] },
    ])
    const [ofAda] = grants
    expect(await app.send('DELETE', `/sources/acme_mail/bob?forget=true&revoke=true`)).toMatchObject({ revoked: true })
    expect((await app.get<Grants>('/grants')).grants).toMatchObject([{ id: ofAda?.id }])
    expect(await app.send('DELETE', `/grants/${ofAda?.id}`)).toEqual({ withdrawn: true })
    expect(await app.untilListed('acme_mail/me', ({ action }) => action === 'reauthorize')).toMatchObject({
      access: { by: 'grant', grant: null },
    })
    await app.send('POST', '/sources/acme_mail/me/sync', {})
    const ended = await app.untilListed('acme_mail/me', ({ state, running }) => state === 'needs attention' && !running)
    expect(ended).toMatchObject({
      action: 'reauthorize',
      problem: expect.stringMatching(/^No account is connected for/),
    })
    const { fields: _, ...said } = await app.detail(ended.id)
    expect(JSON.stringify(said)).not.toContain('recalld connect')
  })
})
