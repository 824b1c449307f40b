import { additionalContext, hostCall } from './hook-calls.ts'
import type { AgentHost } from './host.ts'

/** Hooks: https://code.visualstudio.com/docs/agents/reference/hooks-reference, of July 2026 (preview). */
export const vscode: AgentHost = {
  id: 'vscode',
  title: 'VS Code',
  mcp: {
    format: 'jsonc',
    container: 'servers',
    entry: 'command',
    extra: { type: 'stdio' },
    file: ({ path, settings }) => path.join(settings, 'Code', 'User', 'mcp.json'),
  },
  hooks: {
    events: { SessionStart: 'session-start', Stop: 'stop' },
    layout: 'commands',
    timeout: 5,
    transcripts: 'vscode',
    file: ({ path, home }) => path.join(home, '.copilot', 'hooks', 'recalld.json'),
    readCall: (fields) => hostCall(fields.sessionId ?? fields.session_id, fields.cwd, fields),
    answer: additionalContext({ 'session-start': 'SessionStart' }),
  },
  notes: ['VS Code lets hooks add to the start of a session, but not to a prompt.'],
  next: 'Restart VS Code. Run "MCP: List Servers" in its command palette to see and start recalld.',
}
