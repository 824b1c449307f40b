import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hostFolders } from '../../../src/cli/install/host-folders.ts'
import { AGENT_HOSTS } from '../../../src/hosts/hosts.ts'
import { packagePath } from '../../../src/lib/files.ts'
import { runCommand } from '../../lib/command-line.ts'
import { stdioHost } from '../../lib/mcp-host.ts'
import { recalld } from '../../lib/recalld-process.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const PERSON = { nodeVersion: '24.0.0', userName: 'ada', temporaryFolder: '/tmp', nodePath: '/n', launcherPath: '/l' }

type NamesIn = Parameters<typeof hostFolders>[1]

function place(id: string, platform: string, env: Record<string, string> = {}, namesIn: NamesIn = () => []) {
  const userHome = { linux: '/home/ada', darwin: '/Users/ada' }[platform] ?? 'C:\\Users\\ada'
  const host = AGENT_HOSTS.find((each) => each.id === id)
  const stream = { write: () => undefined }
  const context = { io: { stdout: stream, stderr: stream, env }, machine: { ...PERSON, platform, userHome } }
  return host?.mcp.file(hostFolders(context, namesIn))
}

describe('the configuration of a host lies where the host reads it', () => {
  test.each([
    ['claude-desktop', 'linux', '/home/ada/.config/Claude/claude_desktop_config.json'],
    ['claude-desktop', 'darwin', '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json'],
    ['claude-desktop', 'win32', 'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
    ['claude-code', 'linux', '/home/ada/.claude.json'],
    ['claude-code', 'darwin', '/Users/ada/.claude.json'],
    ['claude-code', 'win32', 'C:\\Users\\ada\\.claude.json'],
    ['cursor', 'linux', '/home/ada/.cursor/mcp.json'],
    ['cursor', 'darwin', '/Users/ada/.cursor/mcp.json'],
    ['cursor', 'win32', 'C:\\Users\\ada\\.cursor\\mcp.json'],
    ['vscode', 'linux', '/home/ada/.config/Code/User/mcp.json'],
    ['vscode', 'darwin', '/Users/ada/Library/Application Support/Code/User/mcp.json'],
    ['vscode', 'win32', 'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json'],
    ['codex', 'linux', '/home/ada/.codex/config.toml'],
    ['codex', 'darwin', '/Users/ada/.codex/config.toml'],
    ['codex', 'win32', 'C:\\Users\\ada\\.codex\\config.toml'],
    ['gemini', 'linux', '/home/ada/.gemini/settings.json'],
    ['gemini', 'win32', 'C:\\Users\\ada\\.gemini\\settings.json'],
    ['opencode', 'linux', '/home/ada/.config/opencode/opencode.json'],
    ['opencode', 'darwin', '/Users/ada/.config/opencode/opencode.json'],
    ['opencode', 'win32', 'C:\\Users\\ada\\.config\\opencode\\opencode.json'],
    ['windsurf', 'linux', '/home/ada/.codeium/windsurf/mcp_config.json'],
    ['windsurf', 'darwin', '/Users/ada/.codeium/windsurf/mcp_config.json'],
    ['windsurf', 'win32', 'C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json'],
  ])('%s on %s: %s', (id, platform, expected) => {
    expect(place(id, platform)).toBe(expected)
  })

  test.each([
    ['vscode', 'win32', { APPDATA: 'D:\\Roaming' }, 'D:\\Roaming\\Code\\User\\mcp.json'],
    ['vscode', 'linux', { XDG_CONFIG_HOME: '/cfg' }, '/cfg/Code/User/mcp.json'],
    ['vscode', 'linux', { XDG_CONFIG_HOME: 'cfg' }, '/home/ada/.config/Code/User/mcp.json'],
    ['codex', 'linux', { CODEX_HOME: '/cx' }, '/cx/config.toml'],
    ['claude-code', 'linux', { CLAUDE_CONFIG_DIR: '/cc' }, '/cc/.claude.json'],
  ])('%s on %s with %j: %s', (id, platform, env, expected) => {
    expect(place(id, platform, env)).toBe(expected)
  })

  test('the packaged Claude Desktop of Windows reads a folder of its own', () => {
    const names: Record<string, readonly string[]> = { 'D:\\Local\\Packages': ['Other_1', 'Claude_made-up'] }
    expect(place('claude-desktop', 'win32', { LOCALAPPDATA: 'D:\\Local' }, (folder) => names[folder] ?? [])).toBe(
      'D:\\Local\\Packages\\Claude_made-up\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
    )
  })
})

describe('the documentation', () => {
  const page = (name: string) => readFileSync(packagePath(`docs/mcp/${name}.md`), 'utf8')

  test.each(AGENT_HOSTS.map(({ id }) => id))('of %s shows the entry that is written, and where', async (id) => {
    const machine = {
      platform: 'linux',
      userHome: '~',
      nodePath: '/path/to/node',
      launcherPath: '/path/to/recalld/bin/recalld.js',
    }
    const { stdout } = await runCommand(['install-agent', id, '--print'], {}, { machine })
    const [, file, fragment] = /^In (\S+):\n\n([\s\S]+?)\n\n/.exec(stdout) ?? []
    expect(page(id)).toContain(`\n${fragment}\n\`\`\`\n`)
    expect(page(id)).toContain(`recalld install-agent ${id}\n`)
    for (const name of [id, 'README']) expect(page(name)).toContain(`\`${file}\``)
  })
})

describe('what a host is told to start', () => {
  const HOME = '/home/ada'
  const shown = async (env: Record<string, string>, machine: object = {}, ...args: string[]) => {
    const fixed = { platform: 'linux', userHome: HOME, nodePath: '/opt/node/bin/node', launcherPath: '/opt/recalld.js' }
    const options = { machine: { ...fixed, ...machine } }
    const result = await runCommand(['install-agent', 'cursor', '--print', '--json', ...args], env, options)
    expect(result).toMatchObject({ code: 0, stderr: '' })
    return JSON.parse(result.stdout)
  }

  test('is node and recalld by their whole paths', async () => {
    const { entry, file, result } = await shown({})
    expect(entry).toEqual({ command: '/opt/node/bin/node', args: ['/opt/recalld.js', 'mcp'] })
    expect({ file, result }).toEqual({ file: '/home/ada/.cursor/mcp.json', result: 'printed' })
  })

  test('starts the server, without anything of a shell', async () => {
    const env = { HOME: temporaryFolder() }
    const { stdout } = await recalld(['install-agent', 'claude-code', '--print', '--json'], env)
    const { command, args, type } = JSON.parse(stdout).entry
    expect({ args, type }).toEqual({ args: [packagePath('bin/recalld.js'), 'mcp'], type: 'stdio' })
    const host = await stdioHost('auto', { command, args, env })
    const { tools } = await host.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['recall', 'ask', 'open', 'recent'])
  })

  test('holds the home only when recalld would not find it without the variables of the shell', async () => {
    expect((await shown({ RECALLD_HOME: `${HOME}/.local/share/recalld` })).entry.env).toBeUndefined()
    expect((await shown({ RECALLD_HOME: '~/memories' })).entry.env).toEqual({ RECALLD_HOME: '/home/ada/memories' })
    expect((await shown({ XDG_DATA_HOME: '/data' })).entry.env).toEqual({ RECALLD_HOME: '/data/recalld' })
    expect((await shown({}, {}, '--home', '/other')).entry.env).toEqual({ RECALLD_HOME: '/other' })
  })

  test('is a link of Homebrew that survives its next version', async () => {
    const prefix = temporaryFolder()
    mkdirSync(join(prefix, 'opt/node/bin/node'), { recursive: true })
    const cellar = { nodePath: `${prefix}/Cellar/node/24.1.0/bin/node` }
    expect((await shown({}, cellar)).entry.command).toBe(`${prefix}/opt/node/bin/node`)
    expect((await shown({}, { nodePath: '/gone/Cellar/node/24.1.0/bin/node' })).entry.command).toContain('/24.1.0/')
  })

  test('may be gone tomorrow in the cache of npx, which is said', async () => {
    const { notes } = await shown({}, { launcherPath: '/home/ada/.npm/_npx/1f/node_modules/recalld/bin/recalld.js' })
    expect(notes[0]).toContain('npm install -g recalld')
  })
})
