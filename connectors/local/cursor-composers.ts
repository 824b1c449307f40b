import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { instant, type SessionPart, spokenPart, TITLE_RANKS } from './session-message.ts'
import { parsedJson, toolCalls } from './tool-calls.ts'

/** A conversation in the editor Cursor. */
export interface Composer {
  readonly id: string
  /** Changes when a message is added or its length changes. */
  readonly stamp: string
  /** @param folderOf the project of a composer that does not state it */
  parts(toolLimit: number, folderOf: (id: string) => Promise<string | undefined>): Promise<SessionPart[]>
}

const text = z.string().nullish()
const time = z.union([z.string(), z.number()]).nullish()
const tool = z.looseObject({
  name: text,
  params: z.unknown().optional(),
  rawArgs: z.unknown().optional(),
  result: z.unknown().optional(),
})
const bubble = z.looseObject({
  bubbleId: text,
  type: z.number().optional(),
  text,
  createdAt: time,
  timingInfo: z.looseObject({ clientStartTime: z.number().optional() }).nullish(),
  toolFormerData: tool.nullish().catch(undefined),
})
type Bubble = z.infer<typeof bubble>
const composer = z.looseObject({
  name: text,
  createdAt: time,
  workspaceIdentifier: z.looseObject({ uri: z.looseObject({ fsPath: text, path: text }).nullish() }).nullish(),
  fullConversationHeadersOnly: z.array(z.looseObject({ bubbleId: z.string() })).nullish(),
  conversation: z.array(z.unknown()).nullish(),
})

const row = z.object({ key: z.string(), value: z.unknown().optional() })
const size = z.object({ key: z.string(), bytes: z.number().nullable() })
const ROLES: Readonly<Record<number, 'user' | 'assistant'>> = { 1: 'user', 2: 'assistant' }
const KEYS = 'SELECT key, value FROM cursorDiskKV WHERE key >= ? AND key < ?'
const SIZES = 'SELECT key, octet_length(value) AS bytes FROM cursorDiskKV WHERE key >= ? AND key < ?'

/** Every conversation of the database `globalStorage/state.vscdb`. */
export function* composersOf(database: DatabaseSync): Generator<Composer> {
  if (!hasTable(database, 'cursorDiskKV')) return
  const sizes = database.prepare(SIZES)
  for (const found of database.prepare(KEYS).iterate('composerData:', 'composerData;')) {
    const { key, value } = row.parse(found)
    const id = key.slice('composerData:'.length)
    const source = storedText(value)
    const stamp = createHash('sha256').update(source)
    for (const part of sizes.iterate(`bubbleId:${id}:`, `bubbleId:${id};`)) {
      const { key: bubbleKey, bytes } = size.parse(part)
      stamp.update(`\n${bubbleKey} ${bytes}`)
    }
    yield {
      id,
      stamp: stamp.digest('hex').slice(0, 16),
      parts: (toolLimit, folderOf) => composerParts(database, id, source, toolLimit, folderOf),
    }
  }
}

/** Ids of the composers that a workspace's own database lists, as older versions of Cursor did. */
export function listedComposers(database: DatabaseSync): string[] {
  if (!hasTable(database, 'ItemTable')) return []
  const found = database.prepare('SELECT key, value FROM ItemTable WHERE key = ?').get('composer.composerData')
  if (found === undefined) return []
  const listed = z
    .looseObject({
      allComposers: z.array(z.looseObject({ composerId: z.string() })).catch([]),
      selectedComposerIds: z.array(z.string()).catch([]),
    })
    .safeParse(parsedJson(storedText(row.parse(found).value)))
  if (!listed.success) return []
  return [...listed.data.allComposers.map(({ composerId }) => composerId), ...listed.data.selectedComposerIds]
}

export function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined
}

async function composerParts(
  database: DatabaseSync,
  id: string,
  source: string,
  toolLimit: number,
  folderOf: (id: string) => Promise<string | undefined>,
): Promise<SessionPart[]> {
  const parsed = composer.safeParse(parsedJson(source))
  if (!parsed.success) return []
  const { name, workspaceIdentifier, fullConversationHeadersOnly: headers, conversation } = parsed.data
  const bubbles = bubblesOf(database, id, conversation ?? [])
  const ids = headers?.length ? headers.map(({ bubbleId }) => bubbleId) : [...bubbles.keys()]
  const ordered = ids.map((bubbleId) => bubbles.get(bubbleId)).filter((said) => said !== undefined)
  const folder = workspaceIdentifier?.uri?.fsPath ?? workspaceIdentifier?.uri?.path ?? (await folderOf(id))
  const tools = toolCalls(toolLimit)
  return [
    ...(folder ? [{ type: 'folder' as const, path: folder }] : []),
    ...(name ? [{ type: 'title' as const, text: name, rank: TITLE_RANKS.agent }] : []),
    ...ordered.flatMap((said) => bubbleParts(said, tools)),
  ]
}

/** By the message id, which the order refers to; by that of its key if it has none. */
function bubblesOf(database: DatabaseSync, id: string, inline: readonly unknown[]): ReadonlyMap<string, Bubble> {
  const bubbles = new Map<string, Bubble>()
  const add = (value: unknown, keyed: string) => {
    const parsed = bubble.safeParse(value)
    if (parsed.success) bubbles.set(parsed.data.bubbleId ?? keyed, parsed.data)
  }
  for (const [at, value] of inline.entries()) add(value, String(at))
  const prefix = `bubbleId:${id}:`
  for (const found of database.prepare(`${KEYS} ORDER BY rowid`).iterate(prefix, `bubbleId:${id};`)) {
    const { key, value } = row.parse(found)
    add(parsedJson(storedText(value)), key.slice(prefix.length))
  }
  return bubbles
}

function bubbleParts(said: Bubble, tools: ReturnType<typeof toolCalls>): SessionPart[] {
  const at = instant(said.createdAt ?? said.timingInfo?.clientStartTime)
  const role = ROLES[said.type ?? 0]
  const spoken = role === undefined ? [] : spokenPart(role, said.text ?? '', at)
  const used = said.toolFormerData
  if (!used?.name) return spoken
  return [
    ...spoken,
    ...tools.call(undefined, used.name, used.params ?? used.rawArgs, at),
    ...tools.result(undefined, used.result, at, used.name),
  ]
}

function storedText(value: unknown): string {
  if (typeof value === 'string') return value
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : ''
}
