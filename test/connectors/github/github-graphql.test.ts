import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { GithubCursor } from '../../../connectors/github/github-config.ts'
import { bodyOf, githubRun } from '../../fakes/github/github-run.ts'
import { GithubServer } from '../../fakes/github/github-server.ts'

const HOUR = 3600_000
const REFUSED = { path: /graphql/, status: 403, body: { message: 'Resource not accessible by personal access token' } }

/** Pull requests and issues with everything that a query has to bring as REST does. */
async function openShop() {
  const server = await GithubServer.start()
  const { fake } = server
  const shop = fake.addRepository('acme/shop')
  for (let number = 0; number < 30; number++) {
    const issue = fake.addIssue(shop)
    fake.comment(issue, `Comment on ${issue.number}.`, number % 2 ? 'ada' : undefined)
    const pull = fake.addPullRequest(shop, { files: ['src/a.ts', 'README.md'], login: 'dependabot[bot]' })
    fake.comment(pull, 'Please look.', 'codecov[bot]')
    fake.commentOnLine(pull, 'Why this?', 'src/a.ts', '@@ -1 +1,2 @@\n before\n+the line')
    fake.review(pull, number % 2 ? 'APPROVED' : 'DISMISSED', '', 'reviewer[bot]')
    fake.review(pull, 'COMMENTED', 'It depends.')
  }
  const run = async (cursor?: GithubCursor, config: Record<string, unknown> = {}) => {
    const opened = await githubRun(server, { bots: 'include', ...config })
    return { ...(await opened.changes(':issues', cursor)), warned: opened.context.warned }
  }
  return { server, fake, shop, run, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

async function contents({ items }: Awaited<ReturnType<Awaited<ReturnType<typeof openShop>>['run']>>) {
  const bodies = await Promise.all(items.map(bodyOf))
  return items.map(({ body: _, ...item }, at) => ({ ...item, body: bodies[at] }))
}

describe('what GraphQL brings', () => {
  test('is what REST brings, item by item: ids, revisions, people and text', async () => {
    await using at = await openShop()
    const byGraphql = await contents(await at.run())
    expect(at.server.takeLog().filter(({ path }) => /pulls\/\d|issues\/\d/.test(path))).toEqual([])
    at.server.faults.push({ ...REFUSED, times: 99 })
    const byRest = await contents(await at.run())
    expect(at.server.takeLog().filter(({ path }) => /pulls\/\d+\/reviews/.test(path))).toHaveLength(30)
    expect(byRest).toHaveLength(60)
    expect(byGraphql).toEqual(byRest)
    expect(byRest.find(({ itemId }) => itemId.endsWith('pr=4'))?.body).toContain('## Approved by reviewer[bot] at')
  })

  test('is the same after a change, when only a part of the comments is known', async () => {
    await using at = await openShop()
    at.fake.pass(HOUR)
    const { cursor } = await at.run()
    at.fake.pass(HOUR)
    for (const issue of at.shop.issues.values()) at.fake.comment(issue, 'One more.')
    const pull = [...at.shop.issues.values()].find(({ isPullRequest }) => isPullRequest)
    if (pull) at.fake.commentOnLine(pull, 'And here.')
    const byGraphql = await contents(await at.run(cursor))
    at.server.faults.push({ ...REFUSED, times: 99 })
    expect(byGraphql).toEqual(await contents(await at.run(cursor)))
    expect(byGraphql).toHaveLength(60)
  })

  test('is completed by REST where a thread is longer than a page', async () => {
    await using at = await openShop()
    const pull = at.fake.addPullRequest(at.shop, {
      files: Array.from({ length: 130 }, (_, number) => `src/${number}.ts`),
    })
    for (let count = 0; count < 70; count++) at.fake.review(pull, 'COMMENTED', `Review no ${count}.`)
    at.server.takeLog()
    const text = await (await at.run()).text(`pr=${pull.number}`)
    expect(text.match(/Review no/g)).toHaveLength(70)
    expect(text.match(/^- src\//gm)).toHaveLength(100)
    expect(text).toContain('- and more')
    const single = at.server.takeLog().filter(({ path }) => path.includes(`/pulls/${pull.number}/`))
    expect(single.map(({ path }) => path.split('/').at(-1)?.split('?')[0])).toEqual(['reviews'])
  })
})

describe('an error of GraphQL', () => {
  test('about one pull request leaves the others as they are, and REST reads that one', async () => {
    await using at = await openShop()
    at.server.problems.set('acme/shop#2', { message: 'Something went wrong while executing your query.' })
    const run = await at.run()
    for (const item of run.items) await bodyOf(item)
    const single = at.server.takeLog().filter(({ path }) => /pulls\/\d/.test(path))
    expect(single.map(({ path }) => path.split('?')[0])).toEqual([
      '/repos/acme/shop/pulls/2/reviews',
      '/repos/acme/shop/pulls/2/files',
    ])
    expect(run.warned).toEqual([])
  })

  test.each([
    ['a token without access', 'FORBIDDEN', { message: 'Resource not accessible by personal access token' }],
    ['a server without GraphQL', 404, { status: 404 }],
    [
      'an older Enterprise server',
      'undefinedField',
      {
        status: 200,
        body: {
          errors: [
            {
              message: "Field 'fullDatabaseId' doesn't exist on type 'IssueComment'",
              path: ['query Threads', 'repository'],
              extensions: { code: 'undefinedField' },
            },
          ],
        },
      },
    ],
  ])('that refuses it, such as %s, is told once, and REST reads the repository', async (_, type, fault) => {
    await using at = await openShop()
    at.fake.addPullRequest(at.fake.addRepository('acme/other'))
    if ('message' in fault) at.server.problems.set('acme/shop', { type: String(type), ...fault })
    else at.server.faults.push({ path: /graphql/, times: 99, ...fault })
    const run = await at.run()
    for (const item of run.items) expect(await bodyOf(item)).toBeDefined()
    const log = at.server.takeLog()
    expect(log.filter(({ path }) => path.endsWith('/graphql')).length).toBeLessThanOrEqual(2)
    expect(log.filter(({ path }) => /pulls\/\d+\/reviews/.test(path))).toHaveLength(30)
    expect(run.failed).toEqual([])
    expect(run.warned).toEqual([expect.stringMatching(/^Pull requests of acme\/shop are read one by one/)])
  })

  test('that is a timeout makes the next queries smaller', async () => {
    await using at = await openShop()
    at.server.faults.push({ path: /graphql/, status: 502, times: 2 })
    for (let count = 0; count < 100; count++) at.fake.addPullRequest(at.shop)
    const run = await at.run()
    for (const item of run.items) expect(await bodyOf(item)).toBeDefined()
    expect(run.warned).toEqual([])
    expect(at.server.takeLog().filter(({ path, status }) => path.endsWith('/graphql') && status === 200)).not.toEqual(
      [],
    )
  })

  test('that is its rate limit is waited for, until its points are there again', async () => {
    await using at = await openShop()
    at.server.points = 0
    const { items } = await at.run()
    const pull = items.find(({ itemId }) => itemId.endsWith('pr=2'))
    await expect(pull && bodyOf(pull)).rejects.toMatchObject({ limited: true, retryAt: at.server.resetAt })
  })
})

test('a query costs few points of the 5,000 of an hour', async () => {
  await using at = await openShop()
  const { items } = await at.run()
  for (const item of items) await bodyOf(item)
  const queries = at.server.takeLog().filter(({ path }) => path.endsWith('/graphql'))
  expect(queries).toHaveLength(2)
  expect(5000 - at.server.points).toBeLessThanOrEqual(4)
})

describe('an odd row', () => {
  const odd = [
    ['no text and nobody who wrote it', { body: null, user: null, assignees: null, labels: null, milestone: 7 }],
    ['a state of the future', { state: 7, state_reason: {}, draft: 'maybe' }],
    ['no title', { title: null }],
  ] as const

  test.each(odd)('with %s is read', async (_, fields) => {
    await using at = await openShop()
    at.server.reshape = (path, body) =>
      path.includes('/issues?') && Array.isArray(body)
        ? body.map((row, n) => (n === 3 ? { ...row, ...fields } : row))
        : body
    const run = await at.run()
    expect(run.items).toHaveLength(60)
    expect(run.failed).toEqual([])
  })

  test('among the files of a pull request is left out, and the pull request is read', async () => {
    await using at = await openShop()
    at.server.problems.set('acme/shop', { type: 'FORBIDDEN', message: 'Resource not accessible' })
    at.server.reshape = (path, body) =>
      /pulls\/\d+\/files/.test(path) && Array.isArray(body) ? [{ filename: 7 }, ...body, null] : body
    const { items } = await at.run()
    const pull = items.find(({ itemId }) => itemId.endsWith('pr=2'))
    expect(pull && (await bodyOf(pull))).toContain('Changed files:\n\n- src/a.ts')
  })

  test('without a time is told, and the others of its page are read', async () => {
    await using at = await openShop()
    at.server.reshape = (path, body) =>
      path.includes('/issues?') && Array.isArray(body)
        ? body.map((row, n) => (n === 3 ? { ...row, updated_at: 0 } : row))
        : body
    const run = await at.run()
    expect(run.items).toHaveLength(59)
    expect(run.failed).toEqual(['GitHub sent it in an unexpected form (at updated_at).'])
    const { inventory } = await githubRun(at.server)
    const digest = (ids: readonly string[]) => createHash('sha256').update(ids.toSorted().join()).digest('hex')
    const listed = (await inventory(':issues')).map(({ itemId }) => itemId)
    const seen = run.changes.flatMap((change) =>
      change.type === 'item' ? [change.item.itemId] : change.type === 'failed' ? [change.ref.itemId] : [],
    )
    expect(digest(listed)).toBe(digest(seen))
  })
})
