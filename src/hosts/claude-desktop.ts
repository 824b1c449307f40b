import type { AgentHost, HostFolders } from './host.ts'

export const claudeDesktop: AgentHost = {
  id: 'claude-desktop',
  title: 'Claude Desktop',
  mcp: {
    format: 'jsonc',
    container: 'mcpServers',
    entry: 'command',
    file: (folders) =>
      folders.path.join(packageFolder(folders) ?? folders.settings, 'Claude', 'claude_desktop_config.json'),
  },
  notes: ['Claude Desktop has no hooks: it asks your memory only by its tools.'],
  next: "Quit Claude Desktop and reopen it. Closing the window isn't enough.",
}

/**
 * The packaged Claude Desktop for Windows, the default since 2026, has a virtual %APPDATA% in its own folder
 * (https://github.com/anthropics/claude-code/issues/26073).
 */
function packageFolder({ platform, path, home, env, namesIn }: HostFolders): string | undefined {
  if (platform !== 'win32') return undefined
  const packages = path.join(env.LOCALAPPDATA || path.join(home, 'AppData', 'Local'), 'Packages')
  const found = namesIn(packages).find((name) => name.startsWith('Claude_'))
  return found && path.join(packages, found, 'LocalCache', 'Roaming')
}
