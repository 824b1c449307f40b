import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { SyncService } from '../../../src/connections/sync-service.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { access, connect, SECRET, VIEWS, WITH_ID } from '../../lib/connecting.ts'
import { ADA, BOB, grantOf, grantView, scriptedGrants } from '../../lib/scripted-grants.ts'

const NO_PATHS = { standalone: false, takesPaths: false }

describe('recalld connect with a provider of OAuth', () => {
  test('asks once for the sources of its first family, and connects each', async () => {
    const { code, stdout, stderr, grants, config } = await connect({}, 'made_up', ...WITH_ID)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(grants.asked).toMatchObject([
      {
        provider: 'made_up',
        family: 'office',
        scopes: ['mail.read', 'agenda.read'],
        client: { clientId: 'made-up-id', clientSecret: SECRET },
        redirectUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
      },
    ])
    expect(grants.redirected).toEqual([expect.stringContaining('state=1&code=made-up-code')])
    expect(stdout).toContain(
      'Open this link in a browser (it should open automatically):\n\n  https://made-up.test/auth?',
    )
    expect(stdout).toContain('ada@acme.test granted access.\n')
    expect(stdout).toContain('Connected mail/me: acme (ada@acme.test)\nConnected agenda/me: ')
    expect(stdout).toContain('Run "recalld sync mail/me agenda/me" to read them now.')
    expect(stdout).toContain('Made Up asks separately for Films: "recalld connect films".\n')
    expect(config()).toBe('connectors:\n  mail:\n    - name: me\n  agenda:\n    - name: me\n')
  })

  test('takes a connector for its provider with that source alone', async () => {
    const { grants, config } = await connect({}, 'agenda', '--name', 'work', ...WITH_ID)
    expect(grants.asked).toMatchObject([{ family: 'office', scopes: ['agenda.read'] }])
    expect(config()).toBe('connectors:\n  agenda:\n    - name: work\n')
  })

  test('asks for one consent after the other where the sources are of several families, and says so', async () => {
    const { code, stdout, grants, config } = await connect(
      { typed: [SECRET, SECRET] },
      'made_up',
      '--sources',
      'films,mail',
      ...WITH_ID,
    )
    expect(code).toBe(0)
    expect(grants.asked.map(({ family, scopes }) => [family, scopes])).toEqual([
      ['office', ['mail.read']],
      ['films', ['https://made-up.test/auth/films.readonly']],
    ])
    expect(stdout).toMatch(/1 of 2: Mail and agenda\n[\s\S]*mail\.read[\s\S]*2 of 2: Films\n[\s\S]* films\.readonly\n/)
    expect(config()).toContain('films:\n    - name: me\n')
  })

  test('connects what was granted when a later consent is refused', async () => {
    const grant: Parameters<typeof scriptedGrants>[0]['grant'] = (request) => {
      if (request.family === 'films') throw new AppError('invalid', 'You refused.')
      return grantOf(request)
    }
    const setup = { grants: scriptedGrants({ grant }), typed: [SECRET, SECRET] }
    const { code, stdout, config } = await connect(setup, 'made_up', '--sources', 'mail,films', ...WITH_ID)
    expect(code).toBe(1)
    expect(stdout).toContain('Not connected: films. You refused.\n')
    expect(config()).toBe('connectors:\n  mail:\n    - name: me\n')
  })

  test('asks for what was granted before as well, so that adding a source loses none', async () => {
    const grants = scriptedGrants({ held: [grantView({ scopes: ['openid', 'mail.read', 'mail.labels'] })] })
    const service = { access: async () => [access('mail')] }
    await connect({ grants, service, config: 'connectors: {mail: [{name: me}]}\n' }, 'agenda')
    expect(grants.asked).toMatchObject([{ scopes: ['agenda.read', 'mail.read', 'mail.labels'] }])
    expect(grants.asked[0]?.client).toEqual({ clientId: 'known', clientSecret: 'known-secret' })
  })

  test('gives what was typed about the place to the provider, and the address of the API to the connections', async () => {
    const place = { authUrl: 'http://auth.test/', apiUrl: 'http://api.test/', tenant: 'acme.test', cloud: 'china' }
    const { grants, config } = await connect(
      {},
      ...['mail', '--auth-url', place.authUrl, '--api-url', place.apiUrl, '--tenant', place.tenant],
      ...['--cloud', place.cloud, '--account', 'ada@acme.test', ...WITH_ID],
    )
    expect(grants.asked).toMatchObject([{ place, account: 'ada@acme.test' }])
    expect(config()).toBe('connectors:\n  mail:\n    - name: me\n      api_url: http://api.test/\n')
  })

  test('shows at once what is to be known of a grant', async () => {
    const notes = ['Access expires in 7 days.']
    const grants = scriptedGrants({ grant: (request) => grantOf(request, { notes }) })
    expect((await connect({ grants }, 'mail', ...WITH_ID)).stdout).toContain('Note: Access expires in 7 days.\n')
  })

  test('leaves out the source whose scope was unticked, and connects the others', async () => {
    const grants = scriptedGrants({ grant: (request) => grantOf(request, { scopes: ['agenda.read'] }) })
    const { code, stdout, config } = await connect({ grants }, 'made_up', ...WITH_ID)
    expect(code).toBe(0)
    expect(stdout).toContain(
      'Not connected: mail. ada@acme.test didn\'t grant mail.read. Run "recalld connect mail" to ask again.\n',
    )
    expect(config()).toBe('connectors:\n  agenda:\n    - name: me\n')
    const named = await connect({ grants }, 'made_up', '--sources', 'mail,agenda', ...WITH_ID)
    expect(named.code).toBe(1)
  })

  test('asks the provider which scopes a grant covers', async () => {
    const hasScope = (granted: readonly string[], needed: string) => granted.includes(needed.replace(/\..*/, '.all'))
    const grants = scriptedGrants({
      provider: { hasScope },
      grant: (request) => grantOf(request, { scopes: ['mail.all', 'agenda.all'] }),
    })
    expect((await connect({ grants }, 'made_up', ...WITH_ID)).config()).toContain('mail:')
  })

  test('leaves nothing of a connection that the source refuses, and keeps the grant', async () => {
    const check: SyncService['check'] = async ({ connector }) => {
      if (connector === 'mail') throw new AppError('invalid', 'The API of Mail is disabled. Enable it.')
      return { account: 'ada@acme.test', warnings: [] }
    }
    const before = '# mine\nconnectors:\n  # at work\n  slack: [{name: work, token: x}]\n'
    const { stdout, config, grants, file } = await connect(
      { service: { check }, config: before },
      'made_up',
      ...WITH_ID,
    )
    expect(stdout).toContain('Not connected: mail. The API of Mail is disabled. Enable it.\n')
    expect(config()).toBe('connectors:\n  # at work\n  slack: [{name: work, token: x}]\n  agenda:\n    - name: me\n')
    expect(readFileSync(`${file}.backup`, 'utf8')).toBe(before)
    expect(await grants.list()).toHaveLength(1)
  })

  test('leaves config.yaml as it was when every source refuses', async () => {
    const check = () => Promise.reject(new AppError('invalid', 'The API is off.'))
    const before = 'port: 8080\n'
    const { code, stdout, file } = await connect({ service: { check }, config: before }, 'made_up', ...WITH_ID)
    expect(code).toBe(1)
    expect(stdout).toContain(
      'Nothing was connected. The granted access was kept: run "recalld connect --list" to see it.\n',
    )
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('keeps a connection whose source cannot be reached', async () => {
    const check = () => Promise.reject(new AppError('unavailable', 'made-up.test does not answer.'))
    const { code, stdout, config } = await connect({ service: { check } }, 'mail', ...WITH_ID)
    expect(code).toBe(0)
    expect(stdout).toContain("Note: mail/me: It couldn't be checked: made-up.test does not answer.")
    expect(config()).toContain('mail:')
  })

  test('refuses a connection that has a token of its own', async () => {
    const service = { access: async () => [{ ...access('mail'), by: 'token' as const }] }
    const { code, stderr, grants } = await connect({ service }, 'mail', ...WITH_ID)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('another --name') })
    expect(grants.asked).toEqual([])
  })

  test.each([
    [['made_upp'], 'Unknown connector "made_upp". Did you mean made_up?'],
    [['made_up', '--sources', 'mial'], 'Made Up has no source mial. Did you mean mail?'],
    [['mail', '--device', ...WITH_ID], "Made Up doesn't support sign-in with a code. Leave out --device"],
    [['slack', '--oauth'], 'Slack is connected with a token in this version. Leave out --oauth.'],
  ])('refuses %j', async (args, sentence) => {
    expect(await connect({}, ...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
  })

  test('is not the first choice of a connector with a token that lasts, but can be chosen', async () => {
    for (const [id, auth] of [
      ['slack', 'token'],
      ['asana', 'oauth'],
    ] as const) {
      const grant = { provider: id, family: id, scopes: ['read'] }
      const family = { id, title: id, connectors: [id] }
      const steps = { needs: 'a token', tokenSteps: ['Copy the token.'] }
      const connectors = async () => [{ id, title: id, auth, configured: [], grant, ...steps, ...NO_PATHS }]
      const grants = scriptedGrants({ provider: { id, families: [family] } })
      const typed = await connect({ service: { connectors }, typed: ['xoxp-made-up'] }, id)
      expect(typed.stdout).toContain('To connect ')
      expect(typed.config()).toContain('token_file: ')
      for (const chosen of [['--oauth', ...WITH_ID], WITH_ID]) {
        const { code, config } = await connect({ service: { connectors }, grants }, id, ...chosen)
        expect({ code, config: config() }).toEqual({ code: 0, config: `connectors:\n  ${id}:\n    - name: me\n` })
      }
      expect(grants.asked).toMatchObject([{ scopes: ['read'] }, { scopes: ['read'] }])
    }
  })

  test('says of a source that needs settings where they belong', async () => {
    const views = VIEWS.map((each) =>
      each.id === 'films' ? { ...each, grant: { provider: 'made_up', family: 'films' } } : each,
    )
    const { stderr } = await connect({ service: { connectors: async () => views } }, 'films', ...WITH_ID)
    expect(stderr).toContain('Films needs settings: a grant. Add it to connectors in config.yaml first')
  })

  test('prints JSON alone on standard output', async () => {
    const grants = scriptedGrants({ grant: (request) => grantOf(request, { scopes: ['mail.read'] }) })
    const { stdout, stderr } = await connect({ grants }, 'made_up', '--json', ...WITH_ID)
    expect(JSON.parse(stdout)).toEqual({
      grants: [expect.objectContaining({ provider: 'made_up', family: 'office', ...ADA, state: 'holds' })],
      connections: [{ connector: 'mail', name: 'me', account: 'acme (ada@acme.test)', warnings: [] }],
      left_out: [{ connector: 'agenda', reason: expect.stringContaining("didn't grant agenda.read") }],
    })
    expect(stderr).toContain('https://made-up.test/auth?')
  })
})

describe('a second account', () => {
  const ada = grantView()
  const bobs = () => scriptedGrants({ held: [ada], grant: (request) => grantOf(request, { id: 'grant-bob', ...BOB }) })
  const service = { access: async () => [access('mail')] }
  const config = 'connectors: {mail: [{name: me}]}\n'

  test('is told apart in config.yaml, also in the connections of the first', async () => {
    const { code, file } = await connect({ grants: bobs(), service, config }, 'mail', '--name', 'bob')
    expect(code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(
      'connectors: {mail: [{name: me, account: ada@acme.test}, {name: bob, account: bob@acme.test}]}\n',
    )
  })

  test('does not take over a connection of the first', async () => {
    const { code, stdout, file } = await connect({ grants: bobs(), service, config }, 'mail')
    expect(code).toBe(1)
    expect(stdout).toContain(
      'Not connected: mail. mail/me is already connected to ada@acme.test, and this is bob@acme.test. Run "recalld connect mail --name NAME --account bob@acme.test" to choose another name.\n',
    )
    expect(readFileSync(file, 'utf8')).toBe('connectors: {mail: [{name: me, account: ada@acme.test}]}\n')
  })

  test('gets the name that the person gives it on a terminal', async () => {
    const grants = scriptedGrants({ held: [ada, grantView({ id: 'grant-bob', ...BOB })] })
    const adas = { access: async () => [access('mail', { account: ADA.title })] }
    const setup = { grants, service: adas, isTerminal: true, typed: ['no/name', 'bob'] }
    const { code, stdout, config: written } = await connect(setup, 'mail', '--account', BOB.title)
    expect(code).toBe(0)
    expect(stdout).toContain('mail/me is already connected to ada@acme.test, and this is bob@acme.test.\n')
    expect(stdout).toContain('It must start with a letter or digit')
    expect(written()).toContain('    - name: bob\n      account: bob@acme.test\n')
  })

  test('is a hint for the account chooser when the connection says whose it is', async () => {
    const grants = scriptedGrants({ held: [ada, grantView({ id: 'grant-bob', ...BOB, scopes: ['agenda.read'] })] })
    const two = {
      access: async () => [access('mail', { account: ADA.title }), access('agenda', { account: BOB.title })],
    }
    await connect(
      { grants, service: two, config: `connectors: {mail: [{name: me, account: ada@acme.test}]}\n` },
      'mail',
    )
    expect(grants.asked).toMatchObject([{ account: ADA.title, scopes: ['mail.read'] }])
  })
})
