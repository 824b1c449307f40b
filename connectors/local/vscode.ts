import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Connector, Context, Partition } from '../../src/connector/connector.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import { absent, applicationData, folderAccount, presentFolders, withTilde } from './agent-folders.ts'
import { type AgentConfig, agentManifest, placesOf, takesProject } from './agent-settings.ts'
import { vscodeSession } from './vscode-session.ts'
import {
  readWholeSession,
  type SessionTool,
  type WholeSession,
  type WholeSessionsCursor,
  wholeSessionChanges,
  wholeSessionsCursor,
} from './whole-sessions.ts'
import { workspaceFolders } from './workspace-folders.ts'

type CheckContext = Pick<Context<AgentConfig>, 'config' | 'machine'>

const PRODUCTS = ['Code', 'Code - Insiders', 'VSCodium']
const SESSION_FILE = /^(.+)\.jsonl?$/

const TOOL: SessionTool = { prefix: 'vscode', sourceType: 'vscode', agent: 'Copilot', sessions: sessionsOf }

/** Chats with Copilot in VS Code on this machine, by workspace. */
export const vscode: Connector<AgentConfig, WholeSessionsCursor> = {
  manifest: agentManifest(
    {
      id: 'vscode',
      sourceType: 'vscode',
      title: 'VS Code',
      summary: 'Your chats with assistants in the editor.',
      icon: 'code',
      standard: 'the User folder of Code, Code - Insiders and VSCodium',
    },
    wholeSessionsCursor,
  ),
  check: async ({ config, machine }) => folderAccount(await rootsOf({ config, machine }), config.path, machine),
  async *partitions(context) {
    for (const { id, title, project } of await chatFolders(context)) {
      if (project === undefined || takesProject(project, context.config, context.machine)) yield { id, title }
    }
  },
  changes: (partition, cursor, context) => wholeSessionChanges(TOOL, partition, cursor, context),
  read: (ref, context) => readWholeSession(TOOL, ref, context),
}

function rootsOf({ config, machine }: CheckContext): Promise<string[]> {
  const standard = PRODUCTS.map((product) => join(applicationData(machine), product, 'User'))
  return presentFolders('VS Code', placesOf(config, standard, machine), machine)
}

interface ChatFolder extends Partition {
  readonly path: string
  readonly project: string | undefined
}

async function chatFolders(context: CheckContext): Promise<ChatFolder[]> {
  const folders: ChatFolder[] = []
  for (const root of await rootsOf(context)) {
    const product = basename(dirname(root))
    for (const { hash, path, project } of await workspaceFolders(root)) {
      const title = withTilde(project ?? hash, context.machine)
      folders.push({ id: sourceItemId('workspace', product, hash), title, path: join(path, 'chatSessions'), project })
    }
    const path = join(root, 'globalStorage', 'emptyWindowChatSessions')
    const title = `${product} without a folder`
    folders.push({ id: sourceItemId('empty', product), title, path, project: undefined })
  }
  const present = await Promise.all(
    folders.map(({ path }) => stat(path).catch((cause: unknown) => absent(path, cause))),
  )
  return folders.filter((_, at) => present[at]?.isDirectory())
}

async function* sessionsOf(
  partition: Partition,
  _known: WholeSessionsCursor,
  _stamps: Record<string, string>,
  context: Context<AgentConfig>,
): AsyncGenerator<WholeSession> {
  for (const { id, path: folder, project } of await chatFolders(context)) {
    if (id !== partition.id) continue
    // `.jsonl` before `.json`: if both exist, VS Code has migrated to the log.
    for (const name of (await readdir(folder)).sort().reverse()) {
      const session = SESSION_FILE.exec(name)?.[1]
      const path = join(folder, name)
      const stats = await stat(path, { bigint: true }).catch((cause: unknown) => absent(path, cause))
      if (session === undefined || !stats?.isFile()) continue
      yield {
        key: name,
        id: session,
        stamp: `${stats.ino}-${stats.size}-${stats.mtimeNs}`,
        createdAt: stats.birthtime,
        load: () => vscodeSession(path, project, context.config, context.signal),
      }
    }
  }
}
