import { renderDocument } from '../../../src/connector/document.ts'
import type { Upload } from '../../../src/domain/memory.ts'
import { homeTime } from './home-time.ts'
import type { Section } from './sections.ts'

interface Message {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly at: Date
  readonly text: string
  /** What a tool was called with: `Read src/report/week.ts`. */
  readonly call?: string
}

/**
 * `=== ID | title | day | folder | claude_code`: the file of a session as Claude Code writes it; `codex`: as its connector
 * uploads it. `> 10:04` is a prompt, `< 10:06` an answer, `! Tool input` a call with the lines below as its result.
 */
export function sessionUpload({ id, fields, lines }: Section): Upload {
  const [title, day, folder, tool] = fields as [string, string, string, 'claude_code' | 'codex']
  const messages = readMessages(day, lines)
  const owner = { itemId: id, sourceType: tool, userName: 'Mira Halvorsen' }
  if (tool === 'claude_code') {
    const body = new TextEncoder().encode(sessionFile(id, title, folder, messages))
    return { ...owner, fileName: `${id}.jsonl`, contentType: 'application/jsonl', body }
  }
  const item = {
    sourceType: tool,
    itemId: id,
    revision: '1',
    title,
    visibility: 'private',
    people: ['Mira Halvorsen', 'Codex'],
    where: folder,
    createdAt: messages[0]!.at,
    body: `${messages.map(section).join('\n\n')}\n`,
  } as const
  const { bytes, fileName, contentType } = renderDocument(item, item.body)
  return { ...owner, fileName, contentType, body: bytes }
}

function readMessages(day: string, lines: readonly string[]): Message[] {
  const messages: { -readonly [Key in keyof Message]: Message[Key] }[] = []
  for (const line of lines) {
    const [, mark, time, text] = /^([<>]) (\d\d:\d\d) (.+)$/.exec(line) ?? []
    const call = /^! (.+)$/.exec(line)?.[1]
    const last = messages.at(-1)
    if (mark !== undefined) {
      messages.push({ role: mark === '>' ? 'user' : 'assistant', at: homeTime(`${day}T${time}`), text: text! })
    } else if (call !== undefined) messages.push({ role: 'tool', at: last!.at, text: '', call })
    else if (last !== undefined) last.text = `${last.text}\n${line}`.trim()
  }
  return messages
}

function section({ role, at, text, call }: Message): string {
  if (role === 'tool') return `### Tool: ${call!.split(' ')[0]}\n\n${call}\n\n${text}`
  return `## ${role === 'user' ? 'User' : 'Assistant'} (${at.toISOString()})\n\n${text}`
}

function sessionFile(id: string, title: string, folder: string, messages: readonly Message[]): string {
  const base = {
    isSidechain: false,
    userType: 'external',
    cwd: folder.replace('~', '/home/mira'),
    sessionId: id,
    version: '2.1.30',
  }
  const lines = messages.flatMap(({ role, at, text, call = '' }, i) => {
    const line = (type: 'user' | 'assistant', content: unknown, part = '') => {
      const message = {
        role: type,
        content,
        ...(type === 'assistant' && { type: 'message', model: 'claude-opus-4-5' }),
      }
      return { ...base, type, message, uuid: `${id}-${i}${part}`, timestamp: at.toISOString() }
    }
    if (role === 'user') return [line('user', text)]
    if (role === 'assistant') return [line('assistant', [{ type: 'text', text }])]
    const [name = '', ...input] = call.split(' ')
    const given = { [name === 'Bash' ? 'command' : 'file_path']: input.join(' ') }
    const toolId = `toolu_${id}_${i}`
    return [
      line('assistant', [{ type: 'tool_use', id: toolId, name, input: given }]),
      line('user', [{ type: 'tool_result', tool_use_id: toolId, content: text }], '-result'),
    ]
  })
  return [{ type: 'summary', summary: title, leafUuid: `${id}-0` }, ...lines]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('')
}
