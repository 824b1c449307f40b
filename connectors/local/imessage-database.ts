import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { digest } from '../../src/connector/source-item-id.ts'
import { attributedText } from './attributed-text.ts'
import type { ChatMessage, ExportedChats } from './exported-messages.ts'

const text = z.string().nullish()
const messageRow = z.object({
  id: z.number(),
  chat: z.string(),
  name: text,
  body: text,
  subject: text,
  archive: z.instanceof(Uint8Array).nullish(),
  at: z.number(),
  mine: z.number(),
  sender: text,
})
type MessageRow = z.infer<typeof messageRow>
const memberRow = z.object({ chat: z.string(), member: z.string() })
const attachmentRow = z.object({ message: z.number(), name: z.string() })

/**
 * Times count nanoseconds since 2001, and seconds before macOS 10.13. Without joining, leaving and renaming
 * (`item_type`), stickers and reactions (`associated_message_type` from 1,000).
 */
const MESSAGES = `SELECT message.ROWID AS id, chat.chat_identifier AS chat, chat.display_name AS name, message.text AS body,
  message.subject AS subject, message.attributedBody AS archive, message.is_from_me AS mine, handle.id AS sender,
  978307200000 + CASE WHEN abs(message.date) > 1000000000000 THEN message.date / 1000000 ELSE message.date * 1000 END AS at
  FROM message
  JOIN chat_message_join ON chat_message_join.message_id = message.ROWID
  JOIN chat ON chat.ROWID = chat_message_join.chat_id
  LEFT JOIN handle ON handle.ROWID = message.handle_id
  WHERE chat.chat_identifier <> '' AND message.date > 0
    AND coalesce(message.item_type, 0) = 0 AND coalesce(message.associated_message_type, 0) < 1000
  GROUP BY message.ROWID, chat.chat_identifier ORDER BY message.date, message.ROWID`
const MEMBERS = `SELECT DISTINCT chat.chat_identifier AS chat, handle.id AS member FROM chat_handle_join
  JOIN chat ON chat.ROWID = chat_handle_join.chat_id JOIN handle ON handle.ROWID = chat_handle_join.handle_id
  WHERE chat.chat_identifier <> '' ORDER BY handle.ROWID`
/** Without what apps and previews of links hold. */
const ATTACHMENTS = `SELECT message_attachment_join.message_id AS message, attachment.transfer_name AS name FROM attachment
  JOIN message_attachment_join ON message_attachment_join.attachment_id = attachment.ROWID
  WHERE attachment.transfer_name <> '' AND attachment.transfer_name NOT LIKE '%.pluginPayloadAttachment'
  ORDER BY attachment.ROWID`

/** In the name of a group without one. */
const MOST_NAMED = 5

export interface MessagesNames {
  /** Of whose Mac it is. */
  readonly own: string
  /** The person of a phone number or address, if known. */
  of(handle: string): string | undefined
}

/** The chats of `chat.db`; what somebody wrote as SMS and as iMessage is one chat. @throws Error, ZodError */
export function messagesChats(database: DatabaseSync, names: MessagesNames): ExportedChats {
  const files = grouped(database, ATTACHMENTS, (row) => {
    const { message, name } = attachmentRow.parse(row)
    return [message, name]
  })
  const members = grouped(database, MEMBERS, (row) => {
    const { chat, member } = memberRow.parse(row)
    return [chat, names.of(member) ?? member]
  })
  const chats = new Map<string, { name: string; readonly messages: ChatMessage[] }>()
  let unreadable = 0
  for (const given of database.prepare(MESSAGES).iterate()) {
    const row = messageRow.parse(given)
    const said = spokenText(row)
    if (said === undefined) unreadable++
    const parts = [row.subject?.trim(), said, ...(files.get(row.id) ?? []).map((file) => `[file: ${file}]`)]
    const spoken = parts.filter(Boolean).join('\n')
    const name =
      row.name?.trim() || members.get(row.chat)?.slice(0, MOST_NAMED).join(', ') || names.of(row.chat) || row.chat
    const chat = chats.get(row.chat) ?? { name, messages: [] }
    chats.set(row.chat, chat)
    chat.name = name
    if (spoken !== '') chat.messages.push({ at: new Date(row.at), from: senderName(row, names), text: spoken })
  }
  return {
    chats: [...chats].map(([chat, { name, messages }]) => ({ key: digest(['imessage', chat]), name, messages })),
    unreadable,
  }
}

function grouped<Key>(
  database: DatabaseSync,
  query: string,
  entryOf: (row: unknown) => readonly [Key, string],
): Map<Key, string[]> {
  const groups = new Map<Key, string[]>()
  for (const row of database.prepare(query).iterate()) {
    const [key, value] = entryOf(row)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else if (!group.includes(value)) group.push(value)
  }
  return groups
}

/** Without the marks in place of attachments. `undefined` if the form is unknown. */
function spokenText({ body, archive }: MessageRow): string | undefined {
  const given = body || (archive ? attributedText(archive) : '')
  return given?.replace(/[\ufffc\ufffd]/g, '').trim()
}

/** Incoming messages of a chat with one person may have no handle. */
function senderName({ mine, sender, chat }: MessageRow, names: MessagesNames): string {
  if (mine === 1) return names.own
  const handle = sender ?? chat
  return names.of(handle) ?? handle
}
