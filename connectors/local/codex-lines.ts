import { z } from 'zod'
import type { AgentConfig } from './agent-settings.ts'
import type { SessionReader } from './session-files.ts'
import { instant, type SessionPart, spokenPart, TITLE_RANKS } from './session-message.ts'
import { toolCalls } from './tool-calls.ts'

const line = z.looseObject({
  timestamp: z.string().optional(),
  type: z.string().optional(),
  payload: z.looseObject({ type: z.string().optional() }).optional(),
})
const item = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: z.unknown().optional(),
  name: z.string().optional(),
  call_id: z.string().optional(),
  arguments: z.unknown().optional(),
  input: z.unknown().optional(),
  action: z.unknown().optional(),
  output: z.unknown().optional(),
})
const event = z.looseObject({
  type: z.string().optional(),
  message: z.string().optional(),
  thread_name: z.string().optional(),
})
const setting = z.looseObject({ cwd: z.string().optional(), source: z.unknown().optional() })
const textPart = z.looseObject({ text: z.string() })
const ofSubAgent = z.looseObject({ subagent: z.unknown() })
const spawned = z.looseObject({ thread_spawn: z.looseObject({ parent_thread_id: z.string() }) })

/** Reads sessions of Codex. Reasoning and text that Codex adds to prompts are skipped. */
export function codexReader(config: AgentConfig): SessionReader {
  const tools = toolCalls(config.tool_output_kb * 1024)
  let hasItems = false
  let heard = ''
  const itemParts = (payload: unknown, at: Date | undefined): SessionPart[] => {
    const parsed = item.safeParse(payload)
    if (!parsed.success) return []
    const { type, role, content, name, call_id: id, output } = parsed.data
    if (type === 'message') {
      const text = contentText(content)
      const isHeard = !hasItems && heard === `${role}\n${text.trim()}`
      hasItems = true
      if (role === 'assistant') tools.breakOff()
      return isHeard || (role !== 'user' && role !== 'assistant') ? [] : spokenPart(role, text, at)
    }
    if (type?.endsWith('_output')) return tools.result(id, output, at)
    if (!type?.endsWith('_call')) return []
    // A web search has no output here.
    const awaited = type === 'web_search_call' ? undefined : id
    return tools.call(awaited, name ?? type, parsed.data.arguments ?? parsed.data.input ?? parsed.data.action, at)
  }
  /** Everything is in the log of items and again in that of events; events are used only for sessions without items. */
  const eventParts = (payload: unknown, at: Date | undefined): SessionPart[] => {
    const parsed = event.safeParse(payload)
    if (!parsed.success) return []
    const { type, message, thread_name: name } = parsed.data
    if (name) return [{ type: 'title', text: name, rank: TITLE_RANKS.agent }]
    const role = type === 'user_message' ? 'user' : type === 'agent_message' ? 'assistant' : undefined
    if (hasItems || role === undefined || message === undefined) return []
    heard = `${role}\n${message.trim()}`
    return spokenPart(role, message, at)
  }
  const settingParts = (payload: unknown): SessionPart[] => {
    const parsed = setting.safeParse(payload)
    if (!parsed.success) return []
    const { cwd, source } = parsed.data
    const subAgent = ofSubAgent.safeParse(source)
    const parent = spawned.safeParse(subAgent.data?.subagent).data?.thread_spawn.parent_thread_id ?? 'unknown'
    return [
      ...(cwd === undefined ? [] : [{ type: 'folder', path: cwd } as const]),
      ...(subAgent.success ? [{ type: 'parent', session: parent } as const] : []),
    ]
  }
  return {
    isSettled: tools.isSettled,
    parts({ value }) {
      const parsed = line.safeParse(value)
      if (!parsed.success) return []
      const { type, payload, timestamp } = parsed.data
      const at = instant(timestamp)
      const isSetting = type === 'session_meta' || type === 'turn_context'
      if (isSetting) return settingParts(payload)
      if (type === 'event_msg') return eventParts(payload, at)
      // Before September 2025, items were not wrapped.
      if (type === 'response_item' || payload === undefined) return itemParts(payload ?? value, at)
      return []
    },
  }
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap((value) => {
      const parsed = textPart.safeParse(value)
      return parsed.success ? [parsed.data.text] : []
    })
    .join('\n')
}
