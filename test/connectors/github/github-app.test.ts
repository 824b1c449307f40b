import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { apiUrl } from '../../../connectors/github/github-gateway.ts'
import { FakeApp } from '../../fakes/github/github-app.ts'
import { githubRun } from '../../fakes/github/github-run.ts'
import { GithubServer } from '../../fakes/github/github-server.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

async function openApp(prefix = '') {
  const server = await GithubServer.start({ prefix })
  const app = new FakeApp()
  Object.assign(server, { app, isInstallation: true, accepts: () => false })
  const private_key_file = join(temporaryFolder(), 'app.pem')
  writeFileSync(private_key_file, app.privateKey)
  const { fake } = server
  const shop = fake.addRepository('acme/shop')
  fake.addIssue(shop)
  const settings = { token: undefined, app_id: app.id, installation_id: app.installation, private_key_file }
  return {
    ...{ server, app, shop },
    run: (config: Record<string, unknown> = {}) => githubRun(server, { ...settings, ...config }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

describe('a GitHub App', () => {
  test('reads the repositories of its installation with one token a run', async () => {
    await using at = await openApp()
    const run = await at.run()
    expect(run.context.account).toMatchObject({ account: '7', title: 'acme' })
    expect((await run.changes('shop issues')).ids).toEqual([`gh:${at.shop.id}:issue=1`])
    expect(at.app.issued).toBe(1)
  })

  test('renews its token before it expires, and when it is revoked', async () => {
    await using at = await openApp()
    const run = await at.run()
    at.server.fake.pass(56 * 60_000)
    expect((await run.changes('shop issues')).ids).toHaveLength(1)
    expect(at.app.issued).toBe(2)
    at.app.revoke()
    expect((await run.changes('shop issues')).ids).toHaveLength(1)
    expect(at.app.issued).toBe(3)
  })

  test('works on an Enterprise server, at the address that people know', async () => {
    await using at = await openApp('/api/v3')
    at.server.fake.addPullRequest(at.shop)
    const run = await at.run({ api_url: undefined, base_url: new URL(at.server.url).origin })
    const changes = await run.changes('shop issues')
    expect(changes.ids).toHaveLength(2)
    expect(changes.ids[0]).toMatch(/^gh:[0-9a-f]{10}:\d+:issue=1$/)
    expect(await changes.text('pr=2')).toContain('src/shop.ts')
    expect(at.server.log.map(({ path }) => path)).toContain('/api/graphql')
  })

  test.each([
    ['another key', { app_id: 78 }, { remedy: 'reauthorize', message: /Check app_id, private_key_file and the clock/ }],
    ['an unknown installation', { installation_id: 1 }, { remedy: 'reconfigure', message: /has no installation 1\./ }],
    [
      'a part of its settings',
      { installation_id: undefined },
      { remedy: 'reconfigure', message: /needs all of app_id/ },
    ],
    ['no file', { private_key_file: '/nowhere.pem' }, { remedy: 'reconfigure', message: /nowhere\.pem .*ENOENT/ }],
  ])('with %s is told what to do', async (_, config, { remedy, message }) => {
    await using at = await openApp()
    await expect(at.run(config)).rejects.toMatchObject({ remedy, message: expect.stringMatching(message) })
  })

  test('that is suspended is told so, and its key is in no message', async () => {
    await using at = await openApp()
    at.app.isSuspended = true
    const failure = await at.run().catch((error: unknown) => error)
    expect(failure).toMatchObject({ remedy: 'reauthorize', message: 'Installation 4711 of the app is suspended.' })
    expect(String(failure)).not.toContain('PRIVATE KEY')
  })
})

test.each([
  ['https://github.acme.com', 'https://github.acme.com/api/v3'],
  ['https://github.acme.com/', 'https://github.acme.com/api/v3'],
  ['https://github.acme.com/api/v3/', 'https://github.acme.com/api/v3'],
  ['https://acme.ghe.com', 'https://api.acme.ghe.com'],
  ['https://github.com', 'https://api.github.com'],
])('the API of %s is at %s', (base_url, expected) => {
  expect(apiUrl({ base_url, api_url: 'https://api.github.com' })).toBe(expected)
})
