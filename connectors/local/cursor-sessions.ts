import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { absent } from './agent-folders.ts'
import type { AgentConfig } from './agent-settings.ts'
import { chatParts, transcriptParts } from './cursor-agent.ts'
import { composersOf, listedComposers } from './cursor-composers.ts'
import type { LineCounts } from './session-lines.ts'
import { databaseStamp, openDatabaseCopy } from './sqlite-copy.ts'
import type { WholeSession, WholeSessionsCursor } from './whole-sessions.ts'
import { workspaceFolders } from './workspace-folders.ts'

/**
 * Every session of Cursor in these folders, each either `User` of the editor or `.cursor` of the agent. A session may
 * exist in several of them: the most complete one is first.
 */
export async function* cursorSessions(
  roots: readonly string[],
  known: WholeSessionsCursor,
  stamps: Record<string, string>,
  context: Context<AgentConfig>,
): AsyncGenerator<WholeSession> {
  const projects = await projectsBelow(roots)
  for (const root of roots) yield* editorSessions(root, known, stamps, context)
  for (const root of roots) {
    yield* chatSessions(join(root, 'chats'), projects, context)
    yield* chatSessions(root, projects, context, ['acp-sessions'])
  }
  for (const root of roots) yield* transcripts(join(root, 'projects'), projects, context)
}

/** The database is copied only after a change, because it can have gigabytes. */
async function* editorSessions(
  root: string,
  known: WholeSessionsCursor,
  stamps: Record<string, string>,
  context: Context<AgentConfig>,
): AsyncGenerator<WholeSession> {
  const path = join(root, 'globalStorage', 'state.vscdb')
  const stamp = await databaseStamp(path)
  if (stamp === undefined) return
  const prefix = `editor:${createHash('sha256').update(path).digest('hex').slice(0, 8)}:`
  stamps[path] = stamp
  const unchanged = Object.entries(known.sessions).flatMap(([key, session]) =>
    key.startsWith(prefix) ? [{ key, id: key.slice(prefix.length), stamp: session.stamp, load: async () => [] }] : [],
  )
  if (known.databases[path] === stamp) return yield* unchanged
  try {
    using copy = await openDatabaseCopy(path, context.machine.temporaryFolder)
    let listed: Promise<ReadonlyMap<string, string>> | undefined
    const folderOf = async (id: string) => {
      listed ??= composerFolders(root, context)
      return (await listed).get(id)
    }
    for (const { id, stamp: written, parts } of composersOf(copy.database)) {
      yield { key: `${prefix}${id}`, id, stamp: written, load: () => parts(toolLimit(context), folderOf) }
    }
  } catch (error) {
    // Sessions in other places are still read.
    yield { key: `${prefix}database`, id: 'state', stamp, load: () => Promise.reject(databaseError(path, error)) }
    yield* unchanged
  }
}

function databaseError(path: string, cause: unknown): unknown {
  if (cause instanceof SourceError || !(cause instanceof Error && 'code' in cause)) return cause
  return cause.code === 'ERR_SQLITE_ERROR' ? new SourceError('skip', `${path} is damaged.`, { cause }) : cause
}

/** The projects of composers without one, according to the workspace databases. */
async function composerFolders(root: string, context: Context<AgentConfig>): Promise<ReadonlyMap<string, string>> {
  const folders = new Map<string, string>()
  for (const { path, project } of await workspaceFolders(root)) {
    const database = join(path, 'state.vscdb')
    if (project === undefined || (await databaseStamp(database)) === undefined) continue
    try {
      using copy = await openDatabaseCopy(database, context.machine.temporaryFolder)
      for (const id of listedComposers(copy.database)) folders.set(id, project)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      // Only the projects of their sessions are then unknown.
      context.log.debug({ error: error.message }, "a Cursor workspace can't be read")
    }
  }
  return folders
}

/** `chats/<MD5 of the project>/<session>/store.db`. */
async function* chatSessions(
  folder: string,
  projects: readonly string[],
  context: Context<AgentConfig>,
  buckets?: readonly string[],
): AsyncGenerator<WholeSession> {
  const byHash = new Map(projects.map((project) => [createHash('md5').update(project).digest('hex'), project]))
  for (const bucket of buckets ?? (await foldersIn(folder))) {
    for (const id of await foldersIn(join(folder, bucket))) {
      const path = join(folder, bucket, id, 'store.db')
      const stamp = await databaseStamp(path)
      if (stamp === undefined) continue
      const project = byHash.get(bucket)
      yield {
        key: `chat:${bucket}:${id}`,
        id,
        stamp,
        load: () => loadChat(path, project, context),
      }
    }
  }
}

/** `projects/<project>/agent-transcripts/<session>/<session>.jsonl`, or without the session's folder. */
async function* transcripts(
  folder: string,
  projects: readonly string[],
  context: Context<AgentConfig>,
): AsyncGenerator<WholeSession> {
  const byName = new Map(projects.map((project) => [projectName(project), project]))
  for (const name of await foldersIn(folder)) {
    const root = join(folder, name, 'agent-transcripts')
    for (const entry of await entriesIn(root)) {
      const id = entry.name.replace(/\.jsonl$/, '')
      const path = entry.isDirectory() ? join(root, id, `${id}.jsonl`) : join(root, entry.name)
      const stats = await stat(path, { bigint: true }).catch((cause: unknown) => absent(path, cause))
      if (!stats?.isFile() || !path.endsWith('.jsonl')) continue
      yield {
        key: `transcript:${name}:${id}`,
        id,
        stamp: `${stats.ino}-${stats.size}-${stats.mtimeNs}`,
        createdAt: stats.birthtime,
        load: () => loadTranscript(path, byName.get(name), context),
      }
    }
  }
}

async function loadChat(path: string, project: string | undefined, context: Context<AgentConfig>) {
  try {
    using copy = await openDatabaseCopy(path, context.machine.temporaryFolder)
    const folder = project === undefined ? [] : [{ type: 'folder' as const, path: project }]
    return [...folder, ...chatParts(copy.database, toolLimit(context))]
  } catch (error) {
    throw databaseError(path, error)
  }
}

async function loadTranscript(path: string, folder: string | undefined, context: Context<AgentConfig>) {
  const counts: LineCounts = { broken: 0, tooLong: 0 }
  try {
    const parts = await transcriptParts(path, folder, toolLimit(context), context.signal, counts)
    if (counts.broken + counts.tooLong > 0) context.log.debug(counts, 'lines of a transcript were skipped')
    return parts
  } catch (cause) {
    if (context.signal.aborted || !(cause instanceof Error && 'syscall' in cause)) throw cause
    throw new SourceError('retry', `${path} can't be read.`, { cause })
  }
}

/** Every project known to the editor: the agent stores only a hash or a shortened name. */
async function projectsBelow(roots: readonly string[]): Promise<string[]> {
  const folders = await Promise.all(roots.map((root) => workspaceFolders(root)))
  return folders.flat().flatMap(({ project }) => project ?? [])
}

/** `/home/ada/shop` is `home-ada-shop`. */
function projectName(path: string): string {
  return path.replace(/^[/\\]+|[/\\]+$/g, '').replace(/[^A-Za-z0-9]+/g, '-')
}

async function foldersIn(folder: string): Promise<string[]> {
  return (await entriesIn(folder)).filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

async function entriesIn(folder: string) {
  const entries =
    (await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => absent(folder, cause))) ?? []
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function toolLimit({ config }: Context<AgentConfig>): number {
  return config.tool_output_kb * 1024
}
