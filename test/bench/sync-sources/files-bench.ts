import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chatgptChat, claudeChat, turn, writeExport } from '../../fakes/local/exported-chats.ts'
import { type Corpus, createCorpus } from '../corpus.ts'
import type { BareSource, OpenBareSource } from './bare-source.ts'

const NOTES = 2_000
const CONVERSATIONS = 1_000
const MESSAGES = 6
const DAY_MS = 86_400_000
/** Files that were just written are left to the next run. */
const WRITTEN = new Date(Date.now() - DAY_MS)

interface Filled {
  readonly noun: string
  readonly count: number
}

/** Notes in folders, with properties, tags and a link. */
function fillVault(vault: string, share: number, corpus: Corpus): Filled {
  const count = Math.round(NOTES * share)
  write(join(vault, '.obsidian/app.json'), '{}')
  for (let number = 0; number < count; number++) {
    const text = `---\ntags: [launch, team${number % 9}]\nstatus: open\n---\n${corpus.text(number, 1_500)}\n\nSee [[Note ${(number + 1) % count}]]. #plan\n`
    write(join(vault, `Folder ${number % 40}`, `Note ${number}.md`), text)
  }
  return { noun: 'notes', count }
}

/** As many conversations with ChatGPT as with Claude. */
function fillChats(folder: string, share: number, corpus: Corpus): Filled {
  const each = Math.round((CONVERSATIONS * share) / 2)
  const chats = (first: number) =>
    Array.from({ length: each }, (_, at) => {
      const said = Array.from({ length: MESSAGES }, (_, number) =>
        turn(number % 2 === 0 ? 'user' : 'assistant', corpus.text((first + at) * MESSAGES + number, 400)),
      )
      return { id: `c${first + at}`, title: corpus.text(first + at, 40).trim(), turns: said }
    })
  writeExport(join(folder, 'chatgpt/conversations.json'), chats(0).map(chatgptChat))
  writeExport(join(folder, 'claude/conversations.json'), chats(each).map(claudeChat))
  return { noun: 'conversations with ChatGPT and Claude', count: each * 2 }
}

/** As many days of a chat in WhatsApp as chats of a day in Telegram. */
function fillMessengers(folder: string, share: number, corpus: Corpus): Filled {
  const each = Math.round((CONVERSATIONS * share) / 2)
  const said = (number: number) => corpus.text(number, 120).replace(/\s+/g, ' ')
  const names = ['Priya', 'Ada']
  const numbers = (at: number) => Array.from({ length: MESSAGES }, (_, number) => at * MESSAGES + number)
  const begin = Date.UTC(2025, 0, 1, 10)
  const lines = Array.from({ length: each }, (_, at) => {
    const [year, month, day] = new Date(begin + at * DAY_MS).toISOString().slice(0, 10).split('-')
    return numbers(at).map((n) => `${day}.${month}.${year}, 10:${10 + (n % MESSAGES)} - ${names[n % 2]}: ${said(n)}`)
  })
  write(join(folder, 'WhatsApp Chat with Priya.txt'), lines.flat().join('\n'))
  const list = Array.from({ length: each }, (_, at) => ({
    ...{ id: at, name: `Person ${at}`, type: 'personal_chat' },
    messages: numbers(each + at).map((n) => ({
      ...{ id: n, type: 'message', from: names[n % 2], text: said(n) },
      date_unixtime: String((begin + at * DAY_MS) / 1_000 + (n % MESSAGES) * 60),
    })),
  }))
  write(join(folder, 'telegram/result.json'), JSON.stringify({ chats: { list } }))
  return { noun: 'conversations of WhatsApp and Telegram', count: each * 2 }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  utimesSync(path, WRITTEN, WRITTEN)
}

function opened(connector: string, fill: (folder: string, share: number, corpus: Corpus) => Filled): OpenBareSource {
  return async (share): Promise<BareSource> => {
    const folder = mkdtempSync(join(tmpdir(), 'recalld-bench-'))
    return {
      connector,
      config: { name: 'bench', paths: [folder] },
      ...fill(folder, share, createCorpus()),
      against: 'bare reading of the files',
      bare: () => readAll(folder),
      close: async () => rmSync(folder, { recursive: true, force: true }),
    }
  }
}

async function readAll(folder: string): Promise<number> {
  const start = performance.now()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await readFile(join(entry.parentPath, entry.name), 'utf8')
  }
  return performance.now() - start
}

/** Files on this machine. */
export const FILE_SOURCES: Readonly<Record<string, OpenBareSource>> = {
  obsidian: opened('obsidian', fillVault),
  chat_exports: opened('chat_exports', fillChats),
  messenger_exports: opened('messenger_exports', fillMessengers),
}
