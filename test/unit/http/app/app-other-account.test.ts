import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AppVisit, appVisit } from '../../../lib/app-visit.ts'

let visit: AppVisit
let otherId: string
beforeAll(async () => {
  visit = await appVisit({ work: false })
  otherId = (await visit.service.people.createAccount({ name: 'Team', ownerId: visit.personId })).accountId
})
afterAll(() => visit[Symbol.asyncDispose]())

/** What a window says that shows the account. */
const showing = (accountId: string) => ({ 'x-account-id': accountId })
const upload = (name: string): readonly (readonly [string, string | File])[] => [
  ['source_type', 'text'],
  ['item_id', name],
  ['file', new File([`Said in ${name}.`], `${name}.txt`)],
]

describe('a window whose account was changed in another window', () => {
  test('neither uploads to the other account, nor forgets what is there, nor shows it', async () => {
    await visit.call('/library/upload', { method: 'POST', form: upload('first'), headers: showing(visit.accountId) })
    await visit.send('PUT', '/session/account', { account_id: otherId })
    await visit.call('/library/upload', { method: 'POST', form: upload('first'), headers: showing(otherId) })
    const late = { headers: showing(visit.accountId) }
    const answers = [
      await visit.call('/library/upload', { method: 'POST', form: upload('late'), ...late }),
      await visit.call('/library/text/first', { method: 'DELETE', ...late }),
      await visit.call('/library', late),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
    expect((await visit.call('/library', { headers: showing(otherId) })).body).toMatchObject({ total: 1 })
  })

  test('is told by its session which account is looked at now', async () => {
    await visit.send('PUT', '/session/account', { account_id: otherId })
    const { body } = await visit.call('/session', { headers: showing(visit.accountId) })
    expect(body).toMatchObject({ account: { id: otherId } })
  })
})
