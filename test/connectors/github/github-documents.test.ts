import { describe, expect, test } from 'vitest'
import type { GithubCursor } from '../../../connectors/github/github-config.ts'
import { githubRun } from '../../fakes/github/github-run.ts'
import { GithubServer } from '../../fakes/github/github-server.ts'

async function openShop(files: Readonly<Record<string, string>> = {}) {
  const server = await GithubServer.start()
  const shop = server.fake.addRepository('acme/shop')
  for (const [path, text] of Object.entries(files)) server.fake.writeFile(shop, path, text)
  const run = async (group: string, cursor?: GithubCursor, config = {}) =>
    (await githubRun(server, config)).changes(group, cursor)
  return {
    server,
    fake: server.fake,
    shop,
    documents: (cursor?: GithubCursor, config = {}) => run(':documents', cursor, config),
    releases: (cursor?: GithubCursor, config = {}) => run(':releases', cursor, config),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const FILES = {
  'README.md': '# The shop\n\nIt sells things.\n',
  'docs/how to.md': '# How to',
  'docs/deep/er/pay.rst': 'Paying',
  'docs/logo.png': 'x',
  '.github/SUPPORT.md': 'Ask.',
  LICENSE: 'Free',
  'src/shop.ts': 'sell()',
  'src/notes.md': 'not at the top',
}

describe('documents', () => {
  test('are the texts that people read of a repository', async () => {
    await using at = await openShop(FILES)
    const { items, text } = await at.documents()
    expect(items.map(({ locator }) => locator).sort()).toEqual([
      '.github/SUPPORT.md',
      'README.md',
      'docs/deep/er/pay.rst',
      'docs/how to.md',
    ])
    expect(items.find(({ locator }) => locator === 'docs/how to.md')).toMatchObject({
      itemId: `gh:${at.shop.id}:file:docs=2Fhow=20to=2Emd`,
      title: 'acme/shop: docs/how to.md',
      url: 'https://github.test/acme/shop/blob/main/docs/how%20to.md',
      where: 'acme/shop',
    })
    expect(await text('README=2Emd')).toBe('# The shop\n\nIt sells things.\n')
  })

  test('are those that the settings name', async () => {
    await using at = await openShop(FILES)
    const { items } = await at.documents(undefined, { documents: ['**/notes.md', 'license'] })
    expect(items.map(({ locator }) => locator)).toEqual(['LICENSE', 'src/notes.md'])
  })

  test('cost one request while nothing has changed, and none for what stayed the same', async () => {
    await using at = await openShop(FILES)
    const { cursor, items } = await at.documents()
    at.server.takeLog()
    expect((await at.documents(cursor)).items).toEqual([])
    expect(at.server.takeLog().map(({ path, status }) => [path.split('?')[0], status])).toEqual([
      ['/user', 200],
      ['/user/repos', 200],
      ['/repos/acme/shop/git/trees/main', 304],
    ])
    at.fake.writeFile(at.shop, 'src/shop.ts', 'buy()')
    at.fake.writeFile(at.shop, 'README.md', '# The new shop')
    const after = await at.documents(cursor)
    const known = new Set(items.map(({ revision }) => revision))
    expect(after.items.filter(({ revision }) => !known.has(revision)).map(({ locator }) => locator)).toEqual([
      'README.md',
    ])
    expect(at.server.takeLog().some(({ path }) => path.includes('/blobs/'))).toBe(false)
  })

  test('are not asked for while nobody has pushed, unless the push was just now', async () => {
    await using at = await openShop(FILES)
    const asked = () => at.server.takeLog().filter(({ path }) => path.includes('/git/')).length
    const first = await at.documents()
    at.fake.pass(10 * 60_000)
    const second = await at.documents(first.cursor)
    expect(asked()).toBe(2)
    const third = await at.documents(second.cursor)
    expect(asked()).toBe(0)
    at.fake.writeFile(at.shop, 'docs/new.md', '# New')
    expect((await at.documents(third.cursor)).items.map(({ locator }) => locator)).toContain('docs/new.md')
  })

  test('that were deleted or moved are gone', async () => {
    await using at = await openShop(FILES)
    const { cursor } = await at.documents()
    at.fake.deleteFile(at.shop, 'docs/how to.md')
    const { gone } = await at.documents(cursor)
    expect(gone).toEqual([`gh:${at.shop.id}:file:docs=2Fhow=20to=2Emd`])
    const run = await githubRun(at.server)
    expect((await run.inventory(':documents')).map(({ locator }) => locator)).not.toContain('docs/how to.md')
    const ref = { sourceType: 'github' as const, itemId: gone[0] ?? '', locator: 'docs/how to.md' }
    expect(await run.read(ref, ':documents')).toBeUndefined()
  })

  test('are all found when GitHub cuts off the tree, without looking into other folders', async () => {
    await using at = await openShop(FILES)
    for (let count = 0; count < 5; count++) at.fake.writeFile(at.shop, `src/deep/${count}/x.ts`, String(count))
    at.server.mostTreeEntries = 8
    const { items } = await at.documents()
    expect(items).toHaveLength(4)
    const trees = at.server.log.filter(({ path }) => path.includes('/git/trees/'))
    // The cut one, the top, .github, docs, docs/deep, docs/deep/er.
    expect(trees).toHaveLength(6)
    at.server.mostTreeEntries = 3
    await expect(at.documents()).rejects.toMatchObject({ remedy: 'retry' })
  })

  test('that are too large or no text are named, not taken', async () => {
    await using at = await openShop({ 'README.md': 'x'.repeat(1_000_001), CHANGELOG: 'a\0b' })
    const { failed, text } = await at.documents()
    expect(failed).toEqual(['README.md of acme/shop is larger than 1 MB.'])
    await expect(text('CHANGELOG')).rejects.toMatchObject({ remedy: 'skip' })
  })

  test('are none in an empty repository', async () => {
    await using at = await openShop()
    const { items, cursor } = await at.documents()
    expect(items).toEqual([])
    at.fake.writeFile(at.shop, 'README.md', '# The shop')
    expect((await at.documents(cursor)).items).toHaveLength(1)
  })

  test('are not taken for deleted when the token may not read them any more', async () => {
    await using at = await openShop(FILES)
    const { cursor } = await at.documents()
    at.server.faults.push({ path: /trees/, status: 404 })
    await expect(at.documents(cursor)).rejects.toMatchObject({ remedy: 'skip' })
  })
})

describe('releases', () => {
  test('are their notes, without drafts', async () => {
    await using at = await openShop()
    const release = at.fake.addRelease(at.shop, 'v1.0', 'It can pay.')
    at.fake.addRelease(at.shop, 'v2.0', 'Secret.', true)
    const { items, text } = await at.releases()
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      itemId: `gh:${at.shop.id}:rel=${release.id}`,
      title: 'acme/shop Version v1.0',
      url: 'https://github.test/acme/shop/releases/tag/v1.0',
      createdAt: release.at,
    })
    expect(await text(`rel=${release.id}`)).toBe('Release v1.0.\n\nIt can pay.\n')
  })

  test('cost one conditional request while nothing has changed', async () => {
    await using at = await openShop()
    const release = at.fake.addRelease(at.shop, 'v1.0')
    const { cursor, items } = await at.releases()
    at.server.takeLog()
    expect((await at.releases(cursor)).items).toEqual([])
    expect(at.server.takeLog().at(-1)).toMatchObject({ status: 304 })
    release.body = 'Other words.'
    const [edited] = (await at.releases(cursor)).items
    expect(edited?.revision).not.toBe(items[0]?.revision)
  })

  test('with fields that are not as documented are read, and so are the others', async () => {
    await using at = await openShop()
    for (const tag of ['v1.0', 'v2.0']) at.fake.addRelease(at.shop, tag, 'It can pay.')
    const oddFields = {
      tag_name: null,
      prerelease: 'maybe',
      draft: 0,
      created_at: 7,
      published_at: 'then',
      html_url: {},
    }
    at.server.reshape = (path, body) =>
      path.includes('/releases') && Array.isArray(body)
        ? body.map((row, n) => (n === 0 ? { ...row, ...oddFields } : row))
        : body
    expect((await at.releases(undefined, { since: '2020-01-01' })).items).toHaveLength(2)
  })

  test('that were deleted are not listed and not read any more', async () => {
    await using at = await openShop()
    const { id } = at.fake.addRelease(at.shop, 'v1.0')
    at.shop.releases.pop()
    const run = await githubRun(at.server)
    expect(await run.inventory(':releases')).toEqual([])
    const ref = { sourceType: 'github' as const, itemId: `gh:${at.shop.id}:rel=${id}` }
    expect(await run.read(ref, ':releases')).toBeUndefined()
  })

  test('begin at the day that the settings name', async () => {
    await using at = await openShop()
    at.fake.addRelease(at.shop, 'v1.0')
    at.fake.now = new Date('2026-12-02T10:00:00Z')
    const { id } = at.fake.addRelease(at.shop, 'v2.0')
    expect((await at.releases(undefined, { since: '2026-12-01' })).ids).toEqual([`gh:${at.shop.id}:rel=${id}`])
  })
})
