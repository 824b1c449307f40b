import { describe, expect, test } from 'vitest'
import type { GithubCursor } from '../../../connectors/github/github-config.ts'
import { githubRun } from '../../fakes/github/github-run.ts'
import { GithubServer } from '../../fakes/github/github-server.ts'

async function openShop() {
  const server = await GithubServer.start()
  const shop = server.fake.addRepository('acme/shop', { hasDiscussions: true })
  return {
    server,
    fake: server.fake,
    shop,
    run: async (cursor?: GithubCursor, config = {}) =>
      (await githubRun(server, config)).changes(':discussions', cursor),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

describe('a discussion', () => {
  test('is its question, its comments, their replies and which of them is the answer', async () => {
    await using at = await openShop()
    const discussion = at.fake.addDiscussion(at.shop, 'Which colour?', 'Blue or green?')
    at.fake.discuss(discussion, 'Blue.', ['Why blue?', 'It is calm.'])
    at.fake.discuss(discussion, 'Green.', [], true)
    const { items, text } = await at.run()
    expect(items[0]).toMatchObject({
      itemId: `gh:${at.shop.id}:disc=1`,
      title: 'acme/shop discussion #1: Which colour?',
      url: 'https://github.test/discussions/1',
    })
    const body = await text('disc=1')
    expect(body).toMatch(/^Category: Ideas\.\n\nBlue or green\?/)
    expect(body.match(/^## \w+ by bob at|^\w+\.$|^Why.*/gm)).toEqual([
      '## Comment by bob at',
      'Blue.',
      '## Reply by bob at',
      'Why blue?',
      '## Reply by bob at',
      '## Answer by bob at',
      'Green.',
    ])
  })

  test.each(['an inventory', 'a scan'])(
    'is not missing at the end of %s that has more, and not where',
    async (listing) => {
      await using at = await openShop()
      at.fake.addDiscussion(at.shop, 'Which colour?')
      at.server.reshape = (_, body) =>
        JSON.parse(JSON.stringify(body), (name, value: unknown) =>
          name === 'pageInfo' ? { hasNextPage: true, endCursor: null } : value,
        )
      const run = await githubRun(at.server)
      const reading = listing === 'a scan' ? run.changes(':discussions') : run.inventory(':discussions')
      await expect(reading).rejects.toMatchObject({ remedy: 'retry' })
    },
  )

  test('with fields that are not as documented is still read', async () => {
    await using at = await openShop()
    at.fake.addDiscussion(at.shop, 'Which colour?', 'Blue or green?')
    at.server.reshape = (_, body) =>
      JSON.parse(JSON.stringify(body), (name, value: unknown) => (name === 'category' || name === 'url' ? 7 : value))
    const { text } = await at.run()
    expect(await text('disc=1')).toMatch(/^Blue or green\?/)
  })

  test('is without what bots comment, unless the settings want it', async () => {
    await using at = await openShop()
    const discussion = at.fake.addDiscussion(at.shop, 'Which colour?')
    at.fake.discuss(discussion, 'Welcome!', [], false, 'greeter-app')
    at.fake.discuss(discussion, 'Blue.')
    expect(await (await at.run()).text('disc=1')).not.toContain('greeter')
    expect(await (await at.run(undefined, { bots: 'include' })).text('disc=1')).toContain('## Comment by greeter-app')
  })

  test('has all of many comments and replies', async () => {
    await using at = await openShop()
    const discussion = at.fake.addDiscussion(at.shop, 'Which colour?')
    const replies = Array.from({ length: 130 }, (_, number) => `Reply no ${number}.`)
    at.fake.discuss(discussion, 'Much said.', replies)
    for (let number = 1; number < 80; number++) at.fake.discuss(discussion, `Comment no ${number}.`)
    const { ids, text } = await at.run()
    expect(ids).toEqual([`gh:${at.shop.id}:disc=1`, `gh:${at.shop.id}:disc=1:s=0001`])
    const first = await text('disc=1')
    expect(first.match(/Reply no/g)).toHaveLength(130)
    expect(first.match(/Comment no/g)).toHaveLength(59)
    expect((await text('s=0001')).match(/Comment no/g)).toHaveLength(20)
  })
})

describe('what has changed in discussions', () => {
  test('is noticed in one request when nothing has', async () => {
    await using at = await openShop()
    for (let count = 0; count < 60; count++) at.fake.addDiscussion(at.shop, `Question ${count}`)
    at.fake.pass(3600_000)
    const { ids, cursor, changes } = await at.run()
    expect(ids).toHaveLength(60)
    at.server.takeLog()
    const after = await at.run(cursor)
    expect(after.ids).toEqual([])
    expect(at.server.takeLog().filter(({ path }) => path === '/graphql')).toHaveLength(1)
    const first = changes.find(({ type }) => type === 'checkpoint')
    expect((await at.run(first?.type === 'checkpoint' ? first.cursor : undefined)).ids).toHaveLength(35)
  })

  test('includes a new comment', async () => {
    await using at = await openShop()
    const discussion = at.fake.addDiscussion(at.shop, 'Which colour?')
    at.fake.addDiscussion(at.shop, 'Which size?')
    at.fake.pass(3600_000)
    const { cursor } = await at.run()
    at.fake.discuss(discussion, 'Red.')
    const after = await at.run(cursor)
    expect(after.ids).toEqual([`gh:${at.shop.id}:disc=1`])
    expect(await after.text('disc=1')).toContain('Red.')
  })

  test('has the last 30 days first in a first sync, and then everything from the oldest on', async () => {
    await using at = await openShop()
    for (let count = 0; count < 30; count++) at.fake.addDiscussion(at.shop, `Old ${count}`)
    at.fake.pass(60 * 24 * 3600_000)
    for (let count = 0; count < 30; count++) at.fake.addDiscussion(at.shop, `New ${count}`)
    const { changes } = await at.run()
    const end = changes.findIndex((change) => change.type === 'checkpoint' && change.recentSince !== undefined)
    const recent = changes.slice(0, end).flatMap((change) => (change.type === 'item' ? [change.item.title] : []))
    expect(recent).toHaveLength(30)
    expect(recent.every((title) => title.includes('New'))).toBe(true)
    const checkpoint = changes[end]
    const rest = await at.run(checkpoint?.type === 'checkpoint' ? checkpoint.cursor : undefined)
    expect(rest.ids).toHaveLength(60)
    expect(rest.ids[0]).toBe(`gh:${at.shop.id}:disc=1`)
  })

  test('begins at the day that the settings name', async () => {
    await using at = await openShop()
    at.fake.addDiscussion(at.shop, 'Old')
    at.fake.now = new Date('2026-12-02T10:00:00Z')
    at.fake.addDiscussion(at.shop, 'New')
    expect((await at.run(undefined, { since: '2026-12-01' })).ids).toEqual([`gh:${at.shop.id}:disc=2`])
  })
})

describe('errors of GraphQL', () => {
  const answer = (type: string) => ({
    path: /graphql/,
    status: 200,
    body: { data: null, errors: [{ type, message: 'Resource not accessible. Sorry.' }] },
    headers: { 'x-ratelimit-reset': String(Date.parse('2026-11-20T10:30:00Z') / 1000) },
  })

  test.each([
    ['RATE_LIMITED', { remedy: 'retry', limited: true, retryAt: new Date('2026-11-20T10:30:00Z') }],
    ['FORBIDDEN', { remedy: 'skip' }],
    ['INSUFFICIENT_SCOPES', { remedy: 'skip' }],
    ['NOT_FOUND', { remedy: 'skip' }],
    ['INVALID_CURSOR_ARGUMENTS', { remedy: 'restart' }],
    ['SERVICE_UNAVAILABLE', { remedy: 'retry', limited: false }],
  ])('tell what to do: %s', async (type, expected) => {
    await using at = await openShop()
    at.server.faults.push(answer(type))
    await expect(at.run()).rejects.toMatchObject(expected)
  })
})
