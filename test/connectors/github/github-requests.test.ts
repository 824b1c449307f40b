import { describe, expect, test } from 'vitest'
import type { GithubCursor } from '../../../connectors/github/github-config.ts'
import { bodyOf, githubRun } from '../../fakes/github/github-run.ts'
import { GithubServer, type LoggedRequest } from '../../fakes/github/github-server.ts'

const HOUR = 3600_000

/** `[method] path` without numbers and queries, and how often. */
function counted(log: readonly LoggedRequest[]): Record<string, number> {
  const paths = log.map(({ path }) => (path.split('?')[0] ?? '').replace(/\/\d+(?=\/|$)/g, '/n'))
  return Object.fromEntries([...new Set(paths)].map((path) => [path, paths.filter((other) => other === path).length]))
}

const START = { '/user': 1, '/user/repos': 1 }

describe('requests for a repository of 2,000 issues with 3,000 comments', () => {
  async function openLargeRepository() {
    const server = await GithubServer.start()
    const { fake } = server
    const shop = fake.addRepository('acme/shop')
    for (let number = 0; number < 2000; number++) {
      const issue = fake.addIssue(shop)
      for (let count = 0; count < (number % 4) % 4; count++) fake.comment(issue, 'Me too.')
    }
    fake.pass(HOUR)
    return { server, fake, shop }
  }

  test('are few in the first run, bodies included: pages of a hundred, and one of line comments', async () => {
    const { server } = await openLargeRepository()
    await using _ = server
    const { items, cursor } = await (await githubRun(server)).changes(':issues')
    for (const item of items) await bodyOf(item)
    expect(items).toHaveLength(2000)
    // At least 20 and 30; each page after the first repeats the last second of the one before.
    expect(counted(server.takeLog())).toEqual({
      ...START,
      '/repos/acme/shop/issues': 21,
      '/repos/acme/shop/issues/comments': 31,
      '/repos/acme/shop/pulls/comments': 1,
    })

    await (await githubRun(server)).changes(':issues', cursor)
    const second = server.takeLog()
    expect(counted(second)).toEqual({ ...START, '/repos/acme/shop/issues': 1 })
    expect(second.slice(2).map(({ status }) => status)).toEqual([304])
  })

  test('are four when one issue got a comment', async () => {
    const { server, fake, shop } = await openLargeRepository()
    await using _ = server
    const before = await (await githubRun(server)).changes(':issues')
    const known = new Map(before.items.map(({ itemId, revision }) => [itemId, revision]))
    fake.comment([...shop.issues.values()][1] ?? fake.addIssue(shop), 'Solved.')
    server.takeLog()
    const after = await (await githubRun(server)).changes(':issues', before.cursor)
    const changed = after.items.filter(({ itemId, revision }) => known.get(itemId) !== revision)
    expect(changed).toHaveLength(1)
    for (const item of changed) expect(await bodyOf(item)).toContain('Solved.')
    // The three listings, and the older comments of this issue.
    expect(server.takeLog().slice(2)).toHaveLength(4)
  })

  test('are for single issues where all comments of the repository would be more', async () => {
    await using server = await GithubServer.start()
    const shop = server.fake.addRepository('acme/shop')
    const issue = server.fake.addIssue(shop)
    for (let number = 0; number < 250; number++) server.fake.comment(issue, 'Me too.')
    server.fake.now = new Date('2026-11-22T10:00:00Z')
    server.fake.comment(server.fake.addIssue(shop), 'Alone.')
    server.takeLog()
    const { items } = await (await githubRun(server, { since: '2026-11-21' })).changes(':issues')
    for (const item of items) await bodyOf(item)
    expect(items).toHaveLength(1)
    expect(counted(server.takeLog())).toEqual({
      ...START,
      '/repos/acme/shop/issues': 1,
      '/repos/acme/shop/issues/comments': 1,
      '/graphql': 1,
      '/repos/acme/shop/pulls/comments': 1,
    })
  })
})

test('requests for 50 repositories where nothing has changed are two each, free, and two more every hour', async () => {
  await using server = await GithubServer.start()
  const { fake } = server
  for (let number = 0; number < 50; number++) {
    const repository = fake.addRepository(`acme/shop-${number}`)
    fake.comment(fake.addIssue(repository), 'Me too.')
    fake.addRelease(repository, 'v1')
    fake.writeFile(repository, 'README.md', '# Shop')
  }
  const cursors = new Map<string, GithubCursor | undefined>()
  async function run() {
    const run = await githubRun(server)
    for (const { id } of run.partitions) cursors.set(id, (await run.changes(id, cursors.get(id))).cursor)
    return server.takeLog().map(({ path, status }) => `${status} ${path.split('/')[4]?.split('?')[0] ?? path}`)
  }
  fake.pass(HOUR)
  await run()
  const quarter = [...Array(50).fill('304 issues'), ...Array(50).fill('304 releases')]
  const [identity, repositories, ...asked] = await run()
  expect([identity, repositories]).toEqual(['200 /user', expect.stringMatching(/^200 \/user\/repos\?/)])
  expect(asked.sort()).toEqual(quarter)
  fake.pass(HOUR)
  const hourly = (await run()).slice(2)
  expect(hourly).toHaveLength(200)
  expect(hourly.every((line) => line.startsWith('304'))).toBe(true)
  expect((await run()).slice(2).sort()).toEqual(quarter)
})

describe('requests for pull requests', () => {
  test('are one for 25 of them: their reviews and their files', async () => {
    await using server = await GithubServer.start()
    const { fake } = server
    const shop = fake.addRepository('acme/shop')
    for (let number = 0; number < 50; number++) {
      const pull = fake.addPullRequest(shop)
      fake.comment(pull, 'Look.')
      fake.review(pull, 'COMMENTED')
      fake.commentOnLine(pull, 'Why?')
    }
    const { items } = await (await githubRun(server)).changes(':issues')
    for (const item of items) await bodyOf(item)
    expect(counted(server.takeLog())).toEqual({
      ...START,
      '/repos/acme/shop/issues': 1,
      '/repos/acme/shop/issues/comments': 1,
      '/repos/acme/shop/pulls/comments': 1,
      '/graphql': 2,
    })
  })

  test('are none for line comments where there is no review', async () => {
    await using server = await GithubServer.start()
    const { fake } = server
    const pull = fake.addPullRequest(fake.addRepository('acme/shop'))
    const { cursor } = await (await githubRun(server)).changes(':issues')
    fake.pass(HOUR)
    fake.editIssue(pull, { title: 'Other words' })
    server.takeLog()
    const { items } = await (await githubRun(server)).changes(':issues', cursor)
    for (const item of items) await bodyOf(item)
    expect(counted(server.takeLog())).not.toHaveProperty('/repos/acme/shop/pulls/n/comments')
  })
})
