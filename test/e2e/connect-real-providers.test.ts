import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { CONNECTORS } from '../../connectors/index.ts'
import { openHomeSync } from '../../src/boot/sync-home.ts'
import { homeFiles } from '../../src/config/home-folder.ts'
import { loadConfig } from '../../src/config.ts'
import { acquireProcessLock } from '../../src/lib/process-lock.ts'
import { GithubServer } from '../fakes/github/github-server.ts'
import { type OAuthGrant, type OAuthServer, type OAuthServerOptions, oauthServer } from '../fakes/oauth-server.ts'
import { SlackSimulation } from '../fakes/slack/slack-simulation.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { runWithSync } from '../lib/scripted-sync.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

const SECRET = 'made-up-client-secret'
const WITH_ID = ['--client-id', 'client-1'] as const

/** A person at a machine, with what ships; only the addresses are others. */
async function seated(options: Partial<OAuthServerOptions>) {
  const home = join(temporaryFolder(), 'home')
  const auth = await oauthServer({ clock: () => new Date(), clientSecret: SECRET, ...options })
  onTestFinished(() => auth[Symbol.asyncDispose]())
  const env = { RECALLD_HOME: home }
  const processInfo = { pid: process.pid, platform: 'linux', env, userName: 'Ada', userHome: '/nonexistent' }
  const { slack, github } = CONNECTORS
  const service = () =>
    openHomeSync(loadConfig({ home, file: homeFiles(home).config, env }), {
      log: recordingLog().log,
      processInfo,
      registry: { ...(slack && { slack }), ...(github && { github }) },
    })
  return {
    auth,
    config: () => /^connectors:\n[\s\S]*/m.exec(readFileSync(join(home, 'config.yaml'), 'utf8'))?.[0],
    /** No other process does the work of the home meanwhile, which would load the pipeline. */
    withoutWorker() {
      const since = new Date().toISOString()
      const lock = acquireProcessLock(homeFiles(home).locks.worker, { pid: process.pid, since })
      onTestFinished(() => void ('release' in lock && lock.release()))
    },
    /** @param secret typed first; then the address that the browser ends at, where that is to be pasted */
    async recalld(args: readonly string[], { secret, isPasted = false }: { secret?: string; isPasted?: boolean } = {}) {
      const stdin = Object.assign(new PassThrough(), { isTTY: false })
      if (secret !== undefined) stdin.write(`${secret}\n`)
      const openBrowser = (url: string) =>
        void auth.browse(url).then(
          (back) => (isPasted ? void stdin.end(`${back}\n`) : fetch(back)),
          () => undefined,
        )
      const onOutput = (text: string) => {
        const code = /enter this code: (\w+)/.exec(text)?.[1]
        if (code !== undefined) auth.typeCode(code)
      }
      const result = await runWithSync({ home, service, stdin, openBrowser, onOutput }, ...args)
      for (const known of auth.secrets) expect(`${result.stdout}${result.stderr}`).not.toContain(known)
      return result
    },
  }
}

/** As Slack answers: the tokens of a person in `authed_user` at first, at the top when they are renewed. */
function slackShape(): NonNullable<OAuthServerOptions['shape']> {
  const granted = new WeakSet<OAuthGrant>()
  return ({ access_token, refresh_token, expires_in, scope }, grant) => {
    const tokens = {
      access_token,
      refresh_token,
      expires_in,
      scope: String(scope).replaceAll(' ', ','),
      token_type: 'user',
    }
    const team = { ok: true, app_id: 'A1', team: { id: 'T1', name: 'Acme' } }
    if (granted.has(grant)) return { ...team, ...tokens }
    granted.add(grant)
    return { ...team, authed_user: { id: 'U0ADA', ...tokens } }
  }
}

function renewals({ log }: OAuthServer): number {
  return log.filter(({ form }) => form.grant_type === 'refresh_token').length
}

test('Slack is connected by a pasted address, and a token that rotates is renewed in the middle of a run', async () => {
  const { auth, config, recalld, withoutWorker } = await seated({ expiresIn: 12 * 3_600, shape: slackShape() })
  const refused = new Set<string>()
  let latest = ''
  const accepts = (token: string) => {
    latest = token
    return auth.accepts(token) && !refused.has(token)
  }
  await using simulation = await SlackSimulation.open({ accepts })
  for (let at = 0; at < 5; at += 1) simulation.post(`Message ${at}`, 5 - at)
  const { server } = simulation
  const place = ['--auth-url', auth.url, '--api-url', server.url]
  const asked = await recalld(['connect', 'slack', '--oauth', ...WITH_ID, ...place], { secret: SECRET, isPasted: true })
  expect(asked).toMatchObject({ code: 0, stderr: '' })
  expect(asked.stdout).toContain('at https://localhost/recalld... Copy its full address')
  expect(config()).toBe(`connectors:\n  slack:\n    - name: me\n      api_url: ${server.url}\n`)

  withoutWorker()
  server.onRequest = (method) => {
    if (method === 'conversations.history') refused.add(latest)
  }
  expect(await recalld(['sync', 'slack', '--no-wait'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('0 failed'),
  })
  expect(renewals(auth)).toBeGreaterThan(0)

  server.onRequest = undefined
  refused.add(latest)
  const before = renewals(auth)
  expect((await recalld(['sync', 'slack', '--no-wait'])).code).toBe(0)
  expect(renewals(auth)).toBe(before + 1)

  auth.withdrawAll()
  const over = await recalld(['sync', 'slack', '--no-wait'])
  expect(over.code).toBe(2)
  expect(over.stdout).toContain('"recalld connect slack --name me"')
  const again = await recalld(['connect', 'slack', '--name', 'me'], { isPasted: true })
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('with the new access.') })
  expect((await recalld(['sync', 'slack', '--no-wait'])).code).toBe(0)
})

test.each([
  ['in the browser, with a secret', []],
  ['by a code, without one', ['--device']],
])('GitHub is connected %s', async (_, how) => {
  await using github = await GithubServer.start()
  const { auth, config, recalld } = await seated({
    expiresIn: 8 * 3_600,
    shape: (answer) => ({ ...answer, scope: String(answer.scope).replaceAll(' ', ',') }),
    ...(how.length > 0 && { clientSecret: undefined }),
  })
  github.accepts = auth.accepts
  const file = join(temporaryFolder(), 'client.json')
  writeFileSync(file, JSON.stringify({ client_id: 'client-1', client_secret: SECRET }))
  const client = how.length > 0 ? WITH_ID : ['--client-file', file]
  const place = ['--auth-url', auth.url, '--api-url', github.url]
  const { code, stdout, stderr } = await recalld(['connect', 'github', '--oauth', ...how, ...client, ...place])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Connected github/me: ')
  expect(config()).toBe(`connectors:\n  github:\n    - name: me\n      api_url: ${github.url}\n`)
  expect((await recalld(['connect', '--list'])).stdout).toContain('GitHub: GitHub  valid\n  connections: github/me\n')
})
