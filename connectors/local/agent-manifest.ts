import type { z } from 'zod'
import type { ConnectorIcon, Manifest, SourceType } from '../../src/connector/connector.ts'
import { type AgentConfig, agentSelection, agentSettings } from './agent-settings.ts'

/** An answer is awaited: within this time the next prompt of a session follows, or none for a while. */
const QUIET_MS = 5 * 60_000

/** What the manifests of coding agents have in common. */
export function agentManifest<Cursor>(
  agent: {
    readonly id: SourceType
    readonly title: string
    /** Of the list of connectors. */
    readonly summary?: string
    readonly icon?: ConnectorIcon
    /** Where its sessions are without `path`, for people. */
    readonly standard: string
  },
  cursor: z.ZodType<Cursor>,
): Manifest<AgentConfig, Cursor> {
  return {
    id: agent.id,
    title: agent.title,
    sourceTypes: [agent.id],
    auth: 'none',
    config: agentSettings(agent.standard),
    cursor,
    schedule: '*/10 * * * *',
    deletions: 'none',
    inventoryEveryMs: 0,
    // Tools clean up after themselves: a transcript that vanished is no wish to forget.
    vanished: 'keep',
    provider: agent.id,
    version: 1,
    quietPeriodMs: QUIET_MS,
    selection: agentSelection,
    listing: {
      summary: agent.summary ?? 'Your sessions: what you asked, and what was answered.',
      icon: agent.icon ?? 'bot',
      group: 'Coding agents',
    },
    documentation: {
      item: 'about 20 prompts of a session, with the answers',
      removed: 'kept, as tools delete old sessions by themselves',
      api: 'files of the tool on this machine',
      cursor: 'how far each file was read, by size and the hash of its beginning',
      limits: 'sub-agents and forks are left out',
      verified: 'made-up folders; recorded sessions',
      needs: `sessions on this machine (${agent.standard})`,
    },
  }
}
