import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { SourceError } from '../../src/connector/source-error.ts'
import type { AgentConfig } from './agent-settings.ts'
import { type LineCounts, readSessionLines } from './session-lines.ts'
import { instant, type SessionPart, spokenPart, TITLE_RANKS } from './session-message.ts'
import { parsedJson, type ToolCalls, toolCalls } from './tool-calls.ts'

/** Largest session that is read, in bytes, because it is read as a whole. */
const LARGEST = 128 * 1024 * 1024

/** A whole session (until 2026), or the facts about one. */
const record = z.looseObject({
  kind: z.string().optional(),
  summary: z.string().optional(),
  messages: z.array(z.unknown()).optional(),
})
type SessionRecord = z.infer<typeof record>
const update = z.looseObject({ $set: record })
/** Undoes this message and everything after it. */
const rewind = z.looseObject({ $rewindTo: z.string() })
const identified = z.looseObject({ id: z.string() })
const message = z.looseObject({
  type: z.string(),
  timestamp: z.string().optional(),
  content: z.unknown().optional(),
  displayContent: z.unknown().optional(),
  toolCalls: z.array(z.unknown()).optional(),
})
const textPart = z.looseObject({ text: z.string() })
const toolCall = z.looseObject({
  id: z.string().optional(),
  name: z.string(),
  args: z.unknown().optional(),
  result: z.unknown().optional(),
  timestamp: z.string().optional(),
})
const toolResponse = z.looseObject({ functionResponse: z.looseObject({ response: z.unknown().optional() }) })

/**
 * The messages of a session of Gemini CLI. Sub-agents, thoughts and text that Gemini CLI adds to prompts are skipped.
 * @throws SourceError `skip` when it is too large or a line is too long, because what follows would be wrong
 */
export async function geminiSession(
  path: string,
  project: string | undefined,
  config: AgentConfig,
  signal: AbortSignal,
): Promise<SessionPart[]> {
  const { kind, summary, messages } = await sessionIn(path, signal)
  if (kind === 'subagent') return []
  const tools = toolCalls(config.tool_output_kb * 1024)
  return [
    ...(project === undefined ? [] : [{ type: 'folder' as const, path: project }]),
    ...(summary ? [{ type: 'title' as const, text: summary, rank: TITLE_RANKS.agent }] : []),
    ...messages.flatMap((value) => messageParts(value, tools)),
  ]
}

type Session = Pick<SessionRecord, 'kind' | 'summary'> & { readonly messages: readonly unknown[] }

async function sessionIn(path: string, signal: AbortSignal): Promise<Session> {
  try {
    const { size } = await stat(path)
    if (size > LARGEST)
      throw new SourceError('skip', `${path} is ${Math.ceil(size / 2 ** 20)} MB. The limit is ${LARGEST / 2 ** 20} MB.`)
    if (path.endsWith('.jsonl')) return await replayed(path, signal)
    const parsed = record.safeParse(parsedJson(await readFile(path, { encoding: 'utf8', signal })))
    if (!parsed.success) throw new SourceError('skip', `${path} is not a session of Gemini CLI.`)
    return { ...parsed.data, messages: parsed.data.messages ?? [] }
  } catch (cause) {
    if (signal.aborted || !(cause instanceof Error && 'syscall' in cause)) throw cause
    throw new SourceError('retry', `${path} can't be read.`, { cause })
  }
}

/** A log: facts and messages, later versions of them under the same id, and what was undone. */
async function replayed(path: string, signal: AbortSignal): Promise<Session> {
  const counts: LineCounts = { broken: 0, tooLong: 0 }
  let facts: SessionRecord = {}
  const messages = new Map<string, unknown>()
  const keep = (value: unknown) => {
    const parsed = identified.safeParse(value)
    if (parsed.success) messages.set(parsed.data.id, value)
  }
  for await (const { value } of readSessionLines(path, 0, signal, counts)) {
    if (counts.tooLong > 0) throw new SourceError('skip', `${path} has a line that is too long.`)
    const undone = rewind.safeParse(value).data?.$rewindTo
    const set = update.safeParse(value).data?.$set
    if (undone !== undefined) rewound(messages, undone)
    else if (identified.safeParse(value).success) keep(value)
    else {
      const { messages: all, ...rest } = set ?? record.safeParse(value).data ?? {}
      facts = { ...facts, ...rest }
      if (all !== undefined) messages.clear()
      for (const one of all ?? []) keep(one)
    }
  }
  return { ...facts, messages: [...messages.values()] }
}

/** Without such a message, everything was undone. */
function rewound(messages: Map<string, unknown>, id: string): void {
  const ids = [...messages.keys()]
  for (const later of ids.slice(Math.max(0, ids.indexOf(id)))) messages.delete(later)
}

function messageParts(value: unknown, tools: ToolCalls): SessionPart[] {
  const parsed = message.safeParse(value)
  if (!parsed.success) return []
  const { type, timestamp, content, displayContent, toolCalls: calls = [] } = parsed.data
  const at = instant(timestamp)
  if (type === 'user') return spokenPart('user', contentText(displayContent ?? content), at)
  if (type !== 'gemini') return []
  return [...spokenPart('assistant', contentText(content), at), ...calls.flatMap((call) => callParts(call, tools))]
}

function callParts(value: unknown, tools: ToolCalls): SessionPart[] {
  const parsed = toolCall.safeParse(value)
  if (!parsed.success) return []
  const { id, name, args, result, timestamp } = parsed.data
  const at = instant(timestamp)
  const outputs = [result].flat().map((part) => {
    const answered = toolResponse.safeParse(part)
    return answered.success ? answered.data.functionResponse.response : part
  })
  return [...tools.call(id, name, args, at), ...tools.result(id, outputs, at, name)]
}

/** A string, a part, or a list of both. */
function contentText(content: unknown): string {
  return [content]
    .flat()
    .flatMap((part) => (typeof part === 'string' ? part : (textPart.safeParse(part).data?.text ?? [])))
    .join('\n')
}
