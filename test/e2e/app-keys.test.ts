import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { regenerateKey } from '../../src/administration/regenerate-key.ts'
import { readCredentials, writeCredentials } from '../../src/config/credentials.ts'
import type { KeyList, ShownKey } from '../../src/http/app/schemas/keys.ts'
import { type AppVisit, appVisit, type SignedInVisitor } from '../lib/app-visit.ts'
import { httpCall } from '../lib/http-call.ts'

let folder: string
let visit: AppVisit
let member: SignedInVisitor
let otherOwner: SignedInVisitor
let credentials: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recalld-test-'))
  credentials = join(folder, 'credentials.json')
  visit = await appVisit({
    settings: { isBilled: true },
    door: ({ service }) => ({ keysService: { regenerate: (ref) => regenerateKey(service, ref, { credentials }) } }),
  })
  member = await visit.personFor({ role: 'member' })
  const other = await visit.service.accounts.create({ name: 'Babbage', userName: 'Charles' })
  otherOwner = await visit.personFor({ role: 'owner', accountId: other.accountId })
})
afterAll(async () => {
  await visit?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** Only the default key is left. */
beforeEach(async () => {
  for (const { id, is_default: isDefault } of await keys()) if (!isDefault) await visit.send('DELETE', `/keys/${id}`)
})

const keys = async () => (await visit.get<KeyList>('/keys')).keys
const create = (name: string, sources: ShownKey['sources'] = 'all') =>
  visit.send<ShownKey>('POST', '/keys', { name, sources })
const recallWith = async (key: string, source = 'text') => {
  const form = [['text', 'anything'] as const, ['source', source] as const]
  return (await httpCall(`${visit.baseUrl}/v1/memories/recall`, { method: 'POST', key, form })).status
}
const defaultKey = async () => {
  const found = (await keys()).find((key) => key.is_default)
  if (found === undefined) throw new Error('an account has a default key')
  return found
}

test('a further key needs a billing account, which choosing a plan opens', async () => {
  const refused = await visit.call('/keys', { method: 'POST', body: { name: 'early', sources: 'all' } })
  expect(refused.status).toBe(402)
  expect(refused.body.detail).toContain('under Settings > Usage in the app')
  await visit.send('PUT', '/billing', { plan: 'self-hosted', status: 'active' })
  expect((await create('early')).value).toMatch(/^rk_/)
})

describe('with a billing account', () => {
  beforeAll(() => visit.send('PUT', '/billing', { status: 'active' }))

  test('a new key works at once, for its sources only', async () => {
    const slack = await create('slack', ['slack'])
    expect(await recallWith(slack.value, 'slack')).toBe(200)
    expect(await recallWith(slack.value)).toBe(403)
    const none = await create('none', [])
    expect(await recallWith(none.value)).toBe(403)
    expect(await recallWith((await create('all')).value)).toBe(200)
    expect((await keys()).map(({ name, sources }) => [name, sources])).toEqual([
      ['default', 'all'],
      ['slack', ['slack']],
      ['none', []],
      ['all', 'all'],
    ])
  })

  test('of ten keys made at the same time only as many are made as there is room for', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, number) =>
        visit.call('/keys', { method: 'POST', body: { name: `key ${number}`, sources: 'all' } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(6)
    const { keys: made, most } = await visit.get<KeyList>('/keys')
    expect(made).toHaveLength(most)
  })

  test('the value is in the answer that makes it, and in no list, no event and no log', async () => {
    const events: unknown[] = []
    const leave = visit.live.subscribe(visit.accountId, (event) => events.push(event))
    const { value, id } = await create('once')
    const { value: next } = await visit.send<ShownKey>('POST', `/keys/${id}/regenerate`)
    leave()
    expect(events).toContainEqual({ type: 'keys' })
    const list = await visit.call('/keys')
    const seen = JSON.stringify([list.text, events, visit.running.logLines])
    for (const secret of [value, next]) {
      expect(seen).not.toContain(secret)
      expect(seen).not.toContain(secret.slice(3))
    }
    expect(list.headers.get('cache-control')).toBe('no-store')
    expect(Object.keys(list.body)).toEqual(['keys', 'most'])
  })

  test('a regenerated key works by its new value only', async () => {
    const before = await create('agent')
    const after = await visit.send<ShownKey>('POST', `/keys/${before.id}/regenerate`)
    expect(after).toMatchObject({ id: before.id, name: 'agent' })
    expect(await recallWith(before.value)).toBe(401)
    expect(await recallWith(after.value)).toBe(200)
  })

  test('a revoked key is refused, and revoking it again finds nothing', async () => {
    const { id, value } = await create('agent')
    await visit.send('DELETE', `/keys/${id}`)
    expect(await recallWith(value)).toBe(401)
    expect((await visit.call(`/keys/${id}`, { method: 'DELETE' })).status).toBe(404)
  })

  test('the default key cannot be revoked', async () => {
    const answer = await visit.call(`/keys/${(await defaultKey()).id}`, { method: 'DELETE' })
    expect(answer.status).toBe(409)
    expect(answer.body.detail).toContain('Regenerate it')
  })

  test('what is wrong with a new key is told by field', async () => {
    await create('agent')
    const problem = async (body: unknown) => {
      const answer = await visit.call('/keys', { method: 'POST', body })
      return `${answer.status} ${answer.body.detail}`
    }
    expect(await problem({ name: 'agent', sources: 'all' })).toMatch(/^409 .*key named agent already/)
    expect(await problem({ name: '  ', sources: 'all' })).toMatch(/^400 name must not be blank/)
    expect(await problem({ name: 'other', sources: ['nonsense'] })).toMatch(/^400 sources must be/)
    expect(await problem({ name: 'other', sources: 'all', extra: 1 })).toMatch(/^4/)
    expect(await problem({ sources: 'all' })).toMatch(/^422 name is required/)
    expect(await keys()).toHaveLength(2)
  })

  test('members see the keys of their account and change none', async () => {
    const { id } = await create('agent')
    expect((await member.get<KeyList>('/keys')).keys.map(({ name }) => name)).toEqual(['default', 'agent'])
    for (const [method, path, body] of [
      ['POST', '/keys', { name: 'mine', sources: 'all' }],
      ['POST', `/keys/${id}/regenerate`, undefined],
      ['DELETE', `/keys/${id}`, undefined],
      ['PUT', '/billing', { plan: 'starter' }],
    ] as const) {
      const answer = await member.call(path, { method, ...(body && { body }) })
      expect([path, answer.status]).toEqual([path, 403])
    }
    expect(await keys()).toHaveLength(2)
  })

  test('keys of another account are not there, whether by id or by name', async () => {
    const { id, value } = await create('agent')
    expect((await otherOwner.get<KeyList>('/keys')).keys.map(({ name }) => name)).toEqual(['default'])
    for (const key of [id, 'agent']) {
      expect((await otherOwner.call(`/keys/${key}`, { method: 'DELETE' })).status).toBe(404)
      expect((await otherOwner.call(`/keys/${key}/regenerate`, { method: 'POST' })).status).toBe(404)
    }
    expect(await recallWith(value)).toBe(200)
  })

  test('whoever is not signed in sees and changes nothing', async () => {
    expect((await visit.visitor().call('/keys')).status).toBe(401)
    expect((await visit.visitor().call('/billing')).status).toBe(401)
    const withKey = { headers: { 'x-api-key': (await create('agent')).value } }
    expect((await visit.visitor().call('/keys', withKey)).status).toBe(401)
  })
})

describe('credentials.json of this machine', () => {
  const address = 'http://127.0.0.1:7411'

  test('gets the new value of the key that it held, and stays private', async () => {
    const { id } = await defaultKey()
    const first = await visit.send<ShownKey>('POST', `/keys/${id}/regenerate`)
    writeCredentials(credentials, { baseUrl: address, apiKey: first.value })
    const second = await visit.send<ShownKey>('POST', `/keys/${id}/regenerate`)
    expect(readCredentials(credentials)).toEqual({ baseUrl: address, apiKey: second.value })
    expect(await recallWith(second.value)).toBe(200)
    if (process.platform !== 'win32') expect((await stat(credentials)).mode & 0o777).toBe(0o600)
  })

  test('is left alone when another key is regenerated, also the default key of another account', async () => {
    await visit.send('PUT', '/billing', { status: 'active' })
    const { id } = await defaultKey()
    const { value } = await visit.send<ShownKey>('POST', `/keys/${id}/regenerate`)
    writeCredentials(credentials, { baseUrl: address, apiKey: value })
    await visit.send('POST', `/keys/${(await create('agent')).id}/regenerate`)
    const [theirs] = (await otherOwner.get<KeyList>('/keys')).keys
    await otherOwner.send('POST', `/keys/${theirs?.id}/regenerate`)
    expect(readCredentials(credentials)).toEqual({ baseUrl: address, apiKey: value })
  })

  test('is not given the key of whoever regenerates one while it holds none that works', async () => {
    await writeFile(credentials, 'nonsense')
    const [theirs] = (await otherOwner.get<KeyList>('/keys')).keys
    await otherOwner.send('POST', `/keys/${theirs?.id}/regenerate`)
    expect(await readFile(credentials, 'utf8')).toBe('nonsense')
  })
})
