import { z } from 'zod'
import { instant, type SessionPart, spokenPart, TITLE_RANKS } from './session-message.ts'
import { type ToolCalls, toolCalls } from './tool-calls.ts'

/** A session of opencode, as its database and its older files state it. */
export interface OpenCodeSession {
  readonly directory: string
  /** Of a sub-agent. */
  readonly parent: string | undefined
  readonly title: string
  /** The message from which on everything was undone. */
  readonly undoneFrom: string | undefined
}

export interface OpenCodeMessage {
  /** In the order of their creation. */
  readonly id: string
  readonly data: unknown
  readonly parts: readonly unknown[]
}

/** Titles until the agent has found one. */
const NO_TITLE = /^(?:New|Child) session - \d{4}-/

const message = z.looseObject({
  role: z.string(),
  time: z.looseObject({ created: z.number().optional() }).optional(),
})
const part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  /** Added by opencode or a plugin. */
  synthetic: z.boolean().optional(),
  ignored: z.boolean().optional(),
  tool: z.string().optional(),
  callID: z.string().optional(),
  state: z
    .looseObject({
      input: z.unknown().optional(),
      output: z.unknown().optional(),
      error: z.unknown().optional(),
    })
    .optional(),
})

/** The messages of a session. Reasoning, files and text that opencode adds to prompts are skipped. */
export function openCodeParts(
  { directory, parent, title, undoneFrom }: OpenCodeSession,
  messages: Iterable<OpenCodeMessage>,
  toolLimit: number,
): SessionPart[] {
  const tools = toolCalls(toolLimit)
  const parts: SessionPart[] = directory === '' ? [] : [{ type: 'folder', path: directory }]
  if (parent !== undefined) parts.push({ type: 'parent', session: parent })
  if (title !== '' && !NO_TITLE.test(title)) parts.push({ type: 'title', text: title, rank: TITLE_RANKS.agent })
  for (const one of messages) {
    if (one.id === undoneFrom) break
    parts.push(...messageParts(one, tools))
  }
  return parts
}

function messageParts({ data, parts }: OpenCodeMessage, tools: ToolCalls): SessionPart[] {
  const parsed = message.safeParse(data)
  if (!parsed.success) return []
  const { role, time } = parsed.data
  const at = instant(time?.created)
  return parts.flatMap((value): SessionPart[] => {
    const read = part.safeParse(value)
    if (!read.success) return []
    const { type, text, synthetic, ignored, tool, callID: id, state } = read.data
    if (type === 'tool' && tool !== undefined) {
      return [...tools.call(id, tool, state?.input, at), ...tools.result(id, state?.output ?? state?.error, at, tool)]
    }
    const isSaid = type === 'text' && text !== undefined && !synthetic && !ignored
    return isSaid && (role === 'user' || role === 'assistant') ? spokenPart(role, text, at) : []
  })
}
