import { z } from 'zod'
import type { SkipReason } from '../../../domain/document.ts'
import type { SourceType } from '../../../domain/source-type.ts'
import { inputValue } from '../../../lib/command-text.ts'
import { createTextBuilder } from '../markdown.ts'
import { type Draft, type ParseContext, skipUnreadableLine } from '../parse-context.ts'
import { agentName } from './sections.ts'
import { messageWithoutRecalled } from './without-recalled.ts'

/** Maximum characters kept of a tool output: its start and its end. */
const TOOL_HEAD = 6_000
const TOOL_TAIL = 2_000

/** Lines that Codex writes between messages. A session can end before its first message. */
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
      if (!read) skipUnreadableLine(context)
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

/** Codex writes each message twice, as an item and as an event. Events are only used if there are no items. */
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

type SessionEntry =
  | {
      readonly type: 'message'
      readonly role: 'user' | 'assistant' | 'tool'
      readonly text: string
      readonly at?: Date
      /** From Codex's events, which repeat the items. */
      readonly isEvent?: boolean
    }
  | { readonly type: 'title'; readonly text: string; readonly at?: undefined }
  | { readonly type: 'skip'; readonly reason: SkipReason; readonly noun: string; readonly at?: undefined }

const part = z.looseObject({ type: z.string().optional() })
const line = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  timestamp: z.string().optional(),
  isMeta: z.boolean().optional(),
  isSidechain: z.boolean().optional(),
  summary: z.string().optional(),
  content: z.unknown().optional(),
  message: z.looseObject({ role: z.string().optional(), content: z.unknown().optional() }).optional(),
  payload: z
    .looseObject({ type: z.string().optional(), role: z.string().optional(), content: z.unknown().optional() })
    .optional(),
})
type Part = z.infer<typeof part>

/** Parses one line of a session file; `undefined` when it is not a JSON object of a known shape. */
function readSessionLine(source: string): readonly SessionEntry[] | undefined {
  if (!source.startsWith('{')) return undefined
  const parsed = line.safeParse(parseJson(source))
  if (!parsed.success) return undefined
  const { type, role, message, payload, timestamp, summary } = parsed.data
  const at = instant(timestamp)
  if (payload) return payload.type === undefined && type !== 'response_item' ? [] : codexEntries(type, payload, at)
  if (type === 'summary' && summary !== undefined) return [{ type: 'title', text: summary.slice(0, 200) }]
  if (message) {
    const who = message.role ?? role ?? type
    if (parsed.data.isMeta) return [{ type: 'skip', reason: 'boilerplate', noun: 'message of the agent to itself' }]
    // Prompts and answers of a sub-agent are tool output, not words of the user.
    const entries = contentEntries(who, message.content, at)
    return parsed.data.isSidechain ? entries.map(asTool) : entries
  }
  // Codex before 2025-09 wrote items without a wrapper.
  if (type === 'message' || type?.startsWith('function_call')) return codexEntries('response_item', parsed.data, at)
  return type === undefined && role === undefined ? undefined : []
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function instant(timestamp: string | undefined): Date | undefined {
  const at = timestamp === undefined ? undefined : new Date(timestamp)
  return at && !Number.isNaN(at.getTime()) ? at : undefined
}

function asTool(entry: SessionEntry): SessionEntry {
  return entry.type === 'message' ? { ...entry, role: 'tool' } : entry
}

function codexEntries(
  type: string | undefined,
  payload: Part & Record<string, unknown>,
  at: Date | undefined,
): SessionEntry[] {
  const time = at && { at }
  const kind = payload.type
  if (type === 'event_msg') {
    const role = kind === 'user_message' ? 'user' : kind === 'agent_message' ? 'assistant' : undefined
    if (!role || typeof payload.message !== 'string') return []
    return userText(role, payload.message, at).map((entry) =>
      entry.type === 'message' ? { ...entry, isEvent: true } : entry,
    )
  }
  if (type !== 'response_item') return []
  if (kind === 'message') return contentEntries(String(payload.role), payload.content, at)
  if (kind === 'reasoning') return [{ type: 'skip', reason: 'boilerplate', noun: 'reasoning note' }]
  if (kind?.endsWith('_output')) return toolText(outputText(payload.output), time)
  if (kind?.endsWith('_call')) {
    const name = typeof payload.name === 'string' ? payload.name : kind
    return toolText(`${name} ${inputText(payload.arguments ?? payload.input ?? payload.action)}`, time)
  }
  return []
}

/** The content of a message is a string or a list of parts. */
function contentEntries(role: string | undefined, content: unknown, at: Date | undefined): SessionEntry[] {
  if (typeof content === 'string') return userText(role, content, at)
  if (!Array.isArray(content)) return []
  return content.flatMap((value): SessionEntry[] => {
    const parsed = part.safeParse(value)
    if (!parsed.success) return []
    const time = at && { at }
    const { type } = parsed.data
    if (typeof parsed.data.text === 'string' && type !== 'thinking') return userText(role, parsed.data.text, at)
    if (type === 'tool_use') return toolText(`${String(parsed.data.name)} ${inputText(parsed.data.input)}`, time)
    if (type === 'tool_result') return toolText(outputText(parsed.data.content), time)
    if (type === 'thinking' || type === 'redacted_thinking')
      return [{ type: 'skip', reason: 'boilerplate', noun: 'reasoning note' }]
    if (type === 'image' || type === 'input_image') return [{ type: 'skip', reason: 'binary_part', noun: 'image' }]
    return []
  })
}

const NOT_SAID =
  /^\s*(?:<(?:environment_context|user_instructions|INSTRUCTIONS|permissions|collaboration_mode|command-message|command-name|local-command-stdout|local-command-caveat|bash-stdout|task-notification)\b|# AGENTS\.md instructions|Caveat: The messages below were generated)/

function userText(role: string | undefined, text: string, at: Date | undefined): SessionEntry[] {
  if (text.trim() === '') return []
  const time = at && { at }
  if (role === 'assistant') return [{ type: 'message', role, text, ...time }]
  if (role !== 'user' && role !== 'human') return [{ type: 'skip', reason: 'boilerplate', noun: 'system message' }]
  if (NOT_SAID.test(text)) return [{ type: 'skip', reason: 'boilerplate', noun: 'system message' }]
  const [open, close] = [text.indexOf('<user_query>'), text.lastIndexOf('</user_query>')]
  const said = withoutReminders(open >= 0 && close > open ? text.slice(open + '<user_query>'.length, close) : text)
  return said.trim() === '' ? [] : [{ type: 'message', role: 'user', text: said, ...time }]
}

/** Reminders that the agent's program adds to prompts. */
function withoutReminders(text: string): string {
  const parts: string[] = []
  let at = 0
  for (let open = text.indexOf('<system-reminder>'); open >= 0; open = text.indexOf('<system-reminder>', at)) {
    parts.push(text.slice(at, open))
    const close = text.indexOf('</system-reminder>', open)
    if (close < 0) return parts.join('')
    at = close + '</system-reminder>'.length
  }
  parts.push(text.slice(at))
  return parts.join('')
}

function toolText(text: string, time: { at: Date } | undefined): SessionEntry[] {
  return text.trim() === '' ? [] : [{ type: 'message', role: 'tool', text, ...time }]
}

/** Input of a tool as `name: value` lines. */
function inputText(input: unknown): string {
  const value = typeof input === 'string' && input.startsWith('{') ? (parseJson(input) ?? input) : input
  if (value === null || typeof value !== 'object') return typeof value === 'string' ? value : ''
  return Object.entries(value)
    .map(([name, item]) => `${name}: ${inputValue(name, item)}`)
    .join('\n')
}

function outputText(output: unknown): string {
  if (typeof output === 'string') return output
  if (Array.isArray(output)) {
    return output
      .flatMap((item: unknown) => {
        const parsed = part.safeParse(item)
        return parsed.success && typeof parsed.data.text === 'string' ? [parsed.data.text] : []
      })
      .join('\n')
  }
  const nested = part.safeParse(output)
  return nested.success && typeof nested.data.content === 'string' ? nested.data.content : ''
}
