import { additionalContext, readSessionCall } from './hook-calls.ts'
import type { AgentHost, HostFolders } from './host.ts'

const settingsFile = ({ path, home }: HostFolders) => path.join(home, '.gemini', 'settings.json')

/** Hooks: https://geminicli.com/docs/hooks/reference, read in November 2026. */
export const gemini: AgentHost = {
  id: 'gemini',
  title: 'Gemini CLI',
  mcp: { format: 'jsonc', container: 'mcpServers', entry: 'command', file: settingsFile },
  hooks: {
    events: { SessionStart: 'session-start', BeforeAgent: 'prompt', SessionEnd: 'stop' },
    layout: 'groups',
    timeout: 5_000,
    transcripts: 'gemini_cli',
    file: settingsFile,
    readCall: readSessionCall,
    answer: additionalContext({ 'session-start': 'SessionStart', prompt: 'BeforeAgent' }),
  },
  notes: [],
  next: 'Start a new session of Gemini CLI. Run "/mcp" there to list its servers, and "/hooks" to list its hooks.',
}
