import { z } from 'zod'
import type { AgentConfig } from './agent-settings.ts'
import type { ArrangedLine, SessionFile, SessionReader } from './session-files.ts'
import type { SessionLine } from './session-lines.ts'
import { instant, type SessionPart, spokenPart, TITLE_RANKS } from './session-message.ts'
import { toolCalls } from './tool-calls.ts'

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  tool_use_id: z.string().optional(),
})
const line = z.looseObject({
  type: z.string(),
  uuid: z.string().optional(),
  parentUuid: z.string().nullish(),
  leafUuid: z.string().optional(),
  timestamp: z.string().optional(),
  cwd: z.string().optional(),
  sessionId: z.string().optional(),
  isSidechain: z.boolean().optional(),
  isMeta: z.boolean().optional(),
  isCompactSummary: z.boolean().optional(),
  isVisibleInTranscriptOnly: z.boolean().optional(),
  summary: z.string().optional(),
  customTitle: z.string().optional(),
  aiTitle: z.string().optional(),
  message: z
    .looseObject({ id: z.string().optional(), content: z.union([z.string(), z.array(z.unknown())]) })
    .optional(),
  attachment: z.looseObject({ type: z.string(), prompt: z.string().optional() }).optional(),
})
type Line = z.infer<typeof line>

/** How many lines, and bytes, to search for a line after one that refers to it. */
const WINDOW_LINES = 64
const WINDOW_BYTES = 4 * 1024 * 1024

/** Reads sessions of Claude Code. What a session contains of its sub-agents' work, meta messages and the program's own notes are skipped. */
export function claudeReader(
  config: AgentConfig,
  { isSubAgent = false }: Pick<SessionFile, 'isSubAgent'> = {},
): SessionReader {
  const tools = toolCalls(config.tool_output_kb * 1024)
  const seen = new Set<string>()
  // A response is split over several lines, and some versions write a part of it twice.
  const answer = { id: '', parts: new Set<string>() }
  const summaries = new Map<string, string>()
  const isNew = (value: Line) => value.uuid === undefined || !seen.has(value.uuid)
  const blockParts = (value: unknown, role: 'user' | 'assistant', at: Date | undefined): SessionPart[] => {
    const parsed = block.safeParse(value)
    if (!parsed.success) return []
    const { type, text, id, name, tool_use_id: used } = parsed.data
    if (type === 'text' && text !== undefined) return spokenPart(role, text, at)
    if (type === 'tool_use') return tools.call(id, name ?? '', parsed.data.input, at)
    if (type === 'tool_result') return tools.result(used, parsed.data.content, at)
    return []
  }
  const messageParts = ({ message, timestamp }: Line, role: 'user' | 'assistant'): SessionPart[] => {
    const at = instant(timestamp)
    if (message === undefined) return []
    if (typeof message.content === 'string') return spokenPart(role, message.content, at)
    const { id, content } = message
    if (role !== 'assistant' || id === undefined) return content.flatMap((value) => blockParts(value, role, at))
    if (answer.id !== id) {
      answer.id = id
      answer.parts.clear()
      tools.breakOff()
    }
    return content.flatMap((value) => {
      const written = JSON.stringify(value)
      if (answer.parts.has(written)) return []
      answer.parts.add(written)
      return blockParts(value, role, at)
    })
  }
  return {
    arrange: inChainOrder,
    isSettled: tools.isSettled,
    parts({ value }) {
      const parsed = line.safeParse(value)
      if (!parsed.success || !isNew(parsed.data)) return []
      const said = parsed.data
      if (said.type !== 'user' && said.type !== 'assistant') return otherParts(said, seen.size === 0, summaries)
      if (said.uuid !== undefined) seen.add(said.uuid)
      if (said.isSidechain && !isSubAgent) return []
      if (said.isMeta || said.isCompactSummary || said.isVisibleInTranscriptOnly) return []
      const folder: SessionPart[] = said.cwd === undefined ? [] : [{ type: 'folder', path: said.cwd }]
      // The lines of a sub-agent name the session that started it.
      if (isSubAgent) folder.push({ type: 'parent', session: said.sessionId ?? 'unknown' })
      return [...folder, ...awaitedTitle(said, summaries), ...messageParts(said, said.type)]
    },
  }
}

/** Titles, and prompts that were queued while the agent worked. */
function otherParts(said: Line, isAtTop: boolean, summaries: Map<string, string>): SessionPart[] {
  const { type, leafUuid, summary, customTitle, aiTitle, attachment, timestamp } = said
  if (type === 'custom-title' && customTitle) return [{ type: 'title', text: customTitle, rank: TITLE_RANKS.person }]
  if (type === 'ai-title' && aiTitle) return [{ type: 'title', text: aiTitle, rank: TITLE_RANKS.agent }]
  if (type === 'summary' && summary) {
    // Files begin with summaries of other sessions too: each belongs to the session that contains its leaf.
    if (leafUuid === undefined || !isAtTop) return [{ type: 'title', text: summary, rank: TITLE_RANKS.agent }]
    summaries.set(leafUuid, summary)
  }
  if (type !== 'attachment' || attachment?.type !== 'queued_command' || said.isSidechain) return []
  return spokenPart('user', attachment.prompt ?? '', instant(timestamp))
}

function awaitedTitle({ uuid }: Line, summaries: Map<string, string>): SessionPart[] {
  const text = uuid === undefined ? undefined : summaries.get(uuid)
  if (text === undefined || uuid === undefined) return []
  summaries.delete(uuid)
  return [{ type: 'title', text, rank: TITLE_RANKS.agent }]
}

/** The id under which resumed or forked sessions repeat a line of an earlier one. */
export function claudeLineId({ value }: SessionLine): string | undefined {
  return typeof value.uuid === 'string' ? value.uuid : undefined
}

/**
 * Each line after the one it answers (`parentUuid`), otherwise in file order. Abandoned branches stay where they were
 * written, so appended lines never move earlier ones.
 */
async function* inChainOrder(lines: AsyncIterable<SessionLine>): AsyncGenerator<ArrangedLine> {
  const ahead: SessionLine[] = []
  const waiting = new Map<string, SessionLine[]>()
  const held = new Set<string>()
  let bytes = 0
  let highest = -1
  function* given(line: SessionLine): Generator<ArrangedLine> {
    yield { ...line, isInOrder: waiting.size === 0 && line.offset > highest }
    highest = Math.max(highest, line.offset)
    const id = claudeLineId(line) ?? ''
    held.delete(id)
    const children = waiting.get(id) ?? []
    waiting.delete(id)
    for (const child of children) yield* given(child)
  }
  function* next(): Generator<ArrangedLine> {
    const line = ahead.shift()
    if (line === undefined) return
    bytes -= line.end - line.offset
    const parent = line.value.parentUuid
    if (typeof parent === 'string' && (held.has(parent) || isAmong(parent, ahead))) {
      waiting.set(parent, [...(waiting.get(parent) ?? []), line])
      held.add(claudeLineId(line) ?? '')
    } else yield* given(line)
  }
  for await (const line of lines) {
    ahead.push(line)
    bytes += line.end - line.offset
    while (ahead.length > WINDOW_LINES || (bytes > WINDOW_BYTES && ahead.length > 1)) yield* next()
  }
  while (ahead.length > 0) yield* next()
}

function isAmong(id: string, lines: readonly SessionLine[]): boolean {
  return lines.some((line) => line.value.uuid === id)
}
