import { matchesGlob } from 'node:path'
import { z } from 'zod'
import { connectionFields, sinceField } from '../../src/connector/connection-fields.ts'
import type { Change, Connector, Context, SourceItem } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { accountPart, digest, sourceItemId } from '../../src/connector/source-item-id.ts'
import { zonedDayName } from '../../src/connector/source-time.ts'
import { speakerName, spokenTurn } from '../../src/connector/spoken-turn.ts'
import { addressBookContacts, contactNames } from './address-book.ts'
import { withTilde } from './agent-folders.ts'
import { exportAccount, exportPaths } from './export-paths.ts'
import type { ChatMessage, ExportedChats, ExportedMessages } from './exported-messages.ts'
import { messagesChats } from './imessage-database.ts'
import { type MessagesDatabase, type MessengerFile, messengerFiles } from './messenger-files.ts'
import { signalChats } from './signal-export.ts'
import { openDatabaseCopy } from './sqlite-copy.ts'
import { telegramChats } from './telegram-export.ts'
import { unreadExports } from './unread-exports.ts'
import { whatsappChat } from './whatsapp-export.ts'

const messengerConfig = z.strictObject({
  ...connectionFields(),
  paths: z
    .array(z.string().min(1))
    .min(1)
    .describe(
      'Chats exported from WhatsApp (.zip or .txt), Telegram Desktop (result.json) and Signal (main.jsonl), or the database of Messages on a Mac (chat.db): files, or folders with them.',
    ),
  exclude: z
    .array(z.string().trim().min(1))
    .default([])
    .describe('Names of chats to exclude, e.g. ["Family*"]; `*` matches any text.'),
  since: sinceField(),
})
type MessengerConfig = z.infer<typeof messengerConfig>

const messengerCursor = z.strictObject({
  /** Of the files that were read, by path. */
  files: z.record(z.string(), z.string()),
})
type MessengerCursor = z.infer<typeof messengerCursor>

type App = MessengerFile['app']
const APPS: Readonly<Record<App, string>> = {
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  signal: 'Signal',
  imessage: 'iMessage',
}

/** Chats of WhatsApp, Telegram and Signal, from the exports that the apps offer, and of Messages, from its database. */
export const messengerExports: Connector<MessengerConfig, MessengerCursor> = {
  manifest: {
    id: 'messenger_exports',
    title: 'Messenger exports',
    sourceTypes: ['stream'],
    auth: 'none',
    config: messengerConfig,
    cursor: messengerCursor,
    schedule: '50 * * * *',
    deletions: 'none',
    inventoryEveryMs: 0,
    // Exports are copies: a missing one says nothing about its chat.
    vanished: 'keep',
    partitionsAreApps: true,
    provider: 'messenger_exports',
    version: 2,
    quietPeriodMs: 0,
    selection: ({ paths, exclude, since }) => ({ paths, exclude, since: since?.toISOString() }),
    listing: {
      summary: 'Your chats of WhatsApp, Telegram, Signal and iMessage, from their exports.',
      icon: 'messages',
      group: 'This computer',
      partNoun: { one: 'app', many: 'apps' },
    },
    documentation: {
      item: 'a chat on one day; names of files instead of pictures and recordings; no system messages',
      removed: 'never, because exports are copies',
      needs: 'exports, as files or in a folder',
      api: 'text exports of WhatsApp and main.jsonl of Signal, in a .zip or unpacked; result.json of Telegram Desktop; chat.db of Messages, with the databases of Contacts for names',
      cursor: 'sizes and times of the exports',
      limits:
        'WhatsApp writes times in the time zone of the phone, which is taken for that of recalld; of a day in several exports, the one with most messages counts; no disappearing messages of Signal, no reactions; files up to 256 MB, chat.db of any size',
      verified: 'made-up exports; the form of a message also by one that Messages wrote',
    },
  },

  async check({ config, machine }) {
    const account = await exportAccount(config, machine)
    const warnings = await unreadExports(config.paths, await filesOf({ config, machine }), machine)
    return { ...account, ...(warnings.length > 0 && { warnings }) }
  },

  async *partitions(context) {
    for (const app of appsIn(await filesOf(context))) yield { id: app, title: APPS[app] }
  },

  importing: {
    setting: 'paths',
    found: async (path, machine) => appsIn(await messengerFiles([path], machine)).map((app) => APPS[app]),
  },

  async *changes({ id }, cursor, context) {
    const files = (await filesOf(context)).filter(({ app }) => app === id)
    const stamps = Object.fromEntries(files.map(({ path, stamp }) => [path, stamp]))
    const isKnown = files.every(({ path, stamp }) => cursor?.files[path] === stamp)
    if (!isKnown) yield* dayChanges(files, context)
    yield { type: 'checkpoint', cursor: { files: stamps } }
  },

  async read({ itemId, partition }, context) {
    const files = (await filesOf(context)).filter(({ app }) => app === partition.id)
    for await (const change of dayChanges(files, context)) {
      if (change.type === 'item' && change.item.itemId === itemId) return change.item
    }
    return undefined
  },
}

async function filesOf({ config, machine }: Pick<Context<MessengerConfig>, 'config' | 'machine'>) {
  return messengerFiles(await exportPaths(config.paths, machine), machine)
}

function appsIn(files: readonly MessengerFile[]): App[] {
  return [...new Set(files.map(({ app }) => app))].sort()
}

interface Day {
  readonly name: string
  readonly messages: readonly ChatMessage[]
}

/** Of each chat the days, from all of its exports: an export may leave out what is long ago. */
async function* dayChanges(
  files: readonly MessengerFile[],
  context: Context<MessengerConfig>,
): AsyncGenerator<Change<MessengerCursor>> {
  const { config, timeZone, signal } = context
  const chats = new Map<string, Map<string, Day>>()
  for (const file of files) {
    signal.throwIfAborted()
    try {
      for (const { key, name, messages } of await chatsOf(file, context)) {
        if (config.exclude.some((pattern) => matchesGlob(name.replaceAll('/', '-'), pattern))) continue
        const days = chats.get(key) ?? new Map<string, Day>()
        chats.set(key, days)
        for (const [day, said] of Map.groupBy(messages, ({ at }) => zonedDayName(at, timeZone))) {
          if (said.length > (days.get(day)?.messages.length ?? 0)) days.set(day, { name, messages: said })
        }
      }
    } catch (cause) {
      // A database that keeps changing, or that may not be read, is read by a later run.
      const isLater = cause instanceof SourceError && cause.remedy !== 'skip'
      if (signal.aborted || isLater || !(cause instanceof Error)) throw cause
      yield { type: 'failed', ref: unreadableRef(file, context), error: unreadable(cause) }
    }
  }
  const app = files[0]?.app
  if (app === undefined) return
  for (const [key, days] of chats) {
    for (const [day, { name, messages }] of [...days].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const item = dayItem({ app, key, day, name, messages }, context)
      if (config.since === undefined || (item.updatedAt ?? config.since) >= config.since) yield { type: 'item', item }
    }
  }
}

/** @throws SourceError, ZodError, SyntaxError */
async function chatsOf(file: MessengerFile, context: Context<MessengerConfig>): Promise<readonly ExportedMessages[]> {
  if (file.app === 'imessage') return readable(file, await imessageChats(file, context), context)
  const text = await file.read()
  if (file.app === 'telegram') return telegramChats(text) ?? []
  if (file.app === 'signal') return readable(file, signalChats(text, context.userName), context)
  const chat = whatsappChat(text, file.label, context.timeZone)
  if (chat === undefined)
    throw new SourceError('skip', 'The file has no messages in a form that recalld knows. Export the chat again.')
  return [chat]
}

function readable({ path }: MessengerFile, found: ExportedChats | undefined, context: Context<MessengerConfig>) {
  const { chats, unreadable: left } = found ?? { chats: [], unreadable: 0 }
  if (left > 0) {
    context.warn(`${withTilde(path, context.machine)} has messages in a form that recalld doesn't know (${left}).`)
  }
  return chats
}

async function imessageChats({ path, addressBooks }: MessagesDatabase, context: Context<MessengerConfig>) {
  const contacts = (await Promise.all(addressBooks.map((book) => contactsIn(book, context)))).flat()
  await using copy = await openDatabaseCopy(path, context.machine.temporaryFolder)
  return messagesChats(copy.database, { own: context.userName, of: contactNames(contacts) })
}

async function contactsIn(path: string, context: Context<MessengerConfig>) {
  const { machine } = context
  try {
    await using copy = await openDatabaseCopy(path, machine.temporaryFolder)
    return addressBookContacts(copy.database)
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    context.warn(`${withTilde(path, machine)} can't be read, so its people are shown by their numbers.`)
    return []
  }
}

function unreadableRef({ app, path }: MessengerFile, { account, machine }: Context<MessengerConfig>) {
  const itemId = sourceItemId(app, accountPart(account.account), 'file', digest(path))
  return { sourceType: 'stream' as const, itemId, title: withTilde(path, machine) }
}

/** Shown after the path. */
function unreadable(cause: Error): SourceError {
  if (cause instanceof SourceError) return cause
  return new SourceError('skip', "The file is damaged, or has a form that recalld doesn't know.", { cause })
}

interface ChatDay extends Day {
  readonly app: App
  readonly key: string
  readonly day: string
}

function dayItem({ app, key, day, name, messages }: ChatDay, { account }: Context<MessengerConfig>): SourceItem {
  const people = [...new Set(messages.map(({ from }) => speakerName(from)))]
  const body = messages.map(({ from, at, text }) => spokenTurn(from, at, text)).join('\n\n')
  const title = `${name} on ${day}`
  const [first, last] = [messages[0]?.at, messages.at(-1)?.at]
  return {
    sourceType: 'stream',
    itemId: sourceItemId(app, accountPart(account.account), key, { name: 'day', value: day }),
    title,
    revision: digest([title, body]),
    people,
    where: name,
    parents: [APPS[app], name],
    visibility: 'direct',
    ...(first && { createdAt: first }),
    ...(last && { updatedAt: last }),
    body,
  }
}
