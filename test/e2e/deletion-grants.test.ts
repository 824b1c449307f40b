import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { homeFiles, secretKeyFile } from '../../src/config/home-folder.ts'
import { loadConfig } from '../../src/config.ts'
import { openGrants } from '../../src/connections/open-grants.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { oauthServer } from '../fakes/oauth-server.ts'
import { runCommand } from '../lib/command-line.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { madeUpProvider } from '../lib/scripted-grants.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

const SECRET = 'made-up-client-secret'

/** An account to which a person gave access at Google, which `server` stands for. */
async function accountWithGrant() {
  const server = await oauthServer({ clock: () => new Date(), clientSecret: SECRET, allows: ['mail.read'] })
  onTestFinished(() => server[Symbol.asyncDispose]())
  server.person = { account: '1001', title: 'ada@acme.test' }
  const home = join(temporaryFolder(), 'home')
  const files = homeFiles(home)
  const run = (...args: string[]) => runCommand(args, { RECALLD_HOME: home })
  const made = await run('accounts', 'create', '--name', 'Acme', '--user-name', 'Ada', '--json')
  const { account_id: accountId } = JSON.parse(made.stdout)
  const { log } = recordingLog()
  const store = await openSqliteStore({ file: files.database, log })
  // Asked as of anybody; it is ended as Google ends it.
  const provider = madeUpProvider({
    id: 'google',
    endpoints: ({ authUrl = '' }) => ({
      issuer: authUrl,
      authorization: `${authUrl}/authorize`,
      token: `${authUrl}/token`,
    }),
  })
  const { oauthGrants } = openGrants({
    store,
    memoryId: `account:${accountId}`,
    secretKeyFile: secretKeyFile(loadConfig({ home, file: files.config, env: {} })),
    clock: systemClock,
    log,
    providers: { google: async () => provider },
  })
  const started = await oauthGrants.begin({
    ...{ provider: 'google', family: 'office', scopes: ['mail.read'] },
    client: { clientId: 'client-1', clientSecret: SECRET },
    place: { authUrl: server.url },
    redirectUrl: 'http://127.0.0.1:1/',
  })
  await started.complete(await server.browse(started.url), new AbortController().signal)
  await store.close()
  return { server, accountId, remove: () => run('accounts', 'delete', accountId, '--yes', '--force') }
}

test('what a provider granted to an account that is deleted is withdrawn there', async () => {
  const { server, accountId, remove } = await accountWithGrant()
  expect(await remove()).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(accountId) })
  expect(server.count('revoke')).toBe(1)
})

test('a provider that does not answer keeps no account from being deleted, and is named', async () => {
  const { server, accountId, remove } = await accountWithGrant()
  await server[Symbol.asyncDispose]()
  expect(await remove()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(accountId),
    stderr: expect.stringContaining("granted at google, but couldn't confirm that it was revoked"),
  })
})
