import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { ConnectionAccess } from '../../../src/connections/sync-service.ts'
import { access } from '../../lib/connecting.ts'
import { BOB, grantView, type ScriptedGrants, scriptedGrants } from '../../lib/scripted-grants.ts'
import { runWithSync, scriptedSync } from '../../lib/scripted-sync.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const LONG = 'https://made-up.test/auth/films.readonly'

interface Setup {
  readonly grants?: ScriptedGrants
  readonly connections?: readonly ConnectionAccess[]
  readonly typed?: string
  readonly isNew?: boolean
}

function run({ grants = scriptedGrants({}), connections = [], typed, isNew = false }: Setup, ...args: string[]) {
  const home = temporaryFolder()
  // Of a home that has no database, nothing is asked.
  if (!isNew) writeFileSync(join(home, 'recalld.db'), '')
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined })
  stdin.end(typed ?? '')
  const terminal = typed === undefined ? {} : { terminal: { columns: 100 } }
  const service = scriptedSync({ grants: async () => grants, access: async () => connections })
  return runWithSync({ home, stdin, service, ...terminal }, 'connect', ...args)
}

const ADAS = grantView({
  scopes: ['mail.read', LONG],
  grantedAt: new Date(Date.now() - 3 * 86_400_000),
  expiresAt: new Date(Date.now() + 4.5 * 86_400_000),
  notes: ['It ends soon.'],
})
const BOBS = grantView({ id: 'grant-bob', ...BOB, refusal: 'Made Up has ended it.' })
const CONNECTIONS = [
  access('mail', { account: 'ada@acme.test' }),
  access('agenda', { account: 'bob@acme.test' }),
  { connector: 'slack', name: 'acme', by: 'token' as const },
]

describe('recalld connect --list', () => {
  test('shows what was granted, whose it is, what it is for, until when, and what is over', async () => {
    const grants = scriptedGrants({ held: [ADAS, BOBS] })
    const { code, stdout } = await run(
      { grants, connections: [...CONNECTIONS, access('mail', { name: 'two' })] },
      '--list',
    )
    expect(code).toBe(0)
    expect(stdout).toBe(
      `ada@acme.test  Made Up: Mail and agenda  valid
  connections: mail/me
  scopes: mail.read, films.readonly
  granted 3 d ago, expires in 4 d; id grant-office-1001
  Note: It ends soon.

bob@acme.test  Made Up: Mail and agenda  no longer valid
  connections: agenda/me
  scopes: mail.read
  granted 20 d ago; id grant-bob
  Made Up has ended it. Run "recalld connect agenda --account bob@acme.test".

Connected with a token
  slack/acme

Without access (run "recalld connect" with the name to grant it)
  mail/two
`.replace('20 d', /granted (\d+ d) ago; id grant-bob/.exec(stdout)?.[1] ?? ''),
    )
  })

  test('says of what is over how the connection that it is for gets it again, under its own name', async () => {
    const connections = [access('agenda', { name: 'work', account: 'bob@acme.test' })]
    const { stdout } = await run({ grants: scriptedGrants({ held: [BOBS] }), connections }, '--list')
    expect(stdout).toContain('Run "recalld connect agenda --name work --account bob@acme.test".')
    const unused = await run({ grants: scriptedGrants({ held: [BOBS] }) }, '--list')
    expect(unused.stdout).toContain('Run "recalld connect mail --account bob@acme.test".')
  })

  test('says that there is nothing, and makes nothing', async () => {
    const grants = () => Promise.reject(new Error('the home must not be opened'))
    const service = scriptedSync({ grants })
    const { code, stdout } = await runWithSync({ home: temporaryFolder(), service }, 'connect', '--list')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'No access granted yet. Run "recalld connect" to see all sources.\n',
    })
  })

  test('prints JSON', async () => {
    const { stdout } = await run(
      { grants: scriptedGrants({ held: [BOBS] }), connections: CONNECTIONS },
      '--list',
      '--json',
    )
    expect(JSON.parse(stdout)).toEqual({
      grants: [
        {
          ...{ id: 'grant-bob', provider: 'made_up', family: 'office', account: '1002', title: 'bob@acme.test' },
          ...{ scopes: ['mail.read'], granted_at: '2026-11-01T10:00:00.000Z', expires_at: null },
          ...{ state: 'over', problem: 'Made Up has ended it.', notes: [], connections: ['agenda/me'] },
        },
      ],
      with_own_access: ['slack/acme'],
      without_access: ['mail/me'],
    })
  })
})

describe('recalld connect --revoke', () => {
  const setup = () => ({ grants: scriptedGrants({ held: [ADAS, BOBS] }), connections: CONNECTIONS })

  test('asks, withdraws every grant of the account, and says what it was for', async () => {
    const films = grantView({ family: 'films' })
    const grants = scriptedGrants({ held: [ADAS, BOBS, films] })
    const { code, stdout, stderr } = await run({ ...setup(), grants, typed: 'yes\r' }, '--revoke', 'ADA@acme.test')
    expect(code).toBe(0)
    expect(stderr).toContain('Access to ada@acme.test (made_up office): used by mail/me.\n')
    expect(stderr).toContain('Access to ada@acme.test (made_up films): not used by any connection.\n')
    expect(stdout).toContain('Revoked access to ada@acme.test (made_up office).\n')
    expect(stdout).toContain(
      'mail/me can no longer be read. Items already read stay in your memory. Run "recalld list" to see them, and "recalld forget',
    )
    expect(grants.revoked).toEqual([ADAS.id, films.id])
  })

  test.each(['no\r', '\r', '\u0003'])('does nothing after %j', async (typed) => {
    const { grants, connections } = setup()
    const { code, stderr } = await run({ grants, connections, typed }, '--revoke', 'ada@acme.test')
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was revoked.') })
    expect(grants.revoked).toEqual([])
  })

  test('wants --yes where nobody can be asked, and takes an id', async () => {
    const { grants, connections } = setup()
    const refused = await run({ grants, connections }, '--revoke', 'grant-bob')
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Add --yes to confirm') })
    const { stdout } = await run({ grants, connections }, '--revoke', 'grant-bob', '--yes', '--json')
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({ id: 'grant-bob', connections: ['agenda/me'], withdrawn: true }),
    ])
    expect(grants.revoked).toEqual(['grant-bob'])
  })

  test('says where else it has to be removed when the provider was not told', async () => {
    const held = [BOBS]
    const revoke = async () => ({ grant: BOBS, withdrawn: false })
    const { stdout } = await run({ grants: scriptedGrants({ held, revoke }) }, '--revoke', 'grant-bob', '--yes')
    expect(stdout).toContain(
      "from recalld, but made_up didn't confirm that it was revoked. Revoke it in your account settings",
    )
  })

  test('says which accounts there are, and asks which provider is meant', async () => {
    expect(await run(setup(), '--revoke', 'carl@acme.test', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No access was granted by carl@acme.test'),
    })
    const other = grantView({ id: 'grant-other', provider: 'other' })
    const grants = scriptedGrants({ held: [ADAS, other] })
    expect(await run({ grants }, '--revoke', 'ada@acme.test', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"recalld connect made_up --revoke ada@acme.test" or "recalld connect other'),
    })
    expect(await run({ grants }, 'other', '--revoke', 'ada@acme.test', '--yes')).toMatchObject({ code: 0 })
    expect(grants.revoked).toEqual(['grant-other'])
  })
})
