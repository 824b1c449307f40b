import { describe, expect, test } from 'vitest'
import { SourceError } from '../../../src/connector/source-error.ts'
import { githubRun } from '../../fakes/github/github-run.ts'
import { type GithubFault, GithubServer } from '../../fakes/github/github-server.ts'

/** The error of reading issues while the server has this fault. */
async function failure(fault: Omit<GithubFault, 'path'>): Promise<{ error: SourceError; server: GithubServer }> {
  await using server = await GithubServer.start()
  server.fake.addIssue(server.fake.addRepository('acme/shop'))
  const run = await githubRun(server)
  server.faults.push({ path: /\/issues\?/, ...fault })
  const error = await run.changes(':issues').catch((error: unknown) => error)
  if (!(error instanceof SourceError)) throw new Error('it did not fail as a source does', { cause: error })
  return { error, server }
}

const inSeconds = (server: GithubServer, seconds: number) => new Date(server.fake.now.getTime() + seconds * 1000)

describe('limits of GitHub', () => {
  test.each([403, 429])('are waited for as long as the answer says (%i)', async (status) => {
    const { error, server } = await failure({ status, headers: { 'retry-after': '73' } })
    expect(error).toMatchObject({ remedy: 'retry', limited: true, retryAt: inSeconds(server, 73) })
  })

  test('last until the hour is over, also when that is long', async () => {
    const { error } = await failure({
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.parse('2026-11-20T14:00:00Z') / 1000) },
    })
    expect(error).toMatchObject({ remedy: 'retry', limited: true, retryAt: new Date('2026-11-20T14:00:00Z') })
  })

  test('whose end our clock has passed already last a minute more', async () => {
    const { error, server } = await failure({
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.parse('2026-11-20T09:59:00Z') / 1000) },
    })
    expect(error).toMatchObject({ limited: true, retryAt: inSeconds(server, 60) })
  })

  test('that do not say how long last a minute, then two', async () => {
    await using server = await GithubServer.start()
    server.fake.addRepository('acme/shop')
    const run = await githubRun(server)
    const body = { message: 'You have exceeded a secondary rate limit.' }
    server.faults.push({ path: /issues/, status: 403, body, times: 2 })
    for (const seconds of [60, 120]) {
      const retryAt = inSeconds(server, seconds)
      await expect(run.changes(':issues')).rejects.toMatchObject({ remedy: 'retry', limited: true, retryAt })
    }
    expect((await run.changes(':issues')).failed).toEqual([])
  })

  test('are respected before they are hit', async () => {
    await using server = await GithubServer.start()
    server.fake.addRepository('acme/shop')
    const run = await githubRun(server)
    server.remaining = 1
    await expect(run.changes(':issues')).rejects.toMatchObject({ limited: true, retryAt: server.resetAt })
    expect(run.context.requests.held.get('core')).toEqual(server.resetAt)
  })
})

describe('an answer that is an error', () => {
  test.each<[string, Omit<GithubFault, 'path'>, object]>([
    ['a token that was revoked', { status: 401 }, { remedy: 'reauthorize', message: /expired or revoked/ }],
    [
      'a single sign-on',
      { status: 403, headers: { 'x-github-sso': 'required; url=https://github.com/orgs/acme/sso?x=1' } },
      { remedy: 'reauthorize', message: /at https:\/\/github\.com\/orgs\/acme\/sso\?x=1\./ },
    ],
    [
      'a permission that is missing',
      {
        status: 403,
        headers: { 'x-accepted-github-permissions': 'issues=read' },
        body: { message: 'Resource not accessible by personal access token' },
      },
      { remedy: 'skip', message: /needs the permission issues=read for .*acme\/shop\/issues/ },
    ],
    ['a repository that is lost', { status: 404 }, { remedy: 'skip', message: /acme\/shop issues can't be read/ }],
    ['a blocked repository', { status: 451 }, { remedy: 'skip', message: /legal/ }],
    ['a `since` that is refused', { status: 422 }, { remedy: 'restart' }],
    [
      'a web page',
      { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: 'Sign in' },
      { remedy: 'reconfigure', message: /set api_url/ },
    ],
    ['a server that fails', { status: 502 }, { remedy: 'retry', retryAt: undefined, limited: false }],
    ['an answer that is cut off', { isCut: true }, { remedy: 'retry', limited: false }],
    ['an answer in another form', { status: 200, body: { hello: 1 } }, { remedy: 'retry' }],
  ])('tells what to do about %s', async (_, fault, expected) => {
    const { error } = await failure(fault)
    const { message, ...rest } = { message: /./, ...expected }
    expect(error).toMatchObject(rest)
    expect(error.message).toMatch(message)
    expect(error.message).not.toContain('ghp_made_up')
  })

  test('ends with the run when there is no answer', async () => {
    await using server = await GithubServer.start()
    const { fake, faults } = server
    fake.addRepository('acme/shop')
    const ending = new AbortController()
    const run = await githubRun(server, {}, { signal: ending.signal })
    faults.push({ path: /\/issues\?/, hangs: true })
    server.meanwhile = () => setImmediate(() => ending.abort(new Error('the run ends')))
    await expect(run.changes(':issues')).rejects.toThrow('the run ends')
  })

  test('is a connection that cannot be made', async () => {
    const server = await GithubServer.start()
    await server[Symbol.asyncDispose]()
    await expect(githubRun(server)).rejects.toMatchObject({
      remedy: 'retry',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })
})

describe('the token', () => {
  test('goes to no other server by a redirect', async () => {
    await using other = await GithubServer.start()
    const { error } = await failure({ status: 301, headers: { location: `${other.url}/repositories/1/issues` } })
    expect(error).toMatchObject({ remedy: 'reconfigure' })
    expect(error.message).toContain(`to ${other.url}, where the token is not sent`)
    expect(other.log).toEqual([])
  })

  test('goes to no other server by a next page, which is asked of the same one', async () => {
    await using other = await GithubServer.start()
    await using server = await GithubServer.start()
    const shop = server.fake.addRepository('acme/shop')
    const { id } = server.fake.addRelease(shop, 'v1')
    const run = await githubRun(server)
    const link = `<${other.url}/repositories/1/releases?per_page=100&page=1>; rel="next"`
    server.faults.push({ path: /releases/, status: 200, body: [], headers: { link } })
    expect((await run.changes(':releases')).ids).toEqual([`gh:${shop.id}:rel=${id}`])
    expect(server.log.map(({ path }) => path)).toContain('/repos/acme/shop/releases?per_page=100&page=1')
    expect(other.log).toEqual([])
  })

  test('says whose it is, what it lacks and when it expires', async () => {
    await using server = await GithubServer.start()
    Object.assign(server.headers, {
      'x-oauth-scopes': 'read:user, gist',
      'github-authentication-token-expiration': '2026-11-24 12:00:00 +0200',
    })
    const { context } = await githubRun(server)
    expect(context.account).toEqual({
      account: '4242',
      title: 'ada',
      expiresAt: new Date('2026-11-24T10:00:00Z'),
      warnings: [
        'The token is missing the scope repo, so private repositories are skipped.',
        'The token expires on 2026-11-24. Create a new one before then.',
      ],
    })
  })

  test('has to be that of a person or an app that is installed somewhere', async () => {
    await using server = await GithubServer.start()
    server.isInstallation = true
    const nowhere = {
      remedy: 'reauthorize',
      message:
        "GitHub refused the request for user (403): Resource not accessible by integration. The app of this token isn't installed on any repository.",
    }
    await expect(githubRun(server)).rejects.toMatchObject(nowhere)
    for (let count = 1; count <= 101; count++) server.fake.addRepository(`acme/shop-${count}`)
    const { context, partitions } = await githubRun(server, { kinds: ['issues'] })
    // Of the organization that owns the repositories.
    expect(context.account).toMatchObject({ account: '7', title: 'acme' })
    expect(partitions).toHaveLength(101)
  })

  test('is asked for when there is none', async () => {
    await using server = await GithubServer.start()
    const asked = githubRun(server, { token: undefined })
    await expect(asked).rejects.toMatchObject({ remedy: 'reconfigure' })
  })
})

test('asks for the version of the interface that it knows', async () => {
  await using server = await GithubServer.start()
  await githubRun(server)
  expect(server.log.map(({ headers }) => headers['x-github-api-version'])).toEqual(['2022-11-28', '2022-11-28'])
})

describe('a listing that GitHub refuses', () => {
  test.each([403, 404])('fails alone and visibly; the issues are read (%i)', async (status) => {
    await using server = await GithubServer.start()
    const { fake } = server
    const shop = fake.addRepository('acme/shop')
    fake.comment(fake.addIssue(shop), 'It breaks here too.')
    const run = await githubRun(server)
    const refused = { path: /\/pulls\/comments/, status, times: 99 }
    server.faults.push(refused)
    const first = await run.changes(':issues')
    expect(first.items).toHaveLength(1)
    expect(await first.text(':issue=1')).toContain('It breaks here too.')
    expect(first.failed).toEqual(["The review comments of acme/shop can't be listed, so they are missing."])
    fake.pass(2 * 3600_000)
    fake.addIssue(shop)
    const second = await run.changes(':issues', first.cursor)
    expect(second.ids.map((id) => id.slice(-8))).toContain(':issue=2')
    server.faults.length = 0
    expect((await run.changes(':issues', second.cursor)).failed).toEqual([])
  })

  test.each(['comments', 'reviews', 'files'])(
    'is not a deletion when it is the one of the %s of one pull request',
    async (part) => {
      await using server = await GithubServer.start()
      const pull = server.fake.addPullRequest(server.fake.addRepository('acme/shop'))
      server.fake.comment(pull, 'Well done.')
      server.fake.review(pull, 'APPROVED')
      const run = await githubRun(server)
      const ref = { sourceType: 'github' as const, itemId: (await run.changes(':issues')).ids[0] ?? '' }
      expect(await run.read(ref, ':issues')).toBeDefined()
      server.faults.push({ path: new RegExp(`/(?:issues|pulls)/\\d+/${part}`), status: 404, times: 99 })
      await expect(run.read(ref, ':issues')).rejects.toMatchObject({ remedy: 'skip' })
      server.faults.push({ path: /\/issues\/\d+$/, status: 404, times: 99 })
      expect(await run.read(ref, ':issues')).toBeUndefined()
    },
  )

  test('ends the reading when it is the one of the issues', async () => {
    const { error } = await failure({ status: 404 })
    expect(error).toMatchObject({ remedy: 'skip' })
  })
})
