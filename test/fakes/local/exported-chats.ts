import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import yazl from 'yazl'

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

interface MadeUpChat {
  readonly id: string
  readonly title?: string
  readonly turns: readonly Turn[]
  /** Seconds since 1970 of the last change. */
  readonly updated?: number
}

const BEGUN = Date.UTC(2026, 2, 4, 9) / 1000

export function turn(role: Turn['role'], text: string): Turn {
  return { role, text }
}

/** A conversation as in an export of ChatGPT, with an edited prompt that is not shown any more. */
export function chatgptChat({ id, title = `Chat ${id}`, turns, updated = BEGUN }: MadeUpChat): object {
  const system = { author: { role: 'system' }, content: { content_type: 'text', parts: [''] }, recipient: 'all' }
  const abandoned = {
    author: { role: 'user' },
    create_time: BEGUN,
    content: { content_type: 'text', parts: ['A prompt that was edited'] },
    recipient: 'all',
  }
  const nodes = turns.map(({ role, text }, at) => {
    const message = {
      author: { role, metadata: {} },
      create_time: BEGUN + at * 60,
      content: { content_type: 'text', parts: [text] },
      recipient: 'all',
      metadata: {},
    }
    return [`n${at}`, { id: `n${at}`, message, parent: at === 0 ? 'root' : `n${at - 1}`, children: [] }] as const
  })
  const mapping = {
    root: { id: 'root', message: null, parent: null, children: ['n0', 'old'] },
    sys: { id: 'sys', message: system, parent: 'root', children: [] },
    ...Object.fromEntries(nodes),
    old: { id: 'old', message: abandoned, parent: 'root', children: [] },
  }
  return {
    title,
    create_time: BEGUN,
    update_time: updated,
    mapping,
    current_node: `n${turns.length - 1}`,
    conversation_id: id,
    id,
  }
}

/** A conversation as in an export of Claude. */
export function claudeChat({ id, title = `Chat ${id}`, turns, updated = BEGUN }: MadeUpChat): object {
  return {
    uuid: id,
    name: title,
    created_at: new Date(BEGUN * 1000).toISOString(),
    updated_at: new Date(updated * 1000).toISOString(),
    account: { uuid: 'a' },
    chat_messages: turns.map(({ role, text }, at) => ({
      uuid: `${id}-${at}`,
      sender: role === 'user' ? 'human' : 'assistant',
      text,
      content: [
        { type: 'thinking', thinking: 'secret thoughts' },
        { type: 'text', text },
      ],
      created_at: new Date((BEGUN + at * 60) * 1000).toISOString(),
      attachments: [],
      files: [],
    })),
  }
}

export function writeExport(path: string, chats: readonly object[]): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(chats))
}

/** An archive with these conversation files, besides files of other kinds. */
export async function writeArchive(path: string, files: Readonly<Record<string, readonly object[]>>): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  const zip = new yazl.ZipFile()
  zip.addBuffer(Buffer.from('<html></html>'), 'chat.html')
  for (const [name, chats] of Object.entries(files)) zip.addBuffer(Buffer.from(JSON.stringify(chats)), name)
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
}
