import { readdirSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { isAbsent } from '../../lib/files.ts'
import type { Context } from '../context.ts'
import type { EntryFormat } from './entry-format.ts'
import { messages } from './messages.ts'

/** A program that starts MCP servers, and where it reads which. */
export interface McpHost {
  readonly id: string
  readonly title: string
  /** Loaded when it is needed: the parsers would delay the start of every command. */
  format(): Promise<EntryFormat>
  /** The key of the file under which the servers stand by name. */
  readonly container: string
  /** What this host wants in an entry besides command, args and env. */
  readonly extra?: Readonly<Record<string, string>>
  file(folders: HostFolders): string
  /** What to do for the host to pick up the change. */
  readonly next: string
}

/** The folders of a person, with the path rules of the platform. */
interface HostFolders {
  readonly platform: string
  readonly path: typeof posix
  readonly home: string
  /** Where programs keep what belongs to the person: `%APPDATA%`, `~/Library/Application Support`, `~/.config`. */
  readonly settings: string
  readonly env: Context['io']['env']
  /** Names in a folder; none when there is no such folder. */
  namesIn(folder: string): readonly string[]
}

export const MCP_HOSTS: readonly McpHost[] = [
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    format: loadJsonc,
    container: 'mcpServers',
    file: (folders) =>
      folders.path.join(claudePackage(folders) ?? folders.settings, 'Claude', 'claude_desktop_config.json'),
    next: messages.claudeDesktop,
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    format: loadJsonc,
    container: 'mcpServers',
    extra: { type: 'stdio' },
    file: ({ path, home, env }) => path.join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'),
    next: messages.claudeCode,
  },
  {
    id: 'cursor',
    title: 'Cursor',
    format: loadJsonc,
    container: 'mcpServers',
    file: ({ path, home }) => path.join(home, '.cursor', 'mcp.json'),
    next: messages.cursor,
  },
  {
    id: 'vscode',
    title: 'VS Code',
    format: loadJsonc,
    container: 'servers',
    extra: { type: 'stdio' },
    file: ({ path, settings }) => path.join(settings, 'Code', 'User', 'mcp.json'),
    next: messages.vscode,
  },
  {
    id: 'codex',
    title: 'Codex',
    format: async () => (await import('./toml-format.ts')).tomlFormat,
    container: 'mcp_servers',
    file: ({ path, home, env }) => path.join(env.CODEX_HOME || path.join(home, '.codex'), 'config.toml'),
    next: messages.codex,
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    format: loadJsonc,
    container: 'mcpServers',
    file: ({ path, home }) => path.join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    next: messages.windsurf,
  },
]

async function loadJsonc(): Promise<EntryFormat> {
  return (await import('./jsonc-format.ts')).jsoncFormat
}

/** Where this host reads its servers on this machine. @param namesIn of the machine, unless a test says otherwise */
export function hostConfigPath(
  host: McpHost,
  { io, machine }: Pick<Context, 'io' | 'machine'>,
  namesIn: HostFolders['namesIn'] = namesInFolder,
): string {
  const { platform, userHome: home } = machine
  const path = platform === 'win32' ? win32 : posix
  return host.file({ platform, path, home, settings: settingsFolder(platform, home, io.env), env: io.env, namesIn })
}

function settingsFolder(platform: string, home: string, env: Context['io']['env']): string {
  if (platform === 'win32') return env.APPDATA || win32.join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support')
  // A relative XDG_CONFIG_HOME is to be ignored, says the XDG base directory specification.
  return env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : posix.join(home, '.config')
}

/**
 * The packaged Claude Desktop of Windows, the usual one since 2026, does not see %APPDATA%: Windows gives it a folder of
 * its own instead (https://github.com/anthropics/claude-code/issues/26073).
 */
function claudePackage({ platform, path, home, env, namesIn }: HostFolders): string | undefined {
  if (platform !== 'win32') return undefined
  const packages = path.join(env.LOCALAPPDATA || path.join(home, 'AppData', 'Local'), 'Packages')
  const found = namesIn(packages).find((name) => name.startsWith('Claude_'))
  return found && path.join(packages, found, 'LocalCache', 'Roaming')
}

function namesInFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}
