import { describe, expect, test } from 'vitest'
import { github } from '../../../connectors/github/github.ts'
import { githubRun } from '../../fakes/github/github-run.ts'
import { GithubServer } from '../../fakes/github/github-server.ts'

const titles = async (server: GithubServer, config: Record<string, unknown> = {}) =>
  (await githubRun(server, { kinds: ['issues'], ...config })).partitions.map(({ title }) => title)

describe('the repositories that are taken', () => {
  test('are those of the person, without settings', async () => {
    await using server = await GithubServer.start()
    server.fake.addRepository('ada/notes', { archived: true })
    server.fake.addRepository('acme/.github')
    server.fake.addRepository('strange/thing', { isForeign: true })
    expect(await titles(server)).toEqual(['ada/notes issues', 'acme/.github issues'])
    expect(server.log.at(-1)?.path).toContain('affiliation=owner%2Ccollaborator')
  })

  test('are those that match the settings', async () => {
    await using server = await GithubServer.start()
    for (const name of ['acme/shop', 'acme/.github', 'acme/old-shop', 'ada/notes']) server.fake.addRepository(name)
    server.fake.addRepository('strange/thing', { isForeign: true })
    const config = { repositories: ['ACME/*', 'strange/thing'], exclude: ['acme/old-*'] }
    expect(await titles(server, config)).toEqual(['acme/shop issues', 'acme/.github issues', 'strange/thing issues'])
  })

  test('are asked for by name when they are few', async () => {
    await using server = await GithubServer.start()
    server.fake.addRepository('acme/shop')
    expect(await titles(server, { repositories: ['acme/shop', 'acme/nowhere'] })).toEqual(['acme/shop issues'])
    expect(server.log.map(({ path }) => path)).toEqual(['/user', '/repos/acme/shop', '/repos/acme/nowhere'])
  })

  test('are those that are known, where the settings name one that GitHub does not find any more', async () => {
    await using server = await GithubServer.start()
    const other = server.fake.addRepository('acme/other')
    const shop = server.fake.addRepository('acme/shop')
    const config = { repositories: ['Acme/Shop', 'acme/other'], kinds: ['issues'] }
    const known = [
      { id: `${shop.id}:issues`, title: 'acme/shop issues' },
      { id: `${other.id}:issues`, title: 'acme/other issues' },
      { id: '77:issues', title: 'acme/shopping issues' },
      { id: `${shop.id}:releases`, title: 'acme/shop releases' },
    ]
    server.fake.removeRepository(shop)
    const { context } = await githubRun(server, config)
    const run = { ...context, knownPartitions: async () => known }
    const found = async (of: typeof run) => {
      const titles: string[] = []
      for await (const { title } of github.partitions(of)) titles.push(title)
      return titles
    }
    expect(await found(run)).toEqual(['acme/other issues', 'acme/shop issues'])
    const excluding = { ...run, config: { ...run.config, exclude: ['acme/shop'] } }
    expect(await found(excluding)).toEqual(['acme/other issues'])
    const reading = github.changes(known[0]!, undefined, run)
    await expect(reading[Symbol.asyncIterator]().next()).rejects.toMatchObject({ remedy: 'skip' })
  })

  test('have a partition for each kind that they have', async () => {
    await using server = await GithubServer.start()
    const { id } = server.fake.addRepository('acme/shop', { hasDiscussions: true })
    server.fake.addRepository('acme/quiet')
    const { partitions } = await githubRun(server)
    const groups = ['issues', 'discussions', 'releases', 'documents']
    expect(partitions.slice(0, 4)).toEqual(
      groups.map((group) => ({ id: `${id}:${group}`, title: `acme/shop ${group}` })),
    )
    expect(partitions.slice(4).map(({ title }) => title)).not.toContain('acme/quiet discussions')
  })

  test('are all there, also when one of them vanishes while they are listed', async () => {
    await using server = await GithubServer.start()
    const first = server.fake.addRepository('acme/first')
    for (let count = 1; count <= 150; count++) server.fake.addRepository(`acme/shop-${count}`)
    server.meanwhile = (path) => {
      if (!/[?&]page=2/.test(path) || !server.fake.repositories.includes(first)) return
      server.fake.removeRepository(first)
    }
    // It moved from the second page to the first.
    expect(await titles(server)).toContain('acme/shop-100 issues')
  })

  test('are not taken for lost when a single sign-on hides them', async () => {
    await using server = await GithubServer.start()
    server.fake.addRepository('acme/shop')
    server.headers['x-github-sso'] = 'partial-results; organizations=21955855'
    await expect(titles(server)).rejects.toMatchObject({ remedy: 'reauthorize' })
    const names = ['acme/shop', 'acme/a', 'acme/b', 'acme/c']
    expect(await titles(server, { repositories: names })).toEqual(['acme/shop issues'])
  })
})

describe('a repository that was renamed', () => {
  test('keeps its items and its cursors, and is found by its old name', async () => {
    await using server = await GithubServer.start()
    const { fake } = server
    const shop = fake.addRepository('acme/shop')
    const issue = fake.addIssue(shop)
    const config = { repositories: ['acme/shop'] }
    const before = await (await githubRun(server, config)).changes(':issues')
    fake.rename(shop, 'initech/store')
    fake.pass(3600_000)
    fake.editIssue(issue, { title: 'Renamed too' })
    const run = await githubRun(server, config)
    expect(run.partitions[0]).toEqual({ id: `${shop.id}:issues`, title: 'initech/store issues' })
    const after = await run.changes(':issues', before.cursor)
    expect(after.ids).toEqual(before.ids)
    expect(after.items[0]?.title).toBe('initech/store#1: Renamed too')
  })

  test('is read on when that happens during a run', async () => {
    await using server = await GithubServer.start()
    const shop = server.fake.addRepository('acme/shop')
    server.fake.addIssue(shop)
    const run = await githubRun(server)
    server.fake.rename(shop, 'acme/store')
    expect((await run.changes(':issues')).ids).toEqual([`gh:${shop.id}:issue=1`])
  })

  test('is found by its number when only that is known', async () => {
    await using server = await GithubServer.start()
    const shop = server.fake.addRepository('acme/shop')
    server.fake.addIssue(shop)
    const { context } = await githubRun(server)
    const partition = { id: `${shop.id}:issues`, title: 'some/old-name issues' }
    const ref = { sourceType: 'github' as const, itemId: `gh:${shop.id}:issue=1`, partition }
    // Another run, which did not list partitions.
    expect(await github.read(ref, { ...context })).toMatchObject({ where: 'acme/shop' })
    const lost = { ...ref, partition: { id: '999:issues', title: 'acme/gone issues' } }
    await expect(github.read(lost, { ...context })).rejects.toMatchObject({ remedy: 'skip' })
  })

  test('is not confused with another one that took its name', async () => {
    await using server = await GithubServer.start()
    const shop = server.fake.addRepository('acme/shop')
    const run = await githubRun(server)
    server.fake.removeRepository(shop)
    const other = server.fake.addRepository('initech/shop', { formerNames: ['acme/shop'] })
    server.fake.addIssue(other)
    await expect(run.changes(`${shop.id}:issues`)).rejects.toMatchObject({ remedy: 'skip' })
  })
})

test('Enterprise servers keep their path, and their ids and accounts are apart from those of github.com', async () => {
  await using server = await GithubServer.start({ prefix: '/api/v3' })
  const shop = server.fake.addRepository('acme/shop', { hasDiscussions: true, private: true })
  server.fake.addIssue(shop)
  server.fake.addDiscussion(shop, 'Which colour?')
  const run = await githubRun(server)
  const { host } = new URL(server.url)
  expect(run.context.account).toMatchObject({ account: `${host}/4242`, title: `ada (${host})` })
  const { ids, items } = await run.changes(':issues')
  expect(ids[0]).toMatch(new RegExp(`^gh:[0-9a-f]{10}:${shop.id}:issue=1$`))
  expect(items[0]?.visibility).toBe('private')
  expect(await run.read({ sourceType: 'github', itemId: ids[0] ?? '' }, ':issues')).toMatchObject({
    title: 'acme/shop#1: Issue 1',
  })
  expect((await run.changes(':discussions')).ids).toHaveLength(1)
})
