import { existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { SyncService } from '../../../src/connections/sync-service.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { runCommand } from '../../lib/command-line.ts'
import { CONNECTORS, runWithSync, type Seat, scriptedSync } from '../../lib/scripted-sync.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const TOKEN = 'xoxp-1234567890-made-up-by-a-test'

const CONFIG = `# My settings
port: 8080 # behind the proxy

connectors:
  # at work
  slack: [{name: work, token: \${SLACK_TOKEN}}]

# the end
`

/** Standard input with these bytes in it. */
function input(text: string, isTTY = false) {
  const stream = Object.assign(new PassThrough(), { isTTY })
  stream.end(text)
  return stream
}

interface Setup {
  readonly config?: string
  readonly service?: Partial<SyncService>
  readonly typed?: string
  readonly terminal?: Seat['terminal']
}

async function connect({ config, service, typed = `${TOKEN}\n`, terminal }: Setup, ...args: readonly string[]) {
  const home = temporaryFolder()
  const file = join(home, 'config.yaml')
  if (config !== undefined) writeFileSync(file, config)
  const stdin = input(typed, terminal !== undefined)
  const seat = { home, stdin, service: scriptedSync(service ?? {}), ...(terminal && { terminal }) }
  const result = await runWithSync(seat, 'connect', ...args)
  expect(`${result.stdout}${result.stderr}`).not.toContain(TOKEN)
  const name = args.includes('--name') ? args[args.indexOf('--name') + 1] : 'me'
  const token = join(home, 'tokens', `${args[0]}-${name}`)
  return { ...result, home, file, token, config: () => readFileSync(file, 'utf8') }
}

describe('recalld connect', () => {
  test('lists the connectors, what each needs, and what is configured', async () => {
    const configured = (id: string) => (id === 'slack' ? ['acme', 'beta'] : [])
    const connectors = async () => CONNECTORS.map((view) => ({ ...view, configured: configured(view.id) }))
    const service = scriptedSync({ connectors })
    const { code, stdout } = await runWithSync({ home: temporaryFolder(), service }, 'connect')
    expect(code).toBe(0)
    expect(stdout).toContain('slack           Slack        acme, beta  a user token\n')
    expect(stdout).toContain('claude_code     Claude Code  -           nothing\n')
  })

  test('refuses a connector that there is not, and a name that cannot be one', async () => {
    expect(await connect({}, 'slak')).toMatchObject({
      code: 1,
      stderr: 'recalld: Unknown connector "slak". Did you mean slack?\n',
    })
    expect(await connect({}, 'Claude')).toMatchObject({ stderr: expect.stringContaining('Did you mean claude_code?') })
    const { code, stderr } = await connect({}, 'slack', '--name', '../acme')
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('start with a letter or digit') })
  })
})

describe('a setting on the command line', () => {
  test('is saved beside the token file', async () => {
    const { code, config } = await connect(
      {},
      'slack',
      '--set',
      'exclude=[random, "build: ci"]',
      '--set',
      'since=2026-01-01',
    )
    expect(code).toBe(0)
    const [entry] = parse(config()).connectors.slack
    expect(entry).toMatchObject({ name: 'me', exclude: ['random', 'build: ci'], since: '2026-01-01' })
  })

  test('is refused when it is none, when it is no YAML, and when it is a secret', async () => {
    for (const [given, problem] of [
      ['exclude', 'It must be a setting and its value'],
      ['exclude=[', 'The value of exclude must be YAML'],
      ['token=xoxp', 'Tokens and passwords are never arguments'],
    ] as const) {
      const { code, stderr } = await connect({}, 'slack', '--set', given)
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) })
    }
  })
})

describe('recalld connect slack', () => {
  test('tells the steps, stores the token for its owner only, and says whose account it is', async () => {
    const { code, stdout, home, token, config } = await connect({}, 'slack')
    expect(code).toBe(0)
    expect(stdout).toMatch(/1\. .*https:\/\/api\.slack\.com\/apps[\s\S]*2\. .*User OAuth Token/)
    expect(stdout).toContain('Connected slack/me: acme (ada@acme.test)\n')
    expect(stdout).toContain('Run "recalld sync slack/me" to read it now.')
    expect(token).toBe(join(home, 'tokens', 'slack-me'))
    expect(readFileSync(token, 'utf8')).toBe(`${TOKEN}\n`)
    expect([statSync(token).mode & 0o777, statSync(join(home, 'tokens')).mode & 0o777]).toEqual([0o600, 0o700])
    expect(config()).toContain('#port: 7411')
    expect(config()).toMatch(new RegExp(`\nconnectors:\n  slack:\n    - name: me\n      token_file: ${token}\n$`))
  })

  test('does not show on a terminal what is typed', async () => {
    const setup = { typed: `wrong${'\u007f'.repeat(5)}${TOKEN}\r`, terminal: { columns: 80 } }
    const { code, stdout, stderr, token } = await connect(setup, 'slack')
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Token (hidden): \n' })
    expect(stdout + stderr).not.toContain('wrong')
    expect(readFileSync(token, 'utf8')).toBe(`${TOKEN}\n`)
  })

  test('stores nothing after Ctrl-C, without a token, and with something that is none', async () => {
    const terminal = { columns: 80 }
    for (const setup of [{ typed: '\u0003', terminal }, { typed: '' }, { typed: '\n' }, { typed: 'two words\n' }]) {
      const { code, stderr, home } = await connect(setup, 'slack')
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was saved') })
      expect(stderr).not.toContain('two words')
      expect([existsSync(join(home, 'tokens')), existsSync(join(home, 'config.yaml'))]).toEqual([false, false])
    }
  })

  test('takes the first line of a pipe, also when it does not end', async () => {
    expect(readFileSync((await connect({ typed: `  ${TOKEN} \nmore\n` }, 'slack')).token, 'utf8')).toBe(`${TOKEN}\n`)
    expect(readFileSync((await connect({ typed: TOKEN }, 'slack')).token, 'utf8')).toBe(`${TOKEN}\n`)
  })

  test('keeps comments, references and other connections of config.yaml, and the file as it was beside it', async () => {
    const { code, file, token, config } = await connect({ config: CONFIG }, 'slack', '--name', 'acme')
    expect(code).toBe(0)
    expect(config()).toBe(
      CONFIG.replace(`{name: work, token: \${SLACK_TOKEN}}`, (work) => `${work}, {name: acme, token_file: ${token}}`),
    )
    expect(readFileSync(`${file}.backup`, 'utf8')).toBe(CONFIG)
    expect(statSync(`${file}.backup`).mode & 0o777).toBe(0o600)
  })

  test('replaces the token of a connection that it made, and leaves config.yaml as it is', async () => {
    const home = temporaryFolder()
    const again = (typed: string) => runWithSync({ home, stdin: input(typed) }, 'connect', 'slack')
    await again('xoxp-first\n')
    const before = readFileSync(join(home, 'config.yaml'), 'utf8')
    expect((await again('xoxp-second\n')).code).toBe(0)
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(before)
    expect(readFileSync(join(home, 'tokens', 'slack-me'), 'utf8')).toBe('xoxp-second\n')
  })

  test('refuses a connection whose token stands elsewhere', async () => {
    const { code, stderr, config } = await connect({ config: CONFIG }, 'slack', '--name', 'work')
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('another --name') })
    expect(config()).toBe(CONFIG)
  })

  test('leaves nothing behind when the source refuses the token', async () => {
    const check = () => Promise.reject(new AppError('unauthenticated', 'Slack refused the token (invalid_auth).'))
    const { code, stderr, token, config } = await connect({ config: CONFIG, service: { check } }, 'slack')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'recalld: Slack refused the token (invalid_auth). Nothing was saved.\n',
    })
    expect([existsSync(token), config()]).toEqual([false, CONFIG])
  })

  test('keeps it when the source cannot be reached', async () => {
    const check = () => Promise.reject(new AppError('unavailable', 'slack.com does not answer.'))
    const { code, stdout, token } = await connect({ service: { check } }, 'slack')
    expect({ code, stored: existsSync(token) }).toEqual({ code: 0, stored: true })
    expect(stdout).toContain("Note: It couldn't be checked: slack.com does not answer.")
  })

  test('shows the warnings of the check', async () => {
    const check = async () => ({ account: 'acme', warnings: ['The scope im:history is missing.'] })
    expect((await connect({ service: { check } }, 'slack')).stdout).toContain(
      'Note: The scope im:history is missing.\n',
    )
  })

  test('writes the file that a link leads to', async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, 'elsewhere'))
    writeFileSync(join(home, 'elsewhere', 'mine.yaml'), CONFIG)
    symlinkSync(join(home, 'elsewhere', 'mine.yaml'), join(home, 'config.yaml'))
    expect((await runWithSync({ home, stdin: input('xoxp-1\n') }, 'connect', 'slack')).code).toBe(0)
    expect(lstatSync(join(home, 'config.yaml')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(home, 'elsewhere', 'mine.yaml'), 'utf8')).toContain('name: me')
  })

  test.each([
    ['connectors:\n', 'connectors:\n  slack:\n'],
    ['connectors:\n  slack:\n  # none yet\n', 'connectors:\n  slack:\n'],
    ['connectors: {}\nport: 1\n', 'connectors: {slack: [{'],
  ])('finds its place in %j', async (config, expected) => {
    const result = await connect({ config }, 'slack')
    expect(result.code).toBe(0)
    expect(result.config()).toContain(expected)
    expect(result.config()).toContain('name: me')
  })

  test.each([
    ['connectors: [\n', 'config.yaml line'],
    ['connectors: 7\n', 'config.yaml: connectors must be a mapping'],
    ['connectors:\n  slack: {name: me}\n', 'slack must be a list'],
  ])('refuses %j and leaves it', async (config, sentence) => {
    const result = await connect({ config }, 'slack')
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
    expect(result.config()).toBe(config)
  })
})

describe('recalld connect github', () => {
  test('gets the token by device flow', async () => {
    const asked: unknown[] = []
    const authorize: SyncService['authorize'] = async (connector, { clientId, onCode }) => {
      asked.push([connector, clientId])
      onCode('WDJB-MJHT', 'https://github.com/login/device')
      return TOKEN
    }
    const args = ['github', '--device', '--client-id', 'Iv1.made-up']
    const { code, stdout, token } = await connect({ service: { authorize }, typed: '' }, ...args)
    expect(code).toBe(0)
    expect(asked).toEqual([['github', 'Iv1.made-up']])
    expect(stdout).toContain('Open https://github.com/login/device and enter this code: WDJB-MJHT\n')
    expect(readFileSync(token, 'utf8')).toBe(`${TOKEN}\n`)
  })

  test('needs both options of the device flow, and a connector that has one', async () => {
    expect((await connect({}, 'github', '--device')).code).toBe(2)
    const { code, stderr } = await connect({}, 'github', '--device', '--client-id', 'Iv1.made-up')
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('Leave it out') })
  })
})

describe('recalld connect with a password', () => {
  const connectors = async () => CONNECTORS.map((view) => ({ ...view, secret: 'password' as const }))

  test('takes spaces and letters of any language, and asks for a password', async () => {
    const { code, stderr, token } = await connect({ service: { connectors }, typed: 'correct hörse\n' }, 'slack')
    expect({ code, saved: readFileSync(token, 'utf8') }).toEqual({ code: 0, saved: 'correct hörse\n' })
    expect(stderr).not.toContain('Token')
  })

  test.each([
    ['\n', 'No password entered'],
    ['correct\u0007horse\n', "can't contain control characters"],
  ])('says what is wrong with %j', async (typed, sentence) => {
    const { code, stderr } = await connect({ service: { connectors }, typed }, 'slack')
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
  })
})

describe('recalld connect with a source of this machine', () => {
  test('asks nothing, and stays as it is when done again', async () => {
    const home = temporaryFolder()
    const service = scriptedSync({})
    const run = () => runWithSync({ home, service }, 'connect', 'claude_code')
    expect((await run()).code).toBe(0)
    const config = readFileSync(join(home, 'config.yaml'), 'utf8')
    expect(config).toMatch(/\nconnectors:\n {2}claude_code:\n {4}- name: me\n$/)
    expect((await run()).stdout).toContain('Already in')
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(config)
  })

  test('takes folders for documents, and only folders', async () => {
    const docs = temporaryFolder()
    const { code, config } = await connect({}, 'technical_docs', '--path', docs, '--name', 'docs')
    expect(code).toBe(0)
    expect(config()).toContain(`- name: docs\n      paths:\n        - ${docs}\n`)
    for (const [args, sentence] of [
      [['technical_docs'], '--path FOLDER'],
      [['technical_docs', '--path', join(docs, 'none')], "isn't a folder"],
      [['claude_code', '--path', docs], "doesn't take --path"],
    ] as const) {
      expect(await connect({}, ...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
    }
  })

  test('takes files where a connector reads exports', async () => {
    const home = temporaryFolder()
    const file = join(temporaryFolder(), 'conversations.json')
    writeFileSync(file, '[]')
    const connectTo = (path: string) => runCommand(['connect', 'chat_exports', '--path', path], { RECALLD_HOME: home })
    expect(await connectTo(file)).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toContain(`paths:\n        - ${file}\n`)
    expect(await connectTo(`${file}.zip`)).toMatchObject({ code: 1, stderr: expect.stringContaining('in config.yaml') })
  })

  test('takes folders also for a real connector, which has folders of its own', async () => {
    const home = temporaryFolder()
    const docs = temporaryFolder()
    const connectTo = (...args: string[]) => runCommand(['connect', ...args], { RECALLD_HOME: home })
    expect(await connectTo('technical_docs', '--path', docs)).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toContain(`- name: me\n      paths:\n        - ${docs}\n`)
    expect(await connectTo('claude_code', '--path', docs)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("doesn't take --path"),
    })
  })
})
