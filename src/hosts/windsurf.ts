import type { AgentHost } from './host.ts'

/** Its hooks can observe and block but not add context: https://docs.windsurf.com/windsurf/cascade/hooks, read in November 2026. */
export const windsurf: AgentHost = {
  id: 'windsurf',
  title: 'Windsurf',
  mcp: {
    format: 'jsonc',
    container: 'mcpServers',
    entry: 'command',
    file: ({ path, home }) => path.join(home, '.codeium', 'windsurf', 'mcp_config.json'),
  },
  notes: ["Windsurf's hooks can't add to a conversation: it asks your memory only by its tools."],
  next: 'Restart Windsurf. Its settings list recalld under MCP servers.',
}
