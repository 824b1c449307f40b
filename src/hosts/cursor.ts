import { hostCall } from './hook-calls.ts'
import type { AgentHost } from './host.ts'

/**
 * Hooks: https://cursor.com/docs/hooks, read in September 2026. The page documents additional_context only for
 * sessionStart, but Cursor 3.20 also supports it for beforeSubmitPrompt.
 */
export const cursor: AgentHost = {
  id: 'cursor',
  title: 'Cursor',
  mcp: {
    format: 'jsonc',
    container: 'mcpServers',
    entry: 'command',
    file: ({ path, home }) => path.join(home, '.cursor', 'mcp.json'),
  },
  hooks: {
    events: { sessionStart: 'session-start', beforeSubmitPrompt: 'prompt', sessionEnd: 'stop' },
    layout: 'commands',
    timeout: 5,
    top: { version: 1 },
    transcripts: 'cursor',
    file: ({ path, home }) => path.join(home, '.cursor', 'hooks.json'),
    readCall: (fields) => {
      const [folder = fields.cwd] = Array.isArray(fields.workspace_roots) ? fields.workspace_roots : []
      // Every chat in Cursor starts with an empty context.
      return hostCall(fields.conversation_id ?? fields.session_id, folder, { source: 'new', ...fields })
    },
    answer: (event, context) => ({ ...(event === 'prompt' && { continue: true }), additional_context: context }),
  },
  notes: ['Cursor reads what is shown for a prompt from version 3.20 on; older ones only what is shown at the start.'],
  next: 'Restart Cursor. Its settings list recalld under MCP servers.',
}
