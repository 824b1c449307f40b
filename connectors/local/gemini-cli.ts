import { createHash } from 'node:crypto'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Connector, Context, Partition } from '../../src/connector/connector.ts'
import { absent, folderAccount, presentFolders, withTilde } from './agent-folders.ts'
import { type AgentConfig, agentManifest, placesOf, takesProject } from './agent-settings.ts'
import { geminiSession } from './gemini-session.ts'
import { parsedJson } from './tool-calls.ts'
import {
  readWholeSession,
  type SessionTool,
  type WholeSession,
  type WholeSessionsCursor,
  wholeSessionChanges,
  wholeSessionsCursor,
} from './whole-sessions.ts'

type CheckContext = Pick<Context<AgentConfig>, 'config' | 'machine'>

const SESSION_FILE = /^(session-.+)\.jsonl?$/
/** At the start of a file; hooks state the same id. */
const SESSION_ID = /"sessionId":\s*"([\w-]{1,128})"/
const HEAD_BYTES = 512

const TOOL: SessionTool = { prefix: 'gemini-cli', sourceType: 'stream', agent: 'Gemini', sessions: sessionsOf }

/** Sessions with Gemini CLI on this machine, by project. */
export const geminiCli: Connector<AgentConfig, WholeSessionsCursor> = {
  manifest: agentManifest(
    { id: 'gemini_cli', sourceType: 'stream', title: 'Gemini CLI', standard: '~/.gemini' },
    wholeSessionsCursor,
  ),
  check: async ({ config, machine }) => folderAccount(await homesOf({ config, machine }), config.path, machine),
  async *partitions(context) {
    const seen = new Set<string>()
    for (const { name, project } of await chatFolders(context)) {
      if (seen.has(name) || (project && !takesProject(project, context.config, context.machine))) continue
      seen.add(name)
      yield { id: name, title: withTilde(project ?? name, context.machine) }
    }
  },
  changes: (partition, cursor, context) => wholeSessionChanges(TOOL, partition, cursor, context),
  read: (ref, context) => readWholeSession(TOOL, ref, context),
}

function homesOf({ config, machine }: CheckContext): Promise<string[]> {
  const standard = [join(machine.env.GEMINI_CLI_HOME || machine.userHome, '.gemini')]
  return presentFolders('Gemini CLI', placesOf(config, standard, machine), machine)
}

interface ChatFolder {
  /** A short name of the project, or until 2026 a digest of its path. */
  readonly name: string
  readonly path: string
  readonly project: string | undefined
}

async function chatFolders(context: CheckContext): Promise<ChatFolder[]> {
  const folders: ChatFolder[] = []
  for (const home of await homesOf(context)) {
    const root = join(home, 'tmp')
    const names = (await readdir(root).catch((cause: unknown) => absent(root, cause))) ?? []
    const byDigest = await projectsByDigest(home)
    for (const name of names.sort()) {
      const path = join(root, name, 'chats')
      const found = await stat(path).catch((cause: unknown) => absent(path, cause))
      if (!found?.isDirectory()) continue
      const stated = (await textIn(join(root, name, '.project_root')))?.trim()
      folders.push({ name, path, project: stated || byDigest.get(name) })
    }
  }
  return folders
}

const registry = z.looseObject({ projects: z.record(z.string(), z.unknown()) })

async function projectsByDigest(home: string): Promise<ReadonlyMap<string, string>> {
  const parsed = registry.safeParse(parsedJson((await textIn(join(home, 'projects.json'))) ?? ''))
  const paths = parsed.success ? Object.keys(parsed.data.projects) : []
  return new Map(paths.map((path) => [createHash('sha256').update(path).digest('hex'), path]))
}

async function textIn(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((cause: unknown) => absent(path, cause))
}

async function* sessionsOf(
  { id }: Partition,
  _known: WholeSessionsCursor,
  _stamps: Record<string, string>,
  context: Context<AgentConfig>,
): AsyncGenerator<WholeSession> {
  for (const { name: folder, path: root, project } of await chatFolders(context)) {
    if (folder !== id) continue
    // `.jsonl` before `.json`: a resumed session of an older version goes on as a log.
    for (const name of (await readdir(root)).sort().reverse()) {
      const session = SESSION_FILE.exec(name)?.[1]
      const path = join(root, name)
      const stats = await stat(path, { bigint: true }).catch((cause: unknown) => absent(path, cause))
      if (session === undefined || !stats?.isFile()) continue
      yield {
        key: name,
        id: (await sessionIdIn(path)) ?? session,
        stamp: `${stats.ino}-${stats.size}-${stats.mtimeNs}`,
        createdAt: stats.birthtime,
        load: () => geminiSession(path, project, context.config, context.signal),
      }
    }
  }
}

async function sessionIdIn(path: string): Promise<string | undefined> {
  const file = await open(path).catch((cause: unknown) => absent(path, cause))
  if (file === undefined) return undefined
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return SESSION_ID.exec(buffer.toString('utf8', 0, bytesRead))?.[1]
  } finally {
    await file.close()
  }
}
