import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AppVisit, appVisit, PASSWORD } from '../kit/app-visit.ts'
import { httpCall } from '../kit/http-call.ts'

let visit: AppVisit
beforeAll(async () => {
  visit = await appVisit({ work: false })
})
afterAll(() => visit[Symbol.asyncDispose]())

describe('the first person', () => {
  test('is an administrator and owner of the account of the home', async () => {
    expect(await visit.session()).toMatchObject({
      signed_in: true,
      base_url: visit.baseUrl,
      person: { login: 'ada@example.com', is_admin: true },
      account: { id: visit.accountId, role: 'owner' },
      accounts: [{ id: visit.accountId }],
      options: { first_run: false, oidc: null },
    })
  })

  test('is the last one to be made by such a link', async () => {
    expect(await visit.service.people.links.first(visit.accountId)).toBeUndefined()
  })
})

describe('sign-in by password', () => {
  test('works in any letter case of the login', async () => {
    const visitor = visit.visitor()
    await visitor.session()
    const body = { login: 'ADA@Example.com', password: PASSWORD }
    expect((await visitor.call('/sign-in/password', { method: 'POST', body })).status).toBe(200)
    expect(await visitor.session()).toMatchObject({ signed_in: true })
  })

  test('says the same of an unknown name and of a wrong password', async () => {
    const visitor = visit.visitor()
    await visitor.session()
    const sign = (login: string) =>
      visitor.call('/sign-in/password', { method: 'POST', body: { login, password: 'something else' } })
    const [unknown, wrong] = [await sign('nobody@example.com'), await sign('ada@example.com')]
    expect(unknown.status).toBe(401)
    expect(unknown.text).toBe(wrong.text)
  })
})

describe('the two doors', () => {
  test('the API refuses sessions', async () => {
    const answer = await httpCall(`${visit.baseUrl}/v1/files/list?source_type=text`, {
      headers: { cookie: visit.cookie },
    })
    expect(answer.status).toBe(401)
  })

  test('the app refuses keys', async () => {
    const answer = await httpCall(`${visit.baseUrl}/app/api/events`, { key: visit.running.key })
    expect(answer.status).toBe(401)
    const session = await httpCall(`${visit.baseUrl}/app/api/session`, { key: visit.running.key })
    expect(session.body).toMatchObject({ signed_in: false })
  })
})
