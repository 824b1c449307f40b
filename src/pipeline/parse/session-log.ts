import type { SourceType } from '../../domain/source-type.ts'
import type { Draft, ParseContext } from './parse-context.ts'
import { agentName } from './sections.ts'
import { readSessionLine, type SessionEntry } from './session-line.ts'
import { createTextBuilder } from './text-builder.ts'
import { messageWithoutRecalled } from './without-recalled.ts'

/** Longest tool output that is kept, in characters: its begin and its end. */
const TOOL_HEAD = 6_000
const TOOL_TAIL = 2_000

/** What Codex writes between messages; a session may end before the first of them. */
const CODEX_LINE =
  /^\{"timestamp":"[^"]{1,40}","type":"(?:session_meta|turn_context|event_msg|response_item)","payload":/

/** Whether the text is a session file of a coding agent: one JSON object per line, some of them messages. */
export function isSessionLog(text: string): boolean {
  if (!text.startsWith('{')) return false
  let looked = 0
  for (let at = 0; at < text.length && looked < 20; looked++) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    const entries = readSessionLine(text.slice(at, end))
    if (entries && (entries.length > 0 || CODEX_LINE.test(text.slice(at, Math.min(end, at + 300))))) return true
    at = end + 1
  }
  return false
}

/** Raw sessions of Claude Code, Codex and Cursor (JSON lines). Lines that cannot be read are counted, not fatal. */
export function readSessionLog(text: string, context: ParseContext): Draft {
  const entries = withoutRepeats(
    text.split('\n').flatMap((line) => {
      if (line.trim() === '') return []
      const read = readSessionLine(line)
      if (!read) context.skip('boilerplate', 1, 'unreadable line')
      return read ?? []
    }),
  )
  const builder = createTextBuilder(context)
  const agent = agentName(sessionSource(text, context.file.sourceType))
  let title: string | undefined
  let first: Date | undefined
  let last: Date | undefined
  for (const entry of entries) {
    first ??= entry.at
    last = entry.at ?? last
    if (entry.type === 'title') title = context.redact(entry.text)
    else if (entry.type === 'skip') context.skip(entry.reason, 1, entry.noun)
    else addMessage(entry, agent, builder, context)
  }
  if (!entries.some(({ type }) => type === 'message')) context.skip('too_short', 1, 'session', ' without a message')
  const when = first && { start: first, ...(last && last > first && { end: last }), precision: 'minute' as const }
  const meta = { ...(title && { title }), ...(when && { when }), participants: [context.file.userName, agent] }
  return { kind: 'agent', ...builder.build(), meta }
}

function addMessage(
  entry: SessionEntry & { type: 'message' },
  agent: string,
  builder: ReturnType<typeof createTextBuilder>,
  context: ParseContext,
): void {
  const at = entry.at && { at: entry.at }
  const text = context.redact(messageWithoutRecalled(entry.text, entry.role, context))
  if (entry.role === 'tool') {
    const cut = text.length > TOOL_HEAD + TOOL_TAIL
    if (cut) context.skip('tool_output', 1, 'long tool output', ' shortened')
    const kept = cut ? `${text.slice(0, TOOL_HEAD)}\n[...]\n${text.slice(-TOOL_TAIL)}` : text
    builder.add(kept, { type: 'turn', role: 'tool', ...at })
  } else {
    builder.addMarkdown(text, {
      role: entry.role,
      speaker: entry.role === 'user' ? context.file.userName : agent,
      ...at,
    })
  }
}

/** Codex writes each message twice, as an item and as an event: events count only where there are no items. */
function withoutRepeats(entries: readonly SessionEntry[]): SessionEntry[] {
  const hasItems = entries.some((entry) => entry.type === 'message' && !entry.isEvent && entry.role !== 'tool')
  return entries.filter((entry) => !(hasItems && entry.type === 'message' && entry.isEvent))
}

function sessionSource(text: string, declared: SourceType): SourceType {
  if (declared !== 'text') return declared
  const head = text.slice(0, 20_000)
  if (/"type":\s?"(?:response_item|session_meta|turn_context|event_msg)"/.test(head)) return 'codex'
  return /"(?:sessionId|parentUuid)":/.test(head) ? 'claude_code' : declared
}
