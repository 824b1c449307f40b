import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { ConnectionAccess, ConnectorView, SyncDesk } from '../../src/cli/sync-contract.ts'
import { AppError } from '../../src/domain/errors.ts'
import type { GrantView } from '../../src/oauth/grant-desk.ts'
import { ADA, BOB, grantOf, grantView, type ScriptedGrants, scriptedGrants } from '../kit/scripted-grants.ts'
import { CONNECTORS, runAtDesk, scriptedDesk } from '../kit/scripted-sync-desk.ts'
import { temporaryFolder } from '../kit/temporary-folder.ts'

const SECRET = 'made-up-client-secret'
const WITH_ID = ['--client-id', 'made-up-id'] as const
const MAIL = '{name: me}'

const VIEWS: readonly ConnectorView[] = [
  ...CONNECTORS,
  view('mail', 'office', ['mail.read']),
  view('agenda', 'office', ['agenda.read']),
  view('films', 'films', ['https://made-up.test/auth/films.readonly']),
]

function view(id: string, family: string, scopes: readonly string[]): ConnectorView {
  const grant = { provider: 'made_up', family, scopes }
  const title = `${id[0]?.toUpperCase()}${id.slice(1)}`
  return { id, title, auth: 'oauth', configured: [], standalone: false, takesPaths: false, needs: 'a grant', grant }
}

function access(connector: string, settings: { name?: string; account?: string } = {}): ConnectionAccess {
  const { name = 'me', ...account } = settings
  const scopes = [`${connector}.read`]
  return { connector, name, by: 'grant', need: { provider: 'made_up', family: 'office', scopes, ...account } }
}

interface Setup {
  readonly grants?: ScriptedGrants
  readonly desk?: Partial<SyncDesk>
  readonly config?: string
  /** Nothing ends the input; a terminal has lines as they are typed. */
  readonly typed?: readonly string[]
  readonly isTerminal?: boolean
  /** What the person's browser does with the address that it is sent to; by default it is sent back. */
  readonly browser?: (address: URL) => unknown
  readonly stopRequested?: () => Promise<string>
}

async function connect(setup: Setup, ...args: readonly string[]) {
  const { grants = scriptedGrants({}), isTerminal = false, typed = [SECRET], browser = sendBack } = setup
  const home = temporaryFolder()
  const file = join(home, 'config.yaml')
  if (setup.config !== undefined) writeFileSync(file, setup.config)
  const stdin = Object.assign(new PassThrough(), { isTTY: isTerminal })
  for (const line of typed) stdin.write(`${line}${isTerminal ? '\r' : '\n'}`)
  const result = await runAtDesk(
    {
      home,
      stdin,
      desk: scriptedDesk({ connectors: async () => VIEWS, grants: async () => grants, ...setup.desk }),
      openBrowser: (url) => void browser(new URL(url)),
      ...(isTerminal && { terminal: { columns: 400 } }),
      ...(setup.stopRequested && { stopRequested: setup.stopRequested }),
    },
    'connect',
    ...args,
  )
  expect(`${result.stdout}${result.stderr}`).not.toContain(SECRET)
  return { ...result, grants, file, config: () => connectorsIn(file) }
}

/** What stands below connectors, without the comments before it. */
function connectorsIn(file: string): string {
  return /^connectors:\n[\s\S]*/m.exec(readFileSync(file, 'utf8'))?.[0] ?? ''
}

/** The person agrees: the browser follows the redirect. */
function sendBack(address: URL): Promise<string> {
  const back = new URL(address.searchParams.get('redirect_uri') ?? '')
  back.searchParams.set('state', address.searchParams.get('state') ?? '')
  back.searchParams.set('code', 'made-up-code')
  return fetch(back).then((response) => response.text())
}

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
    expect(stdout).toContain('Open this address in a browser (it was opened for you):\n\n  https://made-up.test/auth?')
    expect(stdout).toContain('ada@acme.test granted it.\n')
    expect(stdout).toContain('mail/me reads as acme (ada@acme.test).\nagenda/me reads as')
    expect(stdout).toContain('"recalld sync mail/me agenda/me" reads them now.')
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
    expect(stdout).toContain('Left out: films. You refused.\n')
    expect(config()).toBe('connectors:\n  mail:\n    - name: me\n')
  })

  test('asks for what was granted before as well, so that adding a source loses none', async () => {
    const grants = scriptedGrants({ held: [grantView({ scopes: ['openid', 'mail.read', 'mail.labels'] })] })
    const desk = { access: async () => [access('mail')] }
    await connect({ grants, desk, config: `connectors: {mail: [${MAIL}]}\n` }, 'agenda')
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
    const notes = ['This grant ends in 7 days.']
    const grants = scriptedGrants({ grant: (request) => grantOf(request, { notes }) })
    expect((await connect({ grants }, 'mail', ...WITH_ID)).stdout).toContain('Note: This grant ends in 7 days.\n')
  })

  test('leaves out the source whose scope was unticked, and connects the others', async () => {
    const grants = scriptedGrants({ grant: (request) => grantOf(request, { scopes: ['agenda.read'] }) })
    const { code, stdout, config } = await connect({ grants }, 'made_up', ...WITH_ID)
    expect(code).toBe(0)
    expect(stdout).toContain(
      'Left out: mail. ada@acme.test did not grant mail.read. "recalld connect mail" asks again.\n',
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
    const check: SyncDesk['check'] = async ({ connector }) => {
      if (connector === 'mail') throw new AppError('invalid', 'The API of Mail is off: enable it.')
      return { account: 'ada@acme.test', warnings: [] }
    }
    const before = '# mine\nconnectors:\n  # at work\n  slack: [{name: work, token: x}]\n'
    const { stdout, config, grants, file } = await connect({ desk: { check }, config: before }, 'made_up', ...WITH_ID)
    expect(stdout).toContain('Left out: mail. The API of Mail is off: enable it.\n')
    expect(config()).toBe('connectors:\n  # at work\n  slack: [{name: work, token: x}]\n  agenda:\n    - name: me\n')
    expect(readFileSync(`${file}.backup`, 'utf8')).toBe(before)
    expect(await grants.list()).toHaveLength(1)
  })

  test('leaves config.yaml as it was when every source refuses', async () => {
    const check = () => Promise.reject(new AppError('invalid', 'The API is off.'))
    const before = 'port: 8080\n'
    const { code, stdout, file } = await connect({ desk: { check }, config: before }, 'made_up', ...WITH_ID)
    expect(code).toBe(1)
    expect(stdout).toContain('Nothing was connected. What was granted is kept: "recalld connect --list" shows it.\n')
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('keeps a connection whose source cannot be reached', async () => {
    const check = () => Promise.reject(new AppError('unavailable', 'made-up.test does not answer.'))
    const { code, stdout, config } = await connect({ desk: { check } }, 'mail', ...WITH_ID)
    expect(code).toBe(0)
    expect(stdout).toContain('Note: mail/me: It could not be checked now: made-up.test does not answer.')
    expect(config()).toContain('mail:')
  })

  test('refuses a connection that has a token of its own', async () => {
    const desk = { access: async () => [{ ...access('mail'), by: 'token' as const }] }
    const { code, stderr, grants } = await connect({ desk }, 'mail', ...WITH_ID)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('another --name') })
    expect(grants.asked).toEqual([])
  })

  test.each([
    [['made_upp'], 'There is no connector made_upp. Did you mean made_up?'],
    [['made_up', '--sources', 'mial'], 'Made Up has no source mial. Did you mean mail?'],
    [['mail', '--device', ...WITH_ID], 'Made Up gives no such access by a code: leave --device out'],
    [['slack', '--oauth'], 'Slack is read with a token in this version: leave --oauth out.'],
  ])('refuses %j', async (args, sentence) => {
    expect(await connect({}, ...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
  })

  test('says of a source that needs settings where they belong', async () => {
    const views = VIEWS.map((each) =>
      each.id === 'films' ? { ...each, grant: { provider: 'made_up', family: 'films' } } : each,
    )
    const { stderr } = await connect({ desk: { connectors: async () => views } }, 'films', ...WITH_ID)
    expect(stderr).toContain('Films needs settings: a grant. Write it below connectors in config.yaml first')
  })

  test('prints JSON alone on standard output', async () => {
    const grants = scriptedGrants({ grant: (request) => grantOf(request, { scopes: ['mail.read'] }) })
    const { stdout, stderr } = await connect({ grants }, 'made_up', '--json', ...WITH_ID)
    expect(JSON.parse(stdout)).toEqual({
      grants: [expect.objectContaining({ provider: 'made_up', family: 'office', ...ADA, state: 'holds' })],
      connections: [{ connector: 'mail', name: 'me', account: 'acme (ada@acme.test)', warnings: [] }],
      left_out: [{ connector: 'agenda', reason: expect.stringContaining('did not grant agenda.read') }],
    })
    expect(stderr).toContain('https://made-up.test/auth?')
  })
})

describe('the client', () => {
  test('is asked for after its steps, on a terminal, and its secret is not shown', async () => {
    const { code, stdout, stderr, grants } = await connect({ isTerminal: true, typed: ['my-id', SECRET] }, 'mail')
    expect(code).toBe(0)
    expect(stdout).toContain('Made Up gives access to an OAuth client of your own, which you make once:\n  1. ')
    expect(stderr).toContain('Client id: ')
    expect(stderr).toContain('Client secret (it is not shown): ')
    expect(grants.asked[0]?.client).toEqual({ clientId: 'my-id', clientSecret: SECRET })
  })

  test.each(['installed', 'web', undefined])('is read from a file with the key %s', async (key) => {
    const file = join(temporaryFolder(), 'client_secret.json')
    const client = { client_id: 'in-file', client_secret: SECRET, auth_uri: 'https://made-up.test' }
    writeFileSync(file, JSON.stringify(key === undefined ? client : { [key]: client }))
    const { code, grants } = await connect({ typed: [] }, 'mail', '--client-file', file)
    expect(code).toBe(0)
    expect(grants.asked[0]?.client).toEqual({ clientId: 'in-file', clientSecret: SECRET })
  })

  test.each([
    ['{"client_secret": "made-up-client-secret"', 'client.json is no JSON.'],
    ['{"client_secret": "made-up-client-secret"}', 'client.json holds no client_id'],
  ])('is not read from %j, which is not repeated', async (content, sentence) => {
    const file = join(temporaryFolder(), 'client.json')
    writeFileSync(file, content)
    const result = await connect({}, 'mail', '--client-file', file)
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
  })

  test('that is new has its secret piped in; without one nothing is begun', async () => {
    for (const typed of [[''], ['two words']]) {
      const { code, stderr, grants, file } = await connect({ typed }, 'mail', ...WITH_ID)
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing was stored') })
      expect(stderr).not.toContain('two words')
      expect([grants.asked, existsSync(file)]).toEqual([[], false])
    }
  })

  test('has to be named where nobody can be asked', async () => {
    const { code, stderr } = await connect({ typed: [] }, 'mail')
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('give --client-id and its secret on standard input, or --client-file'),
    })
  })

  test('without a secret is fine where the provider needs none', async () => {
    const grants = scriptedGrants({ provider: { clientSecret: 'none' } })
    expect((await connect({ grants, typed: [] }, 'mail', ...WITH_ID)).code).toBe(0)
    expect(grants.asked[0]?.client).toEqual({ clientId: 'made-up-id' })
  })
})

describe('the consent', () => {
  test('is waited for beside answers to other attempts and to other paths', async () => {
    const pages: { status: number; text: string }[] = []
    const last = Promise.withResolvers<string>()
    const browser = async (address: URL) => {
      const back = address.searchParams.get('redirect_uri') ?? ''
      for (const wrong of [`${back}?state=7&code=x`, `${back}favicon.ico`, `${back}elsewhere?state=1&code=x`]) {
        const response = await fetch(wrong)
        pages.push({ status: response.status, text: await response.text() })
      }
      sendBack(address).then(last.resolve, last.reject)
    }
    const { code, grants } = await connect({ browser }, 'mail', ...WITH_ID)
    expect(code).toBe(0)
    expect(grants.redirected).toHaveLength(1)
    expect(pages.map(({ status }) => status)).toEqual([400, 404, 404])
    expect(pages[0]?.text).toContain('This is not the answer that recalld waits for')
    expect(await last.promise).toContain('You can close this window')
  })

  test('that fails says why in the browser and in the terminal, escaped, and stores nothing', async () => {
    const page = Promise.withResolvers<string>()
    const refusal = 'You refused <b>access</b>.'
    const grants = scriptedGrants({
      grant: () => {
        throw new AppError('invalid', refusal)
      },
    })
    const browser = (address: URL) => sendBack(address).then(page.resolve, page.reject)
    const { code, stderr, file } = await connect({ grants, browser }, 'mail', ...WITH_ID)
    expect({ code, stderr }).toEqual({ code: 1, stderr: `recalld: ${refusal}\n` })
    expect(await page.promise).toContain('You refused &lt;b&gt;access&lt;/b&gt;. You can close this window')
    expect(existsSync(file)).toBe(false)
  })

  test('can be pasted while it is waited for, and what is no answer is asked for again', async () => {
    const grants = scriptedGrants({})
    const typed = ['my-id', SECRET, 'https://elsewhere.test/?state=1']
    // A port that is known before: what is pasted is typed from the beginning.
    const port = '18493'
    const lines = [...typed, `http://127.0.0.1:${port}/?state=7&code=old`, `http://127.0.0.1:${port}/?state=1&code=it`]
    const setup = { grants, isTerminal: true, typed: lines, browser: () => undefined }
    const { code, stdout } = await connect(setup, 'mail', '--port', port)
    expect(code).toBe(0)
    expect(stdout).toContain(`That is not it: the address begins with http://127.0.0.1:${port}/`)
    expect(stdout).toContain('That address answers an earlier attempt')
    expect(grants.redirected).toEqual([`http://127.0.0.1:${port}/?state=1&code=it`])
  })

  test('is only pasted with --paste, and for a provider that sends nobody here', async () => {
    const url = 'https://localhost/recalld'
    const provider = { redirect: { kind: 'paste', url } as const }
    for (const [setup, args, back] of [
      [{ provider }, [], `${url}?state=1&code=it`],
      [{}, ['--paste', '--port', '8123'], 'http://127.0.0.1:8123/?state=1&code=it'],
    ] as const) {
      const grants = scriptedGrants(setup)
      const typed = [SECRET, back]
      const result = await connect({ grants, typed, browser: () => undefined }, 'mail', ...args, ...WITH_ID)
      expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('copy its whole address') })
      expect(grants.redirected).toEqual([back])
    }
  })

  test('ends with the input where nothing else can answer', async () => {
    const provider = {
      redirect: { kind: 'paste', url: 'https://localhost/recalld' } as const,
      clientSecret: 'none' as const,
    }
    const stopRequested = () => Promise.resolve('SIGTERM')
    const setup = { grants: scriptedGrants({ provider }), typed: [], browser: () => undefined, stopRequested }
    const { code, stderr } = await connect(setup, 'mail', ...WITH_ID)
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'recalld: Stopped; nothing was stored.\n' })
  })

  test.each([
    ['a signal', { typed: [SECRET], stopRequested: () => Promise.resolve('SIGTERM') }, WITH_ID],
    ['Ctrl-C', { typed: ['my-id', SECRET, '\u0003'], isTerminal: true }, []],
  ])('ends by %s', async (_, setup, args) => {
    const { code, stderr, file } = await connect({ ...setup, browser: () => undefined }, 'mail', ...args)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('Stopped; nothing was stored.') })
    expect(existsSync(file)).toBe(false)
  })

  test('is by a code with --device', async () => {
    const grants = scriptedGrants({ provider: { device: true, clientSecret: 'optional' } })
    const { code, stdout } = await connect({ grants, browser: () => undefined }, 'mail', '--device', ...WITH_ID)
    expect(code).toBe(0)
    expect(stdout).toContain('Open https://made-up.test/device and type this code there: WDJB-MJHT\n')
    expect(grants.asked).toMatchObject([{ scopes: ['mail.read'], client: { clientId: 'made-up-id' } }])
  })

  test('opens no browser with --no-browser', async () => {
    const opened: unknown[] = []
    const browser = (address: URL) => opened.push(address)
    const setup = { browser, typed: [SECRET, 'http://127.0.0.1:8124/?state=1'] }
    const args = ['mail', '--paste', '--port', '8124', '--no-browser', ...WITH_ID]
    const { code, stdout } = await connect(setup, ...args)
    expect({ code, opened }).toEqual({ code: 0, opened: [] })
    expect(stdout).toContain('Open this address in a browser:\n')
  })

  test('is not asked for again of an account that is named and granted it', async () => {
    const grants = scriptedGrants({ held: [grantView({ scopes: ['mail.read'] })] })
    const { code, stdout, config } = await connect({ grants }, 'mail', '--account', 'Ada@acme.test')
    expect({ code, asked: grants.asked }).toEqual({ code: 0, asked: [] })
    expect(stdout).toContain('ada@acme.test has granted access to Mail already.\n')
    expect(config()).toContain('mail:')
  })

  test.each<[string, Partial<GrantView>]>([
    ['is over', { refusal: 'Revoked.' }],
    ['ends', { expiresAt: new Date('2026-11-25T00:00:00Z') }],
    ['covers less', { scopes: ['agenda.read'] }],
  ])('is asked for again where the grant %s', async (_, grant) => {
    const grants = scriptedGrants({ held: [grantView(grant)] })
    await connect({ grants }, 'mail', '--account', ADA.title)
    expect(grants.asked).toMatchObject([{ account: ADA.title }])
  })
})

describe('a second account', () => {
  const ada = grantView()
  const bobs = () => scriptedGrants({ held: [ada], grant: (request) => grantOf(request, { id: 'grant-bob', ...BOB }) })
  const desk = { access: async () => [access('mail')] }
  const config = `connectors: {mail: [${MAIL}]}\n`

  test('is told apart in config.yaml, also in the connections of the first', async () => {
    const { code, file } = await connect({ grants: bobs(), desk, config }, 'mail', '--name', 'bob')
    expect(code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(
      'connectors: {mail: [{name: me, account: ada@acme.test}, {name: bob, account: bob@acme.test}]}\n',
    )
  })

  test('does not take over a connection of the first', async () => {
    const { code, stdout, file } = await connect({ grants: bobs(), desk, config }, 'mail')
    expect(code).toBe(1)
    expect(stdout).toContain(
      'Left out: mail. mail/me is read as ada@acme.test, and this is bob@acme.test: give it a name of its own by "recalld connect mail --name NAME --account bob@acme.test".\n',
    )
    expect(readFileSync(file, 'utf8')).toBe('connectors: {mail: [{name: me, account: ada@acme.test}]}\n')
  })

  test('gets the name that the person gives it on a terminal', async () => {
    const grants = scriptedGrants({ held: [ada, grantView({ id: 'grant-bob', ...BOB })] })
    const adas = { access: async () => [access('mail', { account: ADA.title })] }
    const setup = { grants, desk: adas, isTerminal: true, typed: ['no/name', 'bob'] }
    const { code, stdout, config: written } = await connect(setup, 'mail', '--account', BOB.title)
    expect(code).toBe(0)
    expect(stdout).toContain('mail/me is read as ada@acme.test, and this is bob@acme.test.\n')
    expect(stdout).toContain('A name begins with a letter or digit')
    expect(written()).toContain('    - name: bob\n      account: bob@acme.test\n')
  })

  test('is a hint for the account chooser when the connection says whose it is', async () => {
    const grants = scriptedGrants({ held: [ada, grantView({ id: 'grant-bob', ...BOB, scopes: ['agenda.read'] })] })
    const two = {
      access: async () => [access('mail', { account: ADA.title }), access('agenda', { account: BOB.title })],
    }
    await connect({ grants, desk: two, config: `connectors: {mail: [{name: me, account: ada@acme.test}]}\n` }, 'mail')
    expect(grants.asked).toMatchObject([{ account: ADA.title, scopes: ['mail.read'] }])
  })
})
