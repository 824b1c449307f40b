import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Connector, Context, Partition } from '../../src/connector/connector.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import { absent, folderAccount, presentFolders, withTilde } from './agent-folders.ts'
import { type AgentConfig, agentManifest, placesOf, takesProject } from './agent-settings.ts'
import { claudeLineId, claudeReader } from './claude-lines.ts'
import {
  type FileTool,
  readSessionFile,
  type SessionFile,
  type SessionFilesCursor,
  sessionFileChanges,
  sessionFilesCursor,
} from './session-files.ts'

const DAY_MS = 86_400_000
/** How much of a session is searched for its project folder. */
const HEAD_BYTES = 65_536

type CheckContext = Pick<Context<AgentConfig>, 'config' | 'machine'>

const TOOL: FileTool = {
  prefix: 'claude',
  sourceType: 'claude_code',
  agent: 'Claude',
  list: listSessions,
  reader: claudeReader,
  lineId: claudeLineId,
}

/** Sessions with Claude Code on this machine, by project. */
export const claudeCode: Connector<AgentConfig, SessionFilesCursor> = {
  manifest: {
    ...agentManifest(
      { id: 'claude_code', sourceType: 'claude_code', title: 'Claude Code', standard: '~/.claude/projects' },
      sessionFilesCursor,
    ),
    cursorLife: { warnAfterMs: 25 * DAY_MS, reason: 'Claude Code deletes transcripts after 30 days' },
  },
  check: async ({ config, machine }) => folderAccount(await rootsOf({ config, machine }), config.path, machine),
  async *partitions(context) {
    const names = new Set<string>()
    for (const root of await rootsOf(context)) {
      for (const entry of await readdir(root, { withFileTypes: true })) {
        if (entry.isDirectory() && !names.has(entry.name)) names.add(entry.name)
      }
    }
    for (const name of [...names].sort()) {
      const folder = await projectFolder(name, context)
      const isTaken = folder === undefined || takesProject(folder, context.config, context.machine)
      if (isTaken) yield { id: sourceItemId('project', name), title: withTilde(folder ?? name, context.machine) }
    }
  },
  changes: (partition, cursor, context) => sessionFileChanges(TOOL, partition, cursor, context),
  read: (ref, context) => readSessionFile(TOOL, ref, context),
}

function rootsOf({ config, machine }: CheckContext): Promise<string[]> {
  const { userHome, env } = machine
  const standard = env.CLAUDE_CONFIG_DIR
    ? env.CLAUDE_CONFIG_DIR.split(',').map((folder) => join(folder.trim(), 'projects'))
    : [
        join(userHome, '.claude', 'projects'),
        join(env.XDG_CONFIG_HOME || join(userHome, '.config'), 'claude', 'projects'),
      ]
  return presentFolders('Claude Code', placesOf(config, standard, machine), machine)
}

/** The session files of a project, and those of their sub-agents: in a folder of the session, before beside it. */
async function listSessions({ id }: Pick<Partition, 'id'>, context: CheckContext) {
  const files: SessionFile[] = []
  for (const root of await rootsOf(context)) {
    for (const folder of await readdir(root)) {
      if (sourceItemId('project', folder) !== id) continue
      for (const name of await sessionNames(join(root, folder))) {
        const sessionId = name.slice(0, -'.jsonl'.length)
        const isSubAgent = name.startsWith('agent-')
        files.push({ key: sessionId, sessionId, paths: [join(root, folder, name)], isSubAgent })
        if (!isSubAgent) files.push(...(await subAgentsOf(join(root, folder), sessionId)))
      }
    }
  }
  const keys = new Set<string>()
  return files.filter(({ key }) => !keys.has(key) && keys.add(key))
}

/** Their names are unique only within their session. */
async function subAgentsOf(folder: string, session: string): Promise<SessionFile[]> {
  const below = join(folder, session, 'subagents')
  return (await sessionNames(below)).map((name) => {
    const key = `${session}_${name.slice(0, -'.jsonl'.length)}`
    return { key, sessionId: key, paths: [join(below, name)], isSubAgent: true }
  })
}

async function sessionNames(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch((cause: unknown) => absent(folder, cause))) ?? []
  return names.filter((name) => name.endsWith('.jsonl')).sort()
}

/** The project folder: its name here is the path with every special character replaced by `-`. */
async function projectFolder(name: string, context: CheckContext): Promise<string | undefined> {
  for (const { paths } of await listSessions({ id: sourceItemId('project', name) }, context)) {
    for (const path of paths) {
      const folder = /"cwd":\s?("(?:[^"\\]|\\.){1,4000}")/.exec(await headOf(path))?.[1]
      if (folder !== undefined) return String(JSON.parse(folder))
    }
  }
  return undefined
}

async function headOf(path: string): Promise<string> {
  try {
    await using file = await open(path)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } catch (error) {
    // Another session of the project may contain the folder; reading this one reports the error.
    if (error instanceof Error && 'syscall' in error) return ''
    throw error
  }
}
