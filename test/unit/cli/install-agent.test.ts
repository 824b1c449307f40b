import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../../lib/command-line.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'
import { withoutPermission } from '../../lib/without-permission.ts'

const KEY = 'rk_made_up_by_a_test'

const JSON_TEXT = `{
    // mine
    "theme": "dark", "unknown": [1, {"b": null}], // as it was
    "SERVERS": {
        "files": { "command": "npx", "args": ["-y", "files"] }, // the first
    },
}`

const TOML_TEXT = `# mine
model = "o9"   # the best

[mcp_servers.files] # the first
command = 'npx'
args = [
  "-y", # yes
  "files",
]

[profiles.fast]
since = 2026-01-02

# the end
`

const HOSTS = [
  ['claude-desktop', '.config/Claude/claude_desktop_config.json', JSON_TEXT.replace('SERVERS', 'mcpServers')],
  ['claude-code', '.claude.json', JSON_TEXT.replace('SERVERS', 'mcpServers')],
  ['cursor', '.cursor/mcp.json', JSON_TEXT.replace('SERVERS', 'mcpServers')],
  ['vscode', '.config/Code/User/mcp.json', JSON_TEXT.replace('SERVERS', 'servers')],
  ['codex', '.codex/config.toml', TOML_TEXT],
  ['gemini', '.gemini/settings.json', JSON_TEXT.replace('SERVERS', 'mcpServers')],
  ['opencode', '.config/opencode/opencode.json', JSON_TEXT.replace('SERVERS', 'mcp')],
  ['windsurf', '.codeium/windsurf/mcp_config.json', JSON_TEXT.replace('SERVERS', 'mcpServers')],
] as const

interface Setup {
  readonly file?: string
  readonly text?: string | Uint8Array
  readonly env?: Record<string, string>
}

/** A person with a home of recalld, in which the service has started once, and this configuration of a host. */
function person({ file = '.cursor/mcp.json', text, env = {} }: Setup = {}) {
  const userHome = temporaryFolder()
  const path = join(userHome, file)
  if (text !== undefined) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const home = join(userHome, '.local/share/recalld')
  mkdirSync(home, { recursive: true })
  const credentials = join(home, 'credentials.json')
  writeFileSync(credentials, JSON.stringify({ base_url: 'http://127.0.0.1:7411', api_key: KEY }))
  const machine = { platform: 'linux', userHome, nodePath: '/opt/node', launcherPath: '/opt/recalld.js' }
  return {
    path,
    credentials,
    read: () => readFileSync(path, 'utf8'),
    backups: () => readdirSync(dirname(path)).filter((name) => name.includes('.backup-')),
    run: async (...args: string[]) => {
      const result = await runCommand(['install-mcp', ...args], env, { machine })
      expect(`${result.stdout}${result.stderr}`).not.toContain(KEY)
      return result
    },
  }
}

describe.each(HOSTS)('recalld install-agent %s', (host, file, text) => {
  test('adds recalld, keeps everything else, and takes it out again to the byte', async () => {
    const { run, read, backups } = person({ file, text })
    expect(await run(host, '--no-hooks')).toMatchObject({ code: 0, stderr: '' })
    const written = read()
    expect(written).toContain('/opt/recalld.js')
    expect(written).not.toContain(KEY)
    for (const line of text.split('\n')) expect(written.split('\n')).toContain(line)
    expect(backups()).toHaveLength(1)
    expect(await run(host, '--remove')).toMatchObject({ code: 0, stderr: '' })
    expect(read()).toBe(text)
  })

  test('makes the file for its owner alone, and changes nothing the second time', async () => {
    const { run, read, path, backups } = person({ file })
    const first = await run(host, '--no-hooks')
    expect(first.stdout).toMatch(/\nNext:\n {2}1\. .*\n {2}2\. .*recalld up.*\n {2}3\. /)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const written = read()
    expect(written).toMatch(/\n$/)
    const again = await run(host, '--no-hooks')
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Nothing to change: /) })
    expect([read(), backups()]).toEqual([written, []])
  })

  test('shows with --print what it would write, and writes nothing', async () => {
    const { run, path } = person({ file })
    const { stdout } = await run(host, '--print', '--no-hooks')
    const fragment = stdout.slice(`In ${path}:\n\n`.length).replace(/\nNothing was written\.\n$/, '')
    expect(stdout).toContain(`In ${path}:\n\n`)
    expect(existsSync(path)).toBe(false)
    await run(host, '--no-hooks')
    expect(readFileSync(path, 'utf8')).toBe(fragment)
  })

  test('has nothing to remove where nothing is', async () => {
    const { run, path, read } = person({ file })
    expect((await run(host, '--remove')).stdout).toMatch(/^Nothing to change: recalld isn't/)
    expect(existsSync(path)).toBe(false)
    const other = person({ file, text })
    expect(JSON.parse((await other.run(host, '--remove', '--json')).stdout)).toMatchObject({ host, result: 'absent' })
    expect(other.read()).toBe(text)
    expect(read).toThrow()
  })
})

describe('an entry that stands there already', () => {
  test('is brought up to date, and keeps what the person added', async () => {
    const entry = {
      command: '/old/node',
      args: ['/old/recalld.js', 'mcp'],
      timeout: 60,
      env: { RECALLD_HOME: '/old', RECALLD_API_KEY: 'rk_theirs', LANG: 'C' },
    }
    const { run, read } = person({ text: JSON.stringify({ mcpServers: { recalld: entry } }, null, 2) })
    expect((await run('cursor')).code).toBe(0)
    expect(JSON.parse(read()).mcpServers.recalld).toEqual({
      timeout: 60,
      command: '/opt/node',
      args: ['/opt/recalld.js', 'mcp'],
      env: { RECALLD_API_KEY: 'rk_theirs', LANG: 'C' },
    })
  })

  test('lets the agent write when that is asked for, keeps it, and takes it back', async () => {
    const { run, read } = person({ text: '{}' })
    const env = () => JSON.parse(read()).mcpServers.recalld.env
    expect((await run('cursor')).stdout).toContain('recalld install-agent cursor --write')
    expect(env()).toBeUndefined()
    expect((await run('cursor', '--write')).stdout).not.toContain('--write')
    expect(env()).toEqual({ RECALLD_MCP_WRITE: 'on' })
    expect((await run('cursor')).stdout).toContain('Nothing to change')
    await run('cursor', '--no-write')
    expect(env()).toBeUndefined()
  })

  test('is brought up to date in TOML too', async () => {
    const table = '[mcp_servers.recalld] # memory\ncommand = "/old"\nargs = ["mcp"]\ntool_timeout_sec = 90 # long\n'
    const { run, read } = person({ file: '.codex/config.toml', text: `${table}\n[tools]\nweb = true\n` })
    expect((await run('codex')).code).toBe(0)
    expect(read()).toBe(
      `${table.replace('"/old"', '"/opt/node"').replace('["mcp"]', '["/opt/recalld.js", "mcp"]')}\n[tools]\nweb = true\n`,
    )
  })

  test('is replaced when it is one for HTTP', async () => {
    const entry = { url: 'http://127.0.0.1:7411/mcp', headers: { Authorization: 'Bearer rk_theirs' } }
    const { run, read } = person({ text: JSON.stringify({ mcpServers: { recalld: entry } }) })
    await run('cursor')
    expect(JSON.parse(read()).mcpServers.recalld).toEqual({ command: '/opt/node', args: ['/opt/recalld.js', 'mcp'] })
  })

  test('loses its key when it is given another service', async () => {
    const entry = { command: '/opt/node', args: [], env: { RECALLD_URL: 'https://a.test', RECALLD_API_KEY: 'rk_a' } }
    const text = JSON.stringify({ mcpServers: { recalld: entry } })
    const kept = person({ text })
    await kept.run('cursor')
    expect(JSON.parse(kept.read()).mcpServers.recalld.env).toEqual(entry.env)
    const moved = person({ text, env: { RECALLD_URL: 'https://b.test/v1/' } })
    expect((await moved.run('cursor')).stdout).toContain('this command writes no keys')
    expect(JSON.parse(moved.read()).mcpServers.recalld.env).toEqual({ RECALLD_URL: 'https://b.test' })
  })
})

describe('the key', () => {
  const notes = async ({ run }: { run: ReturnType<typeof person>['run'] }) =>
    JSON.parse((await run('cursor', '--json')).stdout).notes.join(' ')

  test('is never written, also when it stands in the environment', async () => {
    const env = { RECALLD_URL: 'https://memory.test', RECALLD_API_KEY: KEY }
    const somebody = person({ env })
    expect(await notes(somebody)).toMatch(/memory\.test.* credentials\.json in a folder of its own .*--home.* by hand/)
    expect(somebody.read()).not.toContain(KEY)
    expect(JSON.parse(somebody.read()).mcpServers.recalld.env).toEqual({ RECALLD_URL: 'https://memory.test' })
  })

  test('of the environment is told from the one that the host will use', async () => {
    const somebody = person({ env: { RECALLD_API_KEY: 'rk_other' } })
    expect(await notes(somebody)).toMatch(/RECALLD_API_KEY of this shell isn't written.*credentials\.json/)
    expect(somebody.read()).not.toContain('rk_other')
  })

  test('of the service that credentials.json names needs no address and no word', async () => {
    const somebody = person({ env: { RECALLD_URL: 'http://127.0.0.1:7411/' } })
    expect(await notes(somebody)).not.toContain('key')
    expect(JSON.parse(somebody.read()).mcpServers.recalld.env).toBeUndefined()
  })

  test('that is not there yet is written by the first start', async () => {
    const env = { RECALLD_HOME: join(temporaryFolder(), 'new') }
    expect(await notes(person({ env }))).toContain('The first "recalld up" writes')
    const elsewhere = { ...env, RECALLD_URL: 'https://memory.test' }
    expect(await notes(person({ env: elsewhere }))).toContain(`"rk_..."} into ${env.RECALLD_HOME}/credentials.json`)
  })
})

describe('a file that cannot be changed', () => {
  test.each([
    ['cursor', '.cursor/mcp.json', '{\n  "a": 1\n  "b": 2\n}', 'line 3: comma expected'],
    ['cursor', '.cursor/mcp.json', '[]', 'line 1: expected an object in braces'],
    ['cursor', '.cursor/mcp.json', '{\n"mcpServers": []}', 'line 2: mcpServers must be an object'],
    ['codex', '.codex/config.toml', 'a = 1\nb = "x\n', 'line 2: Newline'],
    ['codex', '.codex/config.toml', 'mcp_servers = 1\n', 'mcp_servers must be a table'],
    ['codex', '.codex/config.toml', '[[mcp_servers]]\na = 1\n', 'mcp_servers must be a table'],
  ])('of %s (%s) because it says %j is refused and left', async (host, file, text, sentence) => {
    for (const flags of [[], ['--remove']]) {
      const { run, read, path, backups } = person({ file, text })
      const { code, stderr } = await run(host, ...flags)
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`${path}, ${sentence}`) })
      expect(stderr).toContain('Nothing was changed')
      expect([read(), backups()]).toEqual([text, []])
    }
  })

  test('because it names its servers twice', async () => {
    const text = '{"mcpServers": {}, "mcpServers": {"a": {}}}'
    const { run, read } = person({ text })
    expect(await run('cursor')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--print" to see the change'),
    })
    expect(read()).toBe(text)
  })

  test('because removing an entry would let a comment swallow what follows', async () => {
    const text = '{"mcpServers": {"a": {}, // first\n "recalld": {"command": "x"}}}'
    const { run, read } = person({ text })
    expect(await run('cursor', '--remove')).toMatchObject({ code: 1, stderr: expect.stringContaining('by hand') })
    expect(read()).toBe(text)
  })

  test('because it is not UTF-8', async () => {
    const bytes = Buffer.from('{"name": "J\xfcrgen"}', 'latin1')
    const { run, path } = person({ text: bytes })
    expect(await run('cursor')).toMatchObject({ code: 1, stderr: expect.stringContaining("isn't UTF-8 text") })
    expect(readFileSync(path)).toEqual(bytes)
  })

  test('because its folder may not be written', async () => {
    const { run, path, read } = person({ text: '{}' })
    await withoutPermission(dirname(path), async () => {
      expect(await run('cursor')).toMatchObject({ code: 1, stderr: expect.stringMatching(/permission denied|EACCES/) })
    })
    expect(read()).toBe('{}')
    expect(readdirSync(dirname(path))).toEqual(['mcp.json'])
  })

  test('because a file stands where its folder should be', async () => {
    const { run, path } = person()
    writeFileSync(dirname(path), '')
    const { code, stderr } = await run('cursor')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/(?:mcp|hooks)\.json can't be written \(E\w+\)/),
    })
  })

  test('because there is no such host', async () => {
    expect(await person().run('cursr')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean cursor?'),
    })
  })
})

describe('the file', () => {
  test('stays a link, with its mode and byte order mark, and the one before it beside it', async () => {
    const { run, path } = person()
    const real = join(temporaryFolder(), 'kept.json')
    const text = '\ufeff{\r\n\t"a": 1\r\n}\r\n'
    writeFileSync(real, text)
    chmodSync(real, 0o640)
    mkdirSync(dirname(path))
    symlinkSync(real, path)
    const { stdout } = await run('cursor', '--json')
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    const written = readFileSync(real, 'utf8')
    expect(written).toMatch(/^\ufeff\{\r\n\t"a": 1,\r\n\t"mcpServers": \{\r\n/)
    expect(written).not.toMatch(/[^\r]\n/)
    const { backup } = JSON.parse(stdout)
    expect(dirname(backup)).toBe(dirname(real))
    expect(readFileSync(backup, 'utf8')).toBe(text)
    expect([statSync(real).mode & 0o777, statSync(backup).mode & 0o777]).toEqual([0o640, 0o640])
    expect(readdirSync(dirname(real))).toHaveLength(2)
  })

  test('that is the first of its host makes one wonder whether the host is there', async () => {
    expect((await person().run('cursor')).stdout).toContain('Is Cursor installed for this user?')
    expect((await person({ text: '{}' }).run('cursor')).stdout).not.toContain('installed for this user')
  })

  test('that is a link to nowhere is left', async () => {
    const { run, path } = person()
    mkdirSync(dirname(path))
    symlinkSync('/nonexistent/file', path)
    expect(await run('cursor')).toMatchObject({ code: 1, stderr: expect.stringContaining('is a broken link') })
  })
})
