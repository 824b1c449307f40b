import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openSync } from '../../src/app/open-sync.ts'
import { homeFiles } from '../../src/config/home-folder.ts'
import { loadConfig } from '../../src/config.ts'
import { apiUrlField, connectionFields, grantFields } from '../../src/connector/connection-fields.ts'
import type { Connector } from '../../src/connector/connector.ts'
import type { OAuthProvider } from '../../src/connector/oauth-provider.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { takeProcessLock } from '../../src/kit/process-lock.ts'
import { madeUpConnector } from '../kit/made-up-connector.ts'
import { type OAuthServer, type OAuthServerOptions, oauthServer } from '../kit/oauth-server.ts'
import { recordingLog } from '../kit/recording-log.ts'
import { madeUpProvider } from '../kit/scripted-grants.ts'
import { runAtDesk } from '../kit/scripted-sync-desk.ts'
import { temporaryFolder } from '../kit/temporary-folder.ts'

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
  identify: async ({ accessToken, place }) => askWho(place.apiUrl ?? '', accessToken),
}

/** Whose token it is, as the API tells. */
async function askWho(api: string, token: string) {
  const response = await fetch(`${api}/me`, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new SourceError('reauthorize', 'Made Up does not take the token.')
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

interface Seat {
  readonly home: string
  readonly server: OAuthServer
  recalld(...args: readonly string[]): ReturnType<typeof runAtDesk>
  connect(...args: readonly string[]): ReturnType<typeof runAtDesk>
  connections(): string
}

/** A person at a machine with a browser; the provider, the store and config.yaml are real. */
async function seated(options: Partial<OAuthServerOptions> = {}): Promise<Seat> {
  const home = join(temporaryFolder(), 'home')
  const server = await oauthServer({ clock: () => new Date(), clientSecret: SECRET, ...options })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const env = { RECALLD_HOME: home }
  const surroundings = { pid: process.pid, platform: 'linux', env, userName: 'Ada', userHome: '/nonexistent' }
  const desk = () =>
    openSync(loadConfig({ home, file: homeFiles(home).config, env }), {
      log: recordingLog().log,
      surroundings: { ...surroundings, temporaryFolder: tmpdir() },
      registry: { mail: async () => granted('mail'), agenda: async () => granted('agenda') },
      providers: { made_up: async () => provider },
    })
  const recalld = async (...args: readonly string[]) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: false })
    stdin.end(`${SECRET}\n`)
    const openBrowser = (url: string) =>
      void server.browse(url).then(
        (back) => fetch(back),
        () => undefined,
      )
    const onOutput = (text: string) => {
      const code = /type this code there: (\w+)/.exec(text)?.[1]
      if (code !== undefined) server.typeCode(code)
    }
    const result = await runAtDesk({ home, desk, stdin, openBrowser, onOutput }, ...args)
    for (const secret of server.secrets) expect(`${result.stdout}${result.stderr}`).not.toContain(secret)
    return result
  }
  const place = ['--auth-url', server.url, '--api-url', server.url] as const
  return {
    home,
    server,
    recalld,
    connect: (...args) => recalld('connect', ...args, ...place),
    connections: () => /^connectors:\n[\s\S]*/m.exec(readFileSync(join(home, 'config.yaml'), 'utf8'))?.[0] ?? '',
  }
}

function consentsAt({ log }: OAuthServer): number {
  return log.filter(({ endpoint }) => endpoint === 'authorize').length
}

/** Everything that lies in the home, as text. */
function everythingIn(home: string): string {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => join(home, name))
  return files.flatMap((file) => (statSync(file).isFile() ? [readFileSync(file, 'latin1')] : [])).join('\n')
}

describe('recalld connect against a provider', () => {
  test('gets access in the browser, stores it sealed, checks the sources with it, and gives it back', async () => {
    const { home, server, recalld, connect, connections } = await seated()
    const { code, stdout, stderr } = await connect('made_up', ...WITH_ID)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('mail/me reads as ada@acme.test.\nagenda/me reads as ada@acme.test.\n')
    const connection = (id: string) => `  ${id}:\n    - name: me\n      api_url: ${server.url}\n`
    expect(connections()).toBe(`connectors:\n${connection('mail')}${connection('agenda')}`)
    for (const secret of server.secrets) expect(everythingIn(home)).not.toContain(secret)

    const list = await recalld('connect', '--list')
    expect(list.stdout).toContain(
      'ada@acme.test  Made Up: Mail and agenda  holds\n  connections: mail/me, agenda/me\n  scopes: ',
    )
    const revoked = await recalld('connect', '--revoke', 'ada@acme.test', '--yes')
    expect(revoked.stdout).toContain('was withdrawn.\nmail/me, agenda/me cannot be read any more.')
    expect(server.count('revoke')).toBeGreaterThan(0)
    expect((await recalld('connect', '--list')).stdout).toContain('Without access; ')
  })

  test('remembers the client, and asks for what was granted before when a source is added', async () => {
    const { server, connect, recalld } = await seated()
    await connect('mail', ...WITH_ID)
    expect((await connect('agenda')).stdout).toContain('agenda/me reads as ada@acme.test.')
    const asked = server.log.filter(({ endpoint }) => endpoint === 'authorize').map(({ form }) => form.scope)
    expect(asked).toEqual(['openid mail.read', 'openid agenda.read mail.read'])
    expect(JSON.parse((await recalld('connect', '--list', '--json')).stdout).grants).toHaveLength(1)
  })

  test('leaves out what was unticked', async () => {
    const { connect, connections } = await seated({ allows: ['openid', 'agenda.read'] })
    const { code, stdout } = await connect('made_up', ...WITH_ID)
    expect(code).toBe(0)
    expect(stdout).toContain('Left out: mail. ada@acme.test did not grant mail.read.')
    expect(connections()).not.toContain('mail:')
  })

  test('ends with what the person decided, and stores nothing', async () => {
    const { home, server, connect } = await seated()
    server.person = { ...ADA, refuses: 'access_denied' }
    const { code, stderr } = await connect('mail', ...WITH_ID)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^recalld: .+\n$/)
    expect(readdirSync(home)).not.toContain('config.yaml')
    expect((await connect('--list', '--json')).stdout).toContain('"grants": []')
  })

  test('gets access by a code that is typed elsewhere', async () => {
    const { server, connect, connections } = await seated()
    expect(server.count('device')).toBe(0)
    const { code, stdout } = await connect('mail', '--device', '--no-browser', ...WITH_ID)
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('type this code there: ') })
    expect(connections()).toContain('mail:')
  })

  test('keeps two accounts apart', async () => {
    const { server, connect, connections, recalld } = await seated()
    await connect('mail', ...WITH_ID)
    server.person = BOB
    const refused = await connect('mail')
    expect(refused.code).toBe(1)
    expect(refused.stdout).toContain('mail/me is read as ada@acme.test, and this is bob@acme.test')
    const consents = consentsAt(server)
    const named = await connect('mail', '--name', 'bob', '--account', 'bob@acme.test')
    expect(named).toMatchObject({ code: 0, stdout: expect.stringContaining('mail/bob reads as bob@acme.test.') })
    expect(consentsAt(server)).toBe(consents)
    expect(connections()).toContain('- name: me\n')
    expect(connections()).toContain('account: ada@acme.test\n')
    expect(connections()).toContain('- name: bob\n      account: bob@acme.test\n')
    const { stdout } = await recalld('connect', '--list', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      grants: [
        { ...ADA, connections: ['mail/me'] },
        { ...BOB, connections: ['mail/bob'] },
      ],
    })
  })

  test('does not give the cursors of one account to another, also when the first is not granted any more', async () => {
    const { home, server, connect, connections, recalld } = await seated()
    await connect('mail', ...WITH_ID)
    const before = connections()
    mkdirSync(home, { recursive: true })
    const lock = takeProcessLock(homeFiles(home).locks.worker, { pid: process.pid, since: new Date().toISOString() })
    if ('release' in lock) onTestFinished(() => lock.release())
    expect((await recalld('sync', 'mail', '--no-wait')).code).toBe(0)
    await recalld('connect', '--revoke', 'ada@acme.test', '--yes')
    server.person = BOB
    const { code, stdout } = await connect('mail', ...WITH_ID)
    expect(code).toBe(1)
    expect(stdout).toContain(
      'Left out: mail. The access is to bob@acme.test, but mail/me was read as ada@acme.test until now',
    )
    expect(connections()).toBe(before)
    expect((await connect('mail', '--name', 'bob')).code).toBe(0)
  })
})
