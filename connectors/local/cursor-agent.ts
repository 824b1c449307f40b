import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { hasTable } from './cursor-composers.ts'
import { type LineCounts, readSessionLines } from './session-lines.ts'
import { instant, type SessionPart, spokenPart, TITLE_RANKS } from './session-message.ts'
import { parsedJson, type ToolCalls, toolCalls } from './tool-calls.ts'

const content = z.union([z.string(), z.array(z.unknown())]).optional()
const message = z.looseObject({
  role: z.string(),
  content,
  message: z.looseObject({ content }).optional(),
  createdAt: z.union([z.string(), z.number()]).optional(),
})
/** In a chat (`tool-call`) and in a transcript (`tool_use`). */
const part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  toolCallId: z.string().optional(),
  toolName: z.string().optional(),
  args: z.unknown().optional(),
  result: z.unknown().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
})
const agent = z.looseObject({ name: z.string().optional(), workspacePath: z.string().optional() })
const metaRow = z.object({ value: z.union([z.string(), z.instanceof(Uint8Array)]) })
const blobRow = z.object({ data: z.union([z.string(), z.instanceof(Uint8Array)]) })
/** `{`: blobs with JSON are messages; the others link them. */
const BRACE = 123

/** A chat of the command line agent: its `store.db`, with the messages in order. */
export function chatParts(database: DatabaseSync, toolLimit: number): SessionPart[] {
  if (!hasTable(database, 'blobs')) return []
  const { name, workspacePath } = agentRecord(database)
  const tools = toolCalls(toolLimit)
  const parts: SessionPart[] = []
  if (workspacePath) parts.push({ type: 'folder', path: workspacePath })
  if (name && name !== 'New Agent') parts.push({ type: 'title', text: name, rank: TITLE_RANKS.agent })
  for (const row of database.prepare('SELECT data FROM blobs ORDER BY rowid').iterate()) {
    const data = Buffer.from(blobRow.parse(row).data)
    if (data[0] === BRACE) parts.push(...messageParts(parsedJson(data.toString('utf8')), tools))
  }
  return parts
}

/** A transcript of the agent, of which one line is a message without a time. */
export async function transcriptParts(
  path: string,
  folder: string | undefined,
  toolLimit: number,
  signal: AbortSignal,
  counts: LineCounts,
): Promise<SessionPart[]> {
  const tools = toolCalls(toolLimit)
  const parts: SessionPart[] = folder === undefined ? [] : [{ type: 'folder', path: folder }]
  for await (const { value } of readSessionLines(path, 0, signal, counts)) parts.push(...messageParts(value, tools))
  return parts
}

function messageParts(value: unknown, tools: ToolCalls): SessionPart[] {
  const parsed = message.safeParse(value)
  if (!parsed.success) return []
  const { role, createdAt } = parsed.data
  const at = instant(createdAt)
  const said = parsed.data.content ?? parsed.data.message?.content ?? []
  const spoken = (text: string) => (role === 'user' || role === 'assistant' ? spokenPart(role, text, at) : [])
  if (typeof said === 'string') return spoken(said)
  return said.flatMap((element) => {
    const read = part.safeParse(element)
    if (!read.success) return []
    const { type, text, toolCallId: id, toolName, args, result, name, input } = read.data
    if (type === 'text' && text !== undefined) return spoken(text)
    if (type === 'tool-call') return tools.call(id, toolName ?? 'tool', args, at)
    if (type === 'tool_use') return tools.call(undefined, name ?? 'tool', input, at)
    if (type === 'tool-result') return tools.result(id, result, at, toolName)
    return []
  })
}

/** The agent's metadata of the chat: JSON, hex-encoded in most versions. */
function agentRecord(database: DatabaseSync): z.infer<typeof agent> {
  if (!hasTable(database, 'meta')) return {}
  const row = metaRow.safeParse(database.prepare("SELECT value FROM meta WHERE key = '0'").get())
  if (!row.success) return {}
  const source = Buffer.from(row.data.value).toString('utf8')
  const parsed = agent.safeParse(
    parsedJson(source.startsWith('{') ? source : Buffer.from(source, 'hex').toString('utf8')),
  )
  return parsed.success ? parsed.data : {}
}
