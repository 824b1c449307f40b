import { join } from 'node:path'
import type { Connector, Context } from '../../src/connector/connector.ts'
import { folderAccount, presentFolders } from './agent-folders.ts'
import { type AgentConfig, agentManifest, placesOf } from './agent-settings.ts'
import { databaseSessions } from './opencode-database.ts'
import { storedSessions } from './opencode-storage.ts'
import {
  readWholeSession,
  type SessionTool,
  type WholeSessionsCursor,
  wholeSessionChanges,
  wholeSessionsCursor,
} from './whole-sessions.ts'

type CheckContext = Pick<Context<AgentConfig>, 'config' | 'machine'>

const TOOL: SessionTool = {
  prefix: 'opencode',
  sourceType: 'stream',
  agent: 'opencode',
  async *sessions(_partition, known, stamps, context) {
    const homes = await homesOf(context)
    // The database first: it has the state of sessions that began in files.
    for (const home of homes) yield* databaseSessions(join(home, 'opencode.db'), known, stamps, context)
    for (const home of homes) yield* storedSessions(home, context)
  },
}

/** Sessions with opencode on this machine. */
export const opencode: Connector<AgentConfig, WholeSessionsCursor> = {
  manifest: agentManifest(
    { id: 'opencode', sourceType: 'stream', title: 'opencode', standard: '~/.local/share/opencode' },
    wholeSessionsCursor,
  ),
  check: async ({ config, machine }) => folderAccount(await homesOf({ config, machine }), config.path, machine),
  async *partitions(context) {
    await homesOf(context)
    yield { id: 'sessions', title: 'Sessions' }
  },
  changes: (partition, cursor, context) => wholeSessionChanges(TOOL, partition, cursor, context),
  read: (ref, context) => readWholeSession(TOOL, ref, context),
}

/** The same folder on every platform. */
function homesOf({ config, machine }: CheckContext): Promise<string[]> {
  const { env, userHome } = machine
  const standard = [join(env.XDG_DATA_HOME || join(userHome, '.local', 'share'), 'opencode')]
  return presentFolders('opencode', placesOf(config, standard, machine), machine)
}
