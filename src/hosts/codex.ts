import { additionalContext, readSessionCall } from './hook-calls.ts'
import type { AgentHost } from './host.ts'

/** Hooks: https://developers.openai.com/codex/hooks, read in November 2026. */
export const codex: AgentHost = {
  id: 'codex',
  title: 'Codex',
  mcp: {
    format: 'toml',
    container: 'mcp_servers',
    entry: 'command',
    file: ({ path, home, env }) => path.join(env.CODEX_HOME || path.join(home, '.codex'), 'config.toml'),
  },
  hooks: {
    // Codex has no session end event; Stop follows each answer.
    events: { SessionStart: 'session-start', UserPromptSubmit: 'prompt', Stop: 'stop' },
    layout: 'groups',
    timeout: 5,
    transcripts: 'codex',
    file: ({ path, home, env }) => path.join(env.CODEX_HOME || path.join(home, '.codex'), 'hooks.json'),
    readCall: readSessionCall,
    answer: additionalContext({ 'session-start': 'SessionStart', prompt: 'UserPromptSubmit' }),
  },
  notes: ['Codex runs new hooks only after you trust them: run "/hooks" in Codex once.'],
  next: 'Start a new session of Codex. Run "/mcp" there to list its servers.',
}
