import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppRoutesOptions } from '../../src/http/app/app-routes.ts'
import type { PeopleList } from '../../src/http/app/schemas/people.ts'
import { APP_RIGHTS, type Right } from '../lib/app-rights.ts'
import { type AppCall, type AppVisit, appVisit, type Visitor } from '../lib/app-visit.ts'
import { httpCall } from '../lib/http-call.ts'

type Caller = 'stranger' | 'member' | 'owner' | 'administrator' | 'owner elsewhere'

/** The administrator is only a member of the account, and the owner no administrator. */
const ALLOWED: Readonly<Record<Right, readonly Caller[]>> = {
  anybody: ['stranger', 'member', 'owner', 'administrator', 'owner elsewhere'],
  'signed in': ['member', 'owner', 'administrator', 'owner elsewhere'],
  owner: ['owner', 'owner elsewhere'],
  'owner or administrator': ['owner', 'administrator', 'owner elsewhere'],
  administrator: ['administrator'],
}
const CALLERS = ALLOWED.anybody

let app: AppVisit
const registered: string[] = []
const visitors = new Map<Caller, Visitor>()

beforeAll(async () => {
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
        for (const one of [method].flat())
          if (one !== 'HEAD' && url.startsWith('/app/api/')) registered.push(`${one} ${url}`)
      })
    },
  })
  const { accountId: elsewhere } = await app.service.accounts.create({ name: 'Elsewhere', userName: 'Else' })
  const administrator = await app.personFor({ role: 'member' })
  await app.send('PATCH', `/people/${administrator.personId}`, { is_admin: true })
  visitors.set('member', await app.personFor({ role: 'member' }))
  visitors.set('owner', await app.personFor({ role: 'owner' }))
  visitors.set('administrator', administrator)
  visitors.set('owner elsewhere', await app.personFor({ role: 'owner', accountId: elsewhere }))
})
afterAll(() => app[Symbol.asyncDispose]())

async function visitorFor(caller: Caller): Promise<Visitor> {
  const known = visitors.get(caller)
  if (known !== undefined) return known
  const stranger = app.visitor()
  await stranger.session()
  return stranger
}

/** With a body that no schema takes: whoever may not call a route does not learn what it expects. */
function callOf(route: string): [path: string, options: AppCall] {
  const [method = '', pattern = ''] = route.split(' ')
  const path = pattern.slice('/app/api'.length).replace(/:\w+/g, 'text')
  if (method === 'GET') return [path, {}]
  return [path, { method: method as NonNullable<AppCall['method']>, body: { made_up: true } }]
}

/** The stream of events does not end by itself. */
const isEndless = (route: string, caller: Caller) => route === 'GET /app/api/events' && caller !== 'stranger'

test('every route of the app has an entry in test/lib/app-rights.ts', () => {
  expect(registered.toSorted()).toEqual(Object.keys(APP_RIGHTS).toSorted())
})

test.each(CALLERS)('a %s is refused exactly what is not for them, before the request is checked', async (caller) => {
  const wrong: string[] = []
  for (const [route, right] of Object.entries(APP_RIGHTS)) {
    if (isEndless(route, caller) || (right === 'anybody' && caller !== 'stranger')) continue
    const visitor = await visitorFor(caller)
    const { status } = await visitor.call(...callOf(route))
    const refused = caller === 'stranger' ? 401 : 403
    const isRefused = status === 401 || status === 403
    if (ALLOWED[right].includes(caller) ? status === 403 : !isRefused || status !== refused)
      wrong.push(`${route}: ${status}`)
  }
  expect(wrong).toEqual([])
})

describe('an owner who is no administrator', () => {
  test('does not choose the plan of their own account', async () => {
    const owner = await visitorFor('owner')
    const before = await owner.get('/billing')
    const answer = await owner.call('/billing', { method: 'PUT', body: { plan: 'self-hosted', status: 'active' } })
    expect([answer.status, answer.body.detail]).toEqual([
      403,
      'Only administrators of this server can do this. Ask one of them.',
    ])
    expect(await owner.get('/billing')).toEqual(before)
  })

  test('makes neither accounts nor administrators', async () => {
    const owner = await visitorFor('owner')
    const { people } = await owner.get<PeopleList>('/people')
    const self = people.find(({ is_you }) => is_you)
    for (const [method, path, body] of [
      ['POST', '/people/invitations', { role: 'owner', own_account: true }],
      ['PATCH', `/people/${self?.id}`, { is_admin: true }],
    ] as const)
      expect((await owner.call(path, { method, body })).status, path).toBe(403)
  })
})

test('what belongs to an account is not there for owners and administrators of others', async () => {
  const { link } = await app.send<{ link: string }>('POST', '/people/invitations', { role: 'member' })
  expect(link).toContain('#')
  const { invitations } = await app.get<PeopleList>('/people')
  const { keys } = await app.get<{ keys: { id: string }[] }>('/keys')
  const { sessions } = await app.get<{ sessions: { id: string }[] }>('/security')
  const file = new File(['Only Ada reads this.'], 'ada.md', { type: 'text/markdown' })
  const form = [
    ['source_type', 'text'],
    ['file', file],
  ] as const
  const uploaded = await app.call('/library/upload', { method: 'POST', form })
  const item = `/library/text/${(uploaded.body as { item_id?: string }).item_id}`
  const visitor = await visitorFor('owner elsewhere')
  const calls = [
    ...['', '/memories', '/chunks', '/original'].map((end) => ['GET', `${item}${end}`] as const),
    ['DELETE', item],
    ['POST', `${item}/reprocess`],
    ['DELETE', `/keys/${keys[0]?.id}`],
    ['DELETE', `/people/${app.personId}`],
    ['PATCH', `/people/${app.personId}`],
    ['DELETE', `/people/invitations/${invitations[0]?.id}`],
    ['DELETE', `/security/sessions/${sessions[0]?.id}`],
  ] as const
  for (const [method, path] of calls) {
    const body = method === 'PATCH' ? { body: { role: 'member' } } : {}
    const answer = await visitor.call(path, { method, ...body })
    expect([path, answer.status]).toEqual([path, 404])
    expect(answer.text).not.toContain('Only Ada')
  }
  const change = await visitor.call('/session/account', { method: 'PUT', body: { account_id: app.accountId } })
  expect(change.status).toBe(404)
  expect((await app.call(item)).status).toBe(200)
})

test('a route that does not say who may call it stops the start', async () => {
  const failure = appVisit({
    work: false,
    routes: (server) => {
      server.addHook('onRoute', (route) => {
        if (route.url === '/app/api/overview' && route.config !== undefined) route.config = {}
      })
    },
  })
  await expect(failure).rejects.toThrow('The route /app/api/overview does not declare a role')
  expect((await httpCall(`${app.baseUrl}/app/api/session`)).status).toBe(200)
})
