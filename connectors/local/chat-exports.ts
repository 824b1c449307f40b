import { createHash } from 'node:crypto'
import { z } from 'zod'
import { connectionFields, sinceField } from '../../src/connector/connection-fields.ts'
import type { Connector, Context, Partition } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { withTilde } from './agent-folders.ts'
import { type ExportFile, exportFiles } from './export-files.ts'
import { exportAccount, exportPaths } from './export-paths.ts'
import { type Assistant, assistantOf, type ExportedChat, exportedChat } from './exported-chats.ts'
import { jsonElements, NoJsonArray } from './json-elements.ts'
import { unreadExports } from './unread-exports.ts'
import {
  readWholeSession,
  type SessionTool,
  type WholeSession,
  type WholeSessionsCursor,
  wholeSessionChanges,
  wholeSessionsCursor,
} from './whole-sessions.ts'

const chatExportsConfig = z.strictObject({
  ...connectionFields(),
  paths: z
    .array(z.string().min(1))
    .min(1)
    .describe(
      'Your exports from ChatGPT, Claude and Gemini (Google Takeout): .zip files, or folders with them, packed or unpacked. recalld never changes them.',
    ),
  since: sinceField(),
})
type ChatExportsConfig = z.infer<typeof chatExportsConfig>

const ASSISTANTS: Readonly<Record<Assistant, string>> = { chatgpt: 'ChatGPT', claude: 'Claude', gemini: 'Gemini' }
/** A longer conversation is left out; the longest known have some 20 MB. */
const LONGEST_BYTES = 128 * 1024 * 1024

/** Conversations with ChatGPT, Claude and Gemini, from the exports that their settings offer. */
export const chatExports: Connector<ChatExportsConfig, WholeSessionsCursor> = {
  manifest: {
    id: 'chat_exports',
    title: 'Chat exports',
    sourceTypes: ['stream'],
    auth: 'none',
    config: chatExportsConfig,
    cursor: wholeSessionsCursor,
    schedule: '40 * * * *',
    deletions: 'none',
    inventoryEveryMs: 0,
    // Exports are copies: a missing one says nothing about its conversations.
    vanished: 'keep',
    partitionsAreApps: true,
    provider: 'chat_exports',
    version: 2,
    quietPeriodMs: 0,
    selection: ({ paths, since }) => ({ paths, since: since?.toISOString() }),
    listing: {
      summary: 'Your conversations with ChatGPT, Claude and Gemini, from their exports.',
      icon: 'messages',
      group: 'This computer',
      partNoun: { one: 'assistant', many: 'assistants' },
    },
    documentation: {
      item: 'about 20 prompts of a conversation, with the answers; of edited prompts and repeated answers, those that are shown; with Gemini, what you asked on one day (UTC)',
      removed: 'never, because exports are copies',
      needs: 'exports, as files or in a folder',
      api: 'conversations.json of the exports of ChatGPT and Claude, activity of Gemini Apps as JSON in Google Takeout, in a .zip or unpacked',
      cursor: 'sizes and times of the exports, and when each conversation was last changed',
      limits: 'of several states of a conversation the newest counts; files, pictures and projects are left out',
      verified: 'made-up exports',
    },
  },
  async check({ config, machine }) {
    const account = await exportAccount(config, machine)
    const warnings = await unreadExports(config.paths, await filesOf({ config, machine }), machine)
    return { ...account, ...(warnings.length > 0 && { warnings }) }
  },
  async *partitions(context) {
    for (const assistant of await assistantsIn(await filesOf(context))) {
      yield { id: assistant, title: ASSISTANTS[assistant] }
    }
  },
  importing: {
    setting: 'paths',
    found: async (path) => (await assistantsIn(await exportFiles([path]))).map((assistant) => ASSISTANTS[assistant]),
  },
  changes: (partition, cursor, context) => wholeSessionChanges(toolOf(partition), partition, cursor, context),
  read: (ref, context) => readWholeSession(toolOf(ref.partition), ref, context),
}

async function filesOf({ config, machine }: Pick<Context<ChatExportsConfig>, 'config' | 'machine'>) {
  return exportFiles(await exportPaths(config.paths, machine))
}

/** Whose conversations the files hold. */
async function assistantsIn(files: readonly ExportFile[]): Promise<Assistant[]> {
  const found = new Set<Assistant>()
  for (const file of files) for await (const { assistant } of firstOfEach(file)) found.add(assistant)
  return [...found].sort()
}

function toolOf({ id }: Pick<Partition, 'id'>): SessionTool<ChatExportsConfig> {
  const assistant: Assistant = id === 'claude' || id === 'gemini' ? id : 'chatgpt'
  return { prefix: `chat-${assistant}`, sourceType: 'stream', agent: ASSISTANTS[assistant], sessions }

  async function* sessions(
    _partition: Partition,
    known: WholeSessionsCursor,
    stamps: Record<string, string>,
    context: Context<ChatExportsConfig>,
  ): AsyncGenerator<WholeSession> {
    const latest = latestStamps(known)
    const files = await filesOf(context)
    await addStamps(
      latest,
      files.filter(({ path, stamp }) => known.databases[path] !== stamp),
      context.signal,
    )
    for (const file of files) {
      const prefix = `${createHash('sha256').update(file.path).digest('hex').slice(0, 8)}:`
      stamps[file.path] = file.stamp
      if (known.databases[file.path] === file.stamp) yield* unchanged(prefix, known)
      else yield* chatsOf(file, { prefix, assistant, latest, context })
    }
  }
}

/** The conversations of an export that was read already. */
function* unchanged(prefix: string, known: WholeSessionsCursor): Generator<WholeSession> {
  for (const [key, { stamp }] of Object.entries(known.sessions)) {
    if (key.startsWith(prefix)) yield { key, id: key.slice(prefix.length), stamp, load: async () => [] }
  }
}

interface Reading {
  readonly prefix: string
  readonly assistant: Assistant
  /** See `latestStamps`. */
  readonly latest: ReadonlyMap<string, number>
  readonly context: Context<ChatExportsConfig>
}

/** When each conversation that was read had last changed, by its id: an old export that is added later changes nothing. */
function latestStamps({ sessions }: WholeSessionsCursor): Map<string, number> {
  const latest = new Map<string, number>()
  for (const [key, { stamp }] of Object.entries(sessions)) addStamp(latest, key.slice(key.indexOf(':') + 1), stamp)
  return latest
}

function addStamp(latest: Map<string, number>, id: string, stamp: string): void {
  latest.set(id, Math.max(latest.get(id) ?? Number.NEGATIVE_INFINITY, stampTime(stamp)))
}

/** Of several exports that are read at once, the one that was written last may hold the older state of a conversation. */
async function addStamps(
  latest: Map<string, number>,
  files: readonly ExportFile[],
  signal: AbortSignal,
): Promise<void> {
  if (files.length < 2) return
  for (const file of files) {
    try {
      for await (const text of file.read()) {
        for await (const element of jsonElements(text, LONGEST_BYTES)) {
          signal.throwIfAborted()
          const chat = exportedChat(element)
          if (chat !== undefined) addStamp(latest, chat.id, chat.stamp)
        }
      }
    } catch (error) {
      // `chatsOf` reports what is wrong with a file.
      if (signal.aborted || !(error instanceof Error)) throw error
    }
  }
}

/** Stamps are seconds (ChatGPT) or ISO times (Claude); those of one conversation are of one kind. */
function stampTime(stamp: string): number {
  return /^[\d.]+$/.test(stamp) ? Number(stamp) : Date.parse(stamp) || 0
}

async function* chatsOf(
  file: ExportFile,
  { prefix, assistant, latest, context }: Reading,
): AsyncGenerator<WholeSession> {
  const name = withTilde(file.path, context.machine)
  // Of the two partitions that read a file, one reports what is wrong with it.
  let owner: Assistant | undefined
  const days = new Map<string, ExportedChat[]>()
  try {
    for await (const text of file.read()) {
      for await (const element of jsonElements(text, LONGEST_BYTES)) {
        context.signal.throwIfAborted()
        owner ??= assistantOf(element)
        if (element !== undefined && assistantOf(element) !== assistant) continue
        const chat = element === undefined ? undefined : exportedChat(element)
        if (chat === undefined) {
          if ((owner ?? 'chatgpt') === assistant)
            yield unreadable(prefix, file, `A conversation in ${name} is too long or has no id.`)
          continue
        }
        if (chat.assistant === 'gemini') {
          days.set(chat.id, [...(days.get(chat.id) ?? []), chat])
          continue
        }
        if (stampTime(chat.stamp) < (latest.get(chat.id) ?? 0)) continue
        const { id, stamp, createdAt } = chat
        yield { key: `${prefix}${id}`, id, stamp, ...(createdAt && { createdAt }), load: async () => chat.parts() }
      }
    }
    yield* wholeDays(days, prefix, latest)
  } catch (cause) {
    if (context.signal.aborted || !(cause instanceof Error)) throw cause
    if ((owner ?? 'chatgpt') === assistant)
      yield unreadable(prefix, file, `${name} is damaged, or has a form that recalld doesn't know.`, cause)
  }
}

/** Prompts of one day in their order; the activity is listed from the newest one on. */
function* wholeDays(
  days: ReadonlyMap<string, readonly ExportedChat[]>,
  prefix: string,
  latest: ReadonlyMap<string, number>,
): Generator<WholeSession> {
  for (const [id, chats] of days) {
    const inOrder = chats.toSorted((a, b) => stampTime(a.stamp) - stampTime(b.stamp))
    const [first, last] = [inOrder[0], inOrder.at(-1)]
    if (last === undefined || stampTime(last.stamp) < (latest.get(id) ?? 0)) continue
    const createdAt = first?.createdAt
    const load = async () => inOrder.flatMap((chat) => chat.parts())
    yield { key: `${prefix}${id}`, id, stamp: last.stamp, ...(createdAt && { createdAt }), load }
  }
}

/** Makes what could not be read a visible failure. */
function unreadable(prefix: string, { stamp }: ExportFile, message: string, cause?: unknown): WholeSession {
  const load = () => Promise.reject(new SourceError('skip', message, { cause }))
  return { key: `${prefix}unreadable`, id: `unreadable-${prefix.replace(':', '')}`, stamp, load }
}

/** Whose conversations a file holds; one that cannot be read is left to the run, which reports it. */
async function* firstOfEach(file: ExportFile): AsyncGenerator<{ readonly assistant: Assistant }> {
  try {
    for await (const text of file.read()) {
      for await (const element of jsonElements(text, LONGEST_BYTES)) {
        const assistant = assistantOf(element)
        if (assistant !== undefined) yield { assistant }
        break
      }
    }
  } catch (error) {
    if (!(error instanceof NoJsonArray || error instanceof SyntaxError)) throw error
    yield { assistant: 'chatgpt' }
  }
}
