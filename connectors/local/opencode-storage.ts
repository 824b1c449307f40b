import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { Context } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { absent } from './agent-folders.ts'
import type { AgentConfig } from './agent-settings.ts'
import { type OpenCodeMessage, openCodeParts } from './opencode-messages.ts'
import { parsedJson } from './tool-calls.ts'
import type { WholeSession } from './whole-sessions.ts'

const session = z.looseObject({
  parentID: z.string().nullish(),
  directory: z.string().nullish(),
  title: z.string().nullish(),
  revert: z.looseObject({ messageID: z.string().optional() }).nullish(),
})

/** Sessions before version 1.2 (February 2026): a file for each session, message and part. Later ones leave them there. */
export async function* storedSessions(home: string, context: Context<AgentConfig>): AsyncGenerator<WholeSession> {
  const root = join(home, 'storage')
  for (const project of await entries(join(root, 'session'))) {
    for (const name of jsonFiles(await entries(join(root, 'session', project.name)))) {
      const path = join(root, 'session', project.name, name)
      const id = basename(name, '.json')
      yield {
        key: `storage:${id}`,
        id,
        stamp: await stampOf([path, ...(await messageFiles(root, id))]),
        load: () => storedParts(root, path, id, context),
      }
    }
  }
}

async function storedParts(root: string, path: string, id: string, context: Context<AgentConfig>) {
  const parsed = session.safeParse(await jsonIn(path))
  if (!parsed.success) throw new SourceError('skip', `${path} is not a session of opencode.`, { cause: parsed.error })
  const { parentID: parent, directory, title, revert } = parsed.data
  const messages: OpenCodeMessage[] = []
  for (const file of await messageFiles(root, id)) {
    const message = basename(file, '.json')
    const folder = join(root, 'part', message)
    const parts = []
    for (const name of jsonFiles(await entries(folder))) parts.push(await jsonIn(join(folder, name)))
    messages.push({ id: message, data: await jsonIn(file), parts })
  }
  const facts = {
    parent: parent ?? undefined,
    directory: directory ?? '',
    title: title ?? '',
    undoneFrom: revert?.messageID,
  }
  return openCodeParts(facts, messages, context.config.tool_output_kb * 1024)
}

async function messageFiles(root: string, session: string): Promise<string[]> {
  const folder = join(root, 'message', session)
  return jsonFiles(await entries(folder)).map((name) => join(folder, name))
}

/** A message is written again when it is complete. */
async function stampOf(files: readonly string[]): Promise<string> {
  let latest = 0n
  for (const file of files) {
    const stats = await stat(file, { bigint: true }).catch((cause: unknown) => absent(file, cause))
    if (stats !== undefined && stats.mtimeNs > latest) latest = stats.mtimeNs
  }
  return `${files.length}-${latest}`
}

/** In the order of their names, which is that of their creation; none if there is no such folder. */
async function entries(folder: string): Promise<Dirent[]> {
  const found = (await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => absent(folder, cause))) ?? []
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function jsonFiles(found: readonly Dirent[]): string[] {
  return found.filter((entry) => entry.isFile() && entry.name.endsWith('.json')).map(({ name }) => name)
}

async function jsonIn(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => absent(path, cause))
  return text === undefined ? undefined : parsedJson(text)
}
