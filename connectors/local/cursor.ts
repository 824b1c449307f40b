import { join } from 'node:path'
import type { Connector, Context } from '../../src/connector/connector.ts'
import { applicationData, folderAccount, presentFolders } from './agent-folders.ts'
import { type AgentConfig, agentManifest, placesOf } from './agent-settings.ts'
import { cursorSessions } from './cursor-sessions.ts'
import {
  readWholeSession,
  type SessionTool,
  type WholeSessionsCursor,
  wholeSessionChanges,
  wholeSessionsCursor,
} from './whole-sessions.ts'

type CheckContext = Pick<Context<AgentConfig>, 'config' | 'machine'>

const TOOL: SessionTool = {
  prefix: 'cursor',
  sourceType: 'cursor',
  agent: 'Cursor',
  async *sessions(_partition, known, stamps, context) {
    yield* cursorSessions(await rootsOf(context), known, stamps, context)
  },
}

/** Sessions with Cursor on this machine: of the editor and of its agent, which share sessions and so one partition. */
export const cursor: Connector<AgentConfig, WholeSessionsCursor> = {
  manifest: agentManifest(
    {
      id: 'cursor',
      sourceType: 'cursor',
      title: 'Cursor',
      summary: 'Your chats: your prompts and the answers.',
      standard: "Cursor's User folder and ~/.cursor",
    },
    wholeSessionsCursor,
  ),
  check: async ({ config, machine }) => folderAccount(await rootsOf({ config, machine }), config.path, machine),
  async *partitions(context) {
    await rootsOf(context)
    yield { id: 'sessions', title: 'Sessions' }
  },
  changes: (partition, state, context) => wholeSessionChanges(TOOL, partition, state, context),
  read: (ref, context) => readWholeSession(TOOL, ref, context),
}

function rootsOf({ config, machine }: CheckContext): Promise<string[]> {
  const standard = [join(applicationData(machine), 'Cursor', 'User'), join(machine.userHome, '.cursor')]
  return presentFolders('Cursor', placesOf(config, standard, machine), machine)
}
