import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { text } from '../../connectors/local/folder.ts'
import { openHomeSync } from '../../src/boot/sync-home.ts'
import { homeFiles } from '../../src/config/home-folder.ts'
import { loadConfig } from '../../src/config.ts'
import { apiUrlField, connectionFields, grantFields } from '../../src/connector/connection-fields.ts'
import type { Connector } from '../../src/connector/connector.ts'
import { oauthServer } from '../fakes/oauth-server.ts'
import { runCommand } from '../lib/command-line.ts'
import { madeUpConnector } from '../lib/made-up-connector.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { madeUpProvider } from '../lib/scripted-grants.ts'
import { runWithSync } from '../lib/scripted-sync.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

const SECRET = 'made-up-client-secret'

/** A mailbox that is read by a grant. */
function mail(): Connector {
  const base = madeUpConnector({ items: new Map() }, { id: 'mail', title: 'Mail', auth: 'oauth' })
  const config = z.strictObject({ ...connectionFields(), ...grantFields(), api_url: apiUrlField('https://api.test') })
  const scopes = () => ['mail.read']
  return { ...base, manifest: { ...base.manifest, config, grant: { provider: 'made_up', family: 'office', scopes } } }
}

test('what is connected and withdrawn at the command line is told as activity, and no secret of it', async () => {
  const home = join(temporaryFolder(), 'home')
  const env = { RECALLD_HOME: home }
  await using server = await oauthServer({ clock: () => new Date(), clientSecret: SECRET, allows: ['mail.read'] })
  server.person = { account: '1001', title: 'ada@acme.test' }
  const provider = madeUpProvider({
    endpoints: ({ authUrl = '' }) => ({
      issuer: authUrl,
      authorization: `${authUrl}/authorize`,
      token: `${authUrl}/token`,
      revocation: `${authUrl}/revoke`,
    }),
    identifyAccount: async () => ({ account: '1001', title: 'ada@acme.test' }),
  })
  const recalld = async (...args: readonly string[]) => {
    const service = () =>
      openHomeSync(loadConfig({ home, file: homeFiles(home).config, env }), {
        log: recordingLog().log,
        processInfo: {
          ...{ pid: process.pid, platform: 'linux', env, userName: 'Ada' },
          userHome: '/nonexistent',
        },
        registry: { mail: async () => mail(), text: async () => text },
        providers: { made_up: async () => provider },
      })
    const stdin = Object.assign(new PassThrough(), { isTTY: false })
    stdin.end(`${SECRET}\n`)
    const openBrowser = (url: string) => void server.browse(url).then(fetch, () => undefined)
    const { code, stderr } = await runWithSync({ home, service, stdin, openBrowser }, ...args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  }
  const notes = join(temporaryFolder(), 'notes')
  mkdirSync(notes)

  await recalld('connect', 'mail', '--client-id', 'client-1', '--auth-url', server.url, '--api-url', server.url)
  await recalld('connect', 'text', '--path', notes)
  await recalld('connect', 'mail', '--account', 'ada@acme.test')
  await recalld('connect', '--revoke', 'ada@acme.test', '--yes')

  const { stdout } = await runCommand(['activity', '--json'], env)
  const byHand = { actor: { type: 'server' } }
  expect(JSON.parse(stdout)).toMatchObject([
    { kind: 'grant_removed', provider: 'made_up', account: 'ada@acme.test', ...byHand },
    { kind: 'source_connected', connection: 'text/me', ...byHand },
    { kind: 'source_connected', connection: 'mail/me', ...byHand },
    { kind: 'grant_made', provider: 'made_up', account: 'ada@acme.test', ...byHand },
    { kind: 'account_created' },
  ])
  for (const secret of [...server.secrets, SECRET, 'client-1']) expect(stdout).not.toContain(secret)
})
