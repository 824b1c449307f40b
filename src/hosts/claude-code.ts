import { additionalContext, readSessionCall } from './hook-calls.ts'
import type { AgentHost } from './host.ts'

/** Hooks: https://code.claude.com/docs/en/hooks, read in November 2026. */
export const claudeCode: AgentHost = {
  id: 'claude-code',
  title: 'Claude Code',
  mcp: {
    format: 'jsonc',
    container: 'mcpServers',
    entry: 'command',
    // Without it, Claude must search for the tools first.
    extra: { type: 'stdio', alwaysLoad: true },
    file: ({ path, home, env }) => path.join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'),
  },
  hooks: {
    events: { SessionStart: 'session-start', UserPromptSubmit: 'prompt', SessionEnd: 'stop' },
    layout: 'groups',
    timeout: 5,
    transcripts: 'claude_code',
    file: ({ path, home, env }) => path.join(env.CLAUDE_CONFIG_DIR || path.join(home, '.claude'), 'settings.json'),
    readCall: readSessionCall,
    answer: additionalContext({ 'session-start': 'SessionStart', prompt: 'UserPromptSubmit' }),
  },
  notes: [],
  next: 'Start a new session of Claude Code. Run "/mcp" there to check that recalld is connected.',
}
