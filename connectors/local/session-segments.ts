import { createHash } from 'node:crypto'
import type { Context, SourceItem, SourceType } from '../../src/connector/connector.ts'
import { accountPart, sourceItemId } from '../../src/connector/source-item-id.ts'
import { withTilde } from './agent-folders.ts'
import { type SessionChoice, takesProject } from './agent-settings.ts'
import { type SessionMessage, type SessionPart, TITLE_RANKS } from './session-message.ts'

/**
 * A segment is sealed by a following message: when it has this many prompts and another one follows, or this many
 * messages and an answer follows. Changing either number would split every session differently.
 */
const PROMPTS = 20
const MESSAGES = 400
const TITLE_LENGTH = 80
const RECALLED = /<recalled:[a-z0-9]{8,64}>[\s\S]*?(?:<\/recalled:[a-z0-9]{8,64}>|$)/g

/** Where a segment begins, with what was known by then. */
export interface SegmentStart {
  /** Counted from 1. */
  readonly number: number
  /** Offset in the file; absent if reading cannot begin there. */
  readonly offset?: number | undefined
  readonly title?: string | undefined
  readonly rank?: number | undefined
  readonly folder?: string | undefined
  /** Of a sub-agent: the session that started it. */
  readonly parent?: string | undefined
}

export interface Segment extends SegmentStart {
  readonly start: SegmentStart
  readonly messages: readonly SessionMessage[]
}

/** The tool of a session. */
export interface AgentTool {
  /** Prefix of its item ids. */
  readonly prefix: string
  readonly sourceType: SourceType
  /** The display name of the agent. */
  readonly agent: string
}

/** Splits a session into segments. All but the last are sealed: appended messages do not change them. */
export async function* segmentsOf(
  parts: AsyncIterable<SessionPart> | Iterable<SessionPart>,
  start: SegmentStart = { number: 1, offset: 0 },
): AsyncGenerator<Segment> {
  let { title, rank = -1, folder, parent } = start
  let opened = start
  let messages: SessionMessage[] = []
  let prompts = 0
  for await (const part of parts) {
    if (part.type === 'folder') folder = part.path
    else if (part.type === 'parent') parent = part.session
    else if (part.type === 'title') {
      const words = firstWords(part.text)
      if (part.rank >= rank && words !== '') [title, rank] = [words, part.rank]
    } else {
      const { message, offset } = part
      if (message.role === 'user' ? prompts >= PROMPTS : message.role === 'assistant' && messages.length >= MESSAGES) {
        yield { ...opened, title, folder, parent, start: opened, messages }
        opened = { number: opened.number + 1, offset, title, rank, folder, parent }
        messages = []
        prompts = 0
      }
      messages.push(message)
      if (message.role !== 'user') continue
      prompts++
      const words = rank < TITLE_RANKS.words ? firstWords(message.text) : ''
      if (words !== '') [title, rank] = [words, TITLE_RANKS.words]
    }
  }
  if (messages.length > 0) yield { ...opened, title, folder, parent, start: opened, messages }
}

/** The item of a segment; `undefined` when it has no messages or is excluded by the settings. */
export function segmentItem(
  segment: Segment,
  session: { readonly id: string; readonly locator: string; readonly createdAt?: Date | undefined },
  tool: AgentTool,
  context: Context<SessionChoice>,
): SourceItem | undefined {
  const { folder, number, title: said = 'Session', parent } = segment
  const messages = parent === undefined ? segment.messages : segment.messages.map(ofSubAgent)
  const { config, machine, userName } = context
  if (!segment.messages.some(({ role }) => role !== 'tool') || !takesProject(folder, config, machine)) return undefined
  const times = messages.flatMap(({ at }) => (at ? [at.getTime()] : []))
  const createdAt = times.length > 0 ? new Date(Math.min(...times)) : session.createdAt
  const updatedAt = times.length > 0 ? new Date(Math.max(...times)) : undefined
  if (config.since && updatedAt && updatedAt < config.since) return undefined
  const body = messages.map(section).join('\n')
  const title = parent === undefined ? said : `Sub-agent: ${said}`
  const named = number === 1 ? title : `${title} (part ${number})`
  return {
    sourceType: tool.sourceType,
    itemId: sourceItemId(tool.prefix, accountPart(context.account.account), session.id, {
      name: 's',
      value: String(number).padStart(4, '0'),
    }),
    locator: session.locator,
    revision: createHash('sha256')
      .update(`${named}\n${folder ?? ''}\n${parent === undefined ? '' : `${parent}\n`}${body}`)
      .digest('hex')
      .slice(0, 32),
    title: named,
    people: [userName, tool.agent],
    ...(folder !== undefined && { where: withTilde(folder, machine) }),
    ...(parent !== undefined && { parents: [`Session ${parent}`] }),
    visibility: 'private',
    ...(createdAt && { createdAt }),
    ...(updatedAt && { updatedAt }),
    body,
  }
}

/** An agent wrote the task, not the person. */
function ofSubAgent(message: SessionMessage): SessionMessage {
  return message.role === 'user' ? { ...message, role: 'tool', tool: 'Sub-agent task' } : message
}

function section({ role, text, at, tool }: SessionMessage): string {
  const time = at ? ` (${at.toISOString()})` : ''
  const heading = {
    user: `## User${time}`,
    assistant: `## Assistant${time}`,
    tool: `### Tool: ${tool?.slice(0, 100) ?? ''}`,
  }[role]
  return `${heading.replace(/\s+/g, ' ').replace(/:? *$/, '')}\n\n${withoutHeadings(text)}\n`
}

/** A heading that looks like the start of a message is indented by a space. */
function withoutHeadings(text: string): string {
  return text.replace(/^(?=#{2,3} (?:User|Human|Assistant|Agent|System|Tool)\b)/gim, ' ')
}

/** Titles contain no recalled text, because a truncated fence would not be recognized. */
function firstWords(text: string): string {
  const line = text.replace(RECALLED, ' ').replace(/\s+/g, ' ').trim()
  if (line.length <= TITLE_LENGTH) return line
  const cut = line.slice(0, TITLE_LENGTH)
  const space = cut.lastIndexOf(' ')
  return `${(space > TITLE_LENGTH / 2 ? cut.slice(0, space) : cut).toWellFormed()}…`
}
