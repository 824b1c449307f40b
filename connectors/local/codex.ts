import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Connector, Context } from '../../src/connector/connector.ts'
import { absent, folderAccount, presentFolders } from './agent-folders.ts'
import { type AgentConfig, agentManifest, placesOf } from './agent-settings.ts'
import { codexReader } from './codex-lines.ts'
import {
  type FileTool,
  readSessionFile,
  type SessionFile,
  type SessionFilesCursor,
  sessionFileChanges,
  sessionFilesCursor,
} from './session-files.ts'

type CheckContext = Pick<Context<AgentConfig>, 'config' | 'machine'>

const TOOL: FileTool = {
  prefix: 'codex',
  sourceType: 'codex',
  agent: 'Codex',
  list: async ({ id }, context) => (await sessionsByMonth(context)).get(id) ?? [],
  reader: codexReader,
}

/** Folders in the home of Codex; archiving moves a session from one to the other. */
const FOLDERS = ['sessions', 'archived_sessions']
const SESSION_FILE = /^(.+)\.jsonl(?:\.zst)?$/
const UUID_AT_THE_END = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Depth of the folders, such as `sessions/2026/05/13`. */
const DEEPEST = 4

/** Sessions with Codex on this machine, by the month in which they began. */
export const codex: Connector<AgentConfig, SessionFilesCursor> = {
  manifest: agentManifest(
    { id: 'codex', sourceType: 'codex', title: 'Codex', standard: '~/.codex' },
    sessionFilesCursor,
  ),
  check: async ({ config, machine }) => folderAccount(await homesOf({ config, machine }), config.path, machine),
  async *partitions(context) {
    for (const month of [...(await sessionsByMonth(context)).keys()].sort()) yield { id: month, title: month }
  },
  changes: (partition, cursor, context) => sessionFileChanges(TOOL, partition, cursor, context),
  read: (ref, context) => readSessionFile(TOOL, ref, context),
}

function homesOf({ config, machine }: CheckContext): Promise<string[]> {
  const standard = [machine.env.CODEX_HOME || join(machine.userHome, '.codex')]
  return presentFolders('Codex', placesOf(config, standard, machine), machine)
}

async function sessionsByMonth(context: CheckContext): Promise<ReadonlyMap<string, SessionFile[]>> {
  const months = new Map<string, SessionFile[]>()
  const keys = new Set<string>()
  for (const home of await homesOf(context)) {
    for (const folder of FOLDERS) {
      for (const { name, path } of await filesBelow(join(home, folder), DEEPEST)) {
        const key = SESSION_FILE.exec(name)?.[1]
        if (key === undefined || keys.has(key)) continue
        keys.add(key)
        const sessionId = UUID_AT_THE_END.exec(key)?.[0] ?? key
        // Old sessions are compressed and expanded again when continued, so the plain file is newer.
        const paths = [path, join(home, 'archived_sessions')].flatMap((root) => {
          const plain = join(root, `${key}.jsonl`)
          return [plain, `${plain}.zst`]
        })
        const month = /(?:^|-)(\d{4}-\d{2})-\d{2}T/.exec(key)?.[1] ?? 'undated'
        months.set(month, [...(months.get(month) ?? []), { key, sessionId, paths }])
      }
    }
  }
  return months
}

/** @returns names with their folder, sorted by name */
async function filesBelow(folder: string, depth: number): Promise<{ name: string; path: string }[]> {
  const entries =
    (await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => absent(folder, cause))) ?? []
  const sorted = entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  const files = sorted.filter((entry) => entry.isFile()).map(({ name }) => ({ name, path: folder }))
  if (depth <= 1) return files
  for (const entry of sorted) {
    if (entry.isDirectory()) files.push(...(await filesBelow(join(folder, entry.name), depth - 1)))
  }
  return files
}
