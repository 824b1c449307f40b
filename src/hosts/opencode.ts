import { hostCall } from './hook-calls.ts'
import type { AgentHost, HostFolders } from './host.ts'

/** Plugins: https://opencode.ai/docs/plugins, read in November 2026. install-agent writes a plugin that calls the hooks. */
export const opencode: AgentHost = {
  id: 'opencode',
  title: 'opencode',
  mcp: { format: 'jsonc', container: 'mcp', entry: 'argv', extra: { type: 'local', enabled: true }, file: configFile },
  hooks: {
    events: { 'session.compacted': 'session-start', 'chat.message': 'prompt', 'session.idle': 'stop' },
    layout: 'plugin',
    timeout: 5,
    transcripts: 'opencode',
    file: (folders) => folders.path.join(configFolder(folders), 'plugins', 'recalld.js'),
    readCall: (fields) => hostCall(fields.session_id, fields.cwd, fields),
    answer: (_, context) => ({ context }),
  },
  notes: [],
  next: 'Start a new session of opencode. Run "opencode mcp list" to check that recalld is connected.',
}

/** The same folder on every platform. */
function configFolder({ path, home, env }: HostFolders): string {
  return path.join(env.XDG_CONFIG_HOME || path.join(home, '.config'), 'opencode')
}

function configFile(folders: HostFolders): string {
  const folder = configFolder(folders)
  const name = folders.namesIn(folder).includes('opencode.jsonc') ? 'opencode.jsonc' : 'opencode.json'
  return folders.path.join(folder, name)
}
