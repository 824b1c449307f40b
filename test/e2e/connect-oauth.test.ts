import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openHomeSync } from '../../src/boot/sync-home.ts'
import { homeFiles } from '../../src/config/home-folder.ts'
import { loadConfig } from '../../src/config.ts'
import { apiUrlField, connectionFields, grantFields } from '../../src/connector/connection-fields.ts'
import type { Connector } from '../../src/connector/connector.ts'
import type { OAuthProvider } from '../../src/connector/oauth-provider.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { acquireProcessLock } from '../../src/lib/process-lock.ts'
import { type OAuthServer, oauthServer } from '../fakes/oauth-server.ts'
import { madeUpConnector } from '../lib/made-up-connector.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { madeUpProvider } from '../lib/scripted-grants.ts'
import { runWithSync } from '../lib/scripted-sync.ts'

const SECRET = 'made-up-client-secret'
const WITH_ID = ['--client-id', 'client-1'] as const
const ADA = { account: '1001', title: 'ada@acme.test' }
const BOB = { account: '1002', title: 'bob@acme.test' }

const person = z.object({ account: z.string(), title: z.string() })

const provider: OAuthProvider = {
  ...madeUpProvider({ device: true }),
  endpoints: ({ authUrl = 'https://auth.test' }) => ({
    issuer: authUrl,
    authorization: `${authUrl}/authorize`,
    token: `${authUrl}/token`,
    deviceAuthorization: `${authUrl}/device/code`,
    revocation: `${authUrl}/revoke`,
  }),
  identifyAccount: async ({ accessToken, place }) => askWho(place.apiUrl ?? '', accessToken),
}

/** Whose token it is, as the API tells. */
async function askWho(api: string, token: string) {
  const response = await fetch(`${api}/me`, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new SourceError('reauthorize', 'Made Up rejected the token.')
  return person.parse(await response.json())
}

/** Texts of the made-up source, read by a grant. */
function granted(id: string): Connector {
  const scopes = [`${id}.read`]
  const base = madeUpConnector({ items: new Map([[id, `The ${id} of Monday.`]]) }, { id, title: id, auth: 'oauth' })
  const config = z.strictObject({ ...connectionFields(), ...grantFields(), api_url: apiUrlField('https://api.test') })
  const need = { provider: 'made_up', family: 'office' }
  return {
    ...base,
    manifest: { ...base.manifest, config, grant: { ...need, scopes: () => scopes } },
    async check({ config: settings, grants, signal }) {
      const { account, api_url: api } = config.parse(settings)
      const grant = await grants.open({ ...need, scopes, account })
      const found = await askWho(api, await grant.accessToken(signal))
      expect(found.account).toBe(grant.account)
      return { account: grant.account, title: grant.title }
    },
  }
}

/** Everything that lies in the home, as text. */
function everythingIn(home: string): string {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => join(home, name))
  return files.flatMap((file) => (statSync(file).isFile() ? [readFileSync(file, 'latin1')] : [])).join('\n')
}

/** One person at a machine with a browser, from the first attempt on; the provider, the store and config.yaml are real. */
describe('recalld connect against a provider', () => {
  const allows = ['openid', 'agenda.read']
  let folder: string
  let home: string
  let server: OAuthServer

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'recalld-test-'))
    home = join(folder, 'home')
    server = await oauthServer({ clock: () => new Date(), clientSecret: SECRET, allows })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  async function recalld(...args: readonly string[]) {
    const env = { RECALLD_HOME: home }
    const processInfo = { pid: process.pid, platform: 'linux', env, userName: 'Ada', userHome: '/nonexistent' }
    const service = () =>
      openHomeSync(loadConfig({ home, file: homeFiles(home).config, env }), {
        log: recordingLog().log,
        processInfo,
        registry: { mail: async () => granted('mail'), agenda: async () => granted('agenda') },
        providers: { made_up: async () => provider },
      })
    const stdin = Object.assign(new PassThrough(), { isTTY: false })
    stdin.end(`${SECRET}\n`)
    const openBrowser = (url: string) =>
      void server.browse(url).then(
        (back) => fetch(back),
        () => undefined,
      )
    const onOutput = (text: string) => {
      const code = /enter this code: (\w+)/.exec(text)?.[1]
      if (code !== undefined) server.typeCode(code)
    }
    const result = await runWithSync({ home, service, stdin, openBrowser, onOutput }, ...args)
    for (const secret of server.secrets) expect(`${result.stdout}${result.stderr}`).not.toContain(secret)
    return result
  }

  const connectAt = (...args: readonly string[]) =>
    recalld('connect', ...args, '--auth-url', server.url, '--api-url', server.url)
  const connections = () => /^connectors:\n[\s\S]*/m.exec(readFileSync(join(home, 'config.yaml'), 'utf8'))?.[0] ?? ''
  const asked = () => server.log.filter(({ endpoint }) => endpoint === 'authorize').map(({ form }) => form.scope)
  const listed = async () => JSON.parse((await recalld('connect', '--list', '--json')).stdout)

  test('ends with what the person decided, and stores nothing', async () => {
    server.person = { ...ADA, refuses: 'access_denied' }
    const { code, stderr } = await connectAt('mail', ...WITH_ID)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^recalld: .+\n$/)
    expect(readdirSync(home)).not.toContain('config.yaml')
    expect(await listed()).toMatchObject({ grants: [] })
    server.person = ADA
  })

  test('gets access in the browser, stores it sealed, and checks the sources; what was unticked is left out', async () => {
    const { code, stdout, stderr } = await connectAt('made_up', ...WITH_ID)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('Connected agenda/me: ada@acme.test\n')
    expect(stdout).toContain("Not connected: mail. ada@acme.test didn't grant mail.read.")
    expect(connections()).toBe(`connectors:\n  agenda:\n    - name: me\n      api_url: ${server.url}\n`)
    for (const secret of server.secrets) expect(everythingIn(home)).not.toContain(secret)
  })

  test('remembers the client and the place, and asks for what was granted before when a source is added', async () => {
    allows.push('mail.read')
    const { stdout } = await recalld('connect', 'mail')
    expect(stdout).toContain('Connected mail/me: ada@acme.test')
    expect(asked().at(-1)).toBe('openid mail.read agenda.read')
    expect(connections()).toContain(`  mail:\n    - name: me\n      api_url: ${server.url}\n`)
    expect((await recalld('connect', '--list')).stdout).toContain(
      'ada@acme.test  Made Up: Mail and agenda  valid\n  connections: agenda/me, mail/me\n  scopes: ',
    )
  })

  test('says which command gives access again when the provider has ended it, and that goes on', async () => {
    const lock = acquireProcessLock(homeFiles(home).locks.worker, { pid: process.pid, since: new Date().toISOString() })
    expect((await recalld('sync', 'mail', '--no-wait')).code).toBe(0)
    server.withdrawAll()
    expect((await recalld('sync', 'mail', '--no-wait')).code).toBe(2)
    if ('release' in lock) lock.release()
    expect((await recalld('status')).stdout).toContain('. Run "recalld connect mail".')
    expect((await recalld('connect', 'mail', '--device', '--no-browser')).stdout).toContain('with the new access.')
  })

  test('keeps two accounts apart', async () => {
    server.person = BOB
    const refused = await recalld('connect', 'mail')
    expect(refused.code).toBe(1)
    expect(refused.stdout).toContain('mail/me is already connected to ada@acme.test, and this is bob@acme.test')
    const consents = asked().length
    const named = await recalld('connect', 'mail', '--name', 'bob', '--account', 'bob@acme.test')
    expect(named).toMatchObject({ code: 0, stdout: expect.stringContaining('Connected mail/bob: bob@acme.test') })
    expect(asked()).toHaveLength(consents)
    expect(connections()).toContain('account: ada@acme.test\n')
    expect(connections()).toMatch(/- name: bob\n {6}account: bob@acme.test\n/)
    expect(await listed()).toMatchObject({
      grants: [
        { ...ADA, connections: ['agenda/me', 'mail/me'] },
        { ...BOB, connections: ['mail/bob'] },
      ],
    })
  })

  test('gives access back', async () => {
    const revoked = await recalld('connect', '--revoke', 'ada@acme.test', '--yes')
    expect(revoked.stdout).toContain('(made_up office).\nagenda/me, mail/me can no longer be read.')
    expect(server.count('revoke')).toBeGreaterThan(0)
    expect((await recalld('connect', '--list')).stdout).toContain('Without access')
  })

  test('does not give the cursors of one account to another, also when the first is not granted any more', async () => {
    const file = join(home, 'config.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/\n *account: ada@acme.test/g, ''))
    const before = connections()
    const { code, stdout } = await recalld('connect', 'mail')
    expect(code).toBe(1)
    expect(stdout).toContain('Not connected: mail. This access is for bob@acme.test, but mail/me syncs ada@acme.test.')
    expect(connections()).toBe(before)
  })
})
