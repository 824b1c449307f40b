import { z } from 'zod'
import { digest } from '../../src/connector/source-item-id.ts'
import type { ChatMessage, ExportedChats, ExportedMessages } from './exported-messages.ts'

const text = z.string().nullish().catch(undefined)
/** 64-bit numbers are strings. Ids hold within one export. */
const number = z.union([z.string(), z.number()]).transform(String).nullish().catch(undefined)

const body = z
  .looseObject({
    body: text,
    bodyRanges: z
      .array(z.looseObject({ start: z.number().catch(0), length: z.number().catch(0), mentionAci: text }))
      .catch([]),
  })
  .nullish()
  .catch(undefined)
const person = z.looseObject({ givenName: text, familyName: text })
const contact = z.looseObject({
  aci: text,
  e164: number,
  username: text,
  profileGivenName: text,
  profileFamilyName: text,
  nickname: z.looseObject({ given: text, family: text }).nullish().catch(undefined),
  systemGivenName: text,
  systemFamilyName: text,
})
const group = z.looseObject({
  masterKey: text,
  snapshot: z
    .looseObject({ title: z.looseObject({ title: text }).nullish() })
    .nullish()
    .catch(undefined),
})
const recipient = z.looseObject({
  id: number,
  contact: contact.optional(),
  group: group.optional(),
  self: z.unknown().optional(),
})
const chat = z.looseObject({ id: number, recipientId: number })
const attachment = z.looseObject({
  pointer: z.looseObject({ fileName: text, caption: text }).nullish().catch(undefined),
})
const chatItem = z.looseObject({
  chatId: number,
  authorId: number,
  dateSent: number,
  expiresInMs: number,
  standardMessage: z
    .looseObject({ text: body, attachments: z.array(attachment).catch([]) })
    .optional()
    .catch(undefined),
  directStoryReplyMessage: z
    .looseObject({ textReply: z.looseObject({ text: body }).nullish() })
    .optional()
    .catch(undefined),
  contactMessage: z
    .looseObject({
      contact: z.looseObject({
        name: person.nullish(),
        organization: text,
        number: z.array(z.looseObject({ value: text })).catch([]),
      }),
    })
    .optional()
    .catch(undefined),
  poll: z
    .looseObject({ question: text, options: z.array(z.looseObject({ option: text })).catch([]) })
    .optional()
    .catch(undefined),
})
type ChatItem = z.infer<typeof chatItem>

const frame = z.looseObject({
  account: person.optional().catch(undefined),
  recipient: recipient.optional().catch(undefined),
  chat: chat.optional().catch(undefined),
  chatItem: chatItem.optional().catch(undefined),
})

/** The key of the person whose export it is. */
const SELF = 'self'

interface Recipient {
  /** The same in every export. */
  readonly key: string
  readonly name: string
}

/**
 * The chats of a `main.jsonl`, the readable export of Signal: a line for each frame of its backup format. `undefined` for
 * other files.
 * @param userName what the person is called if the export does not say it
 */
export function signalChats(source: string, userName: string): ExportedChats | undefined {
  const recipients = new Map<string, Recipient>()
  const mentioned = new Map<string, string>()
  const recipientOfChat = new Map<string, string>()
  const chats = new Map<string, ExportedMessages & { readonly messages: ChatMessage[] }>()
  let own = userName
  let unreadable = 0
  for (const line of source.split('\n')) {
    const found = frame.safeParse(parsedLine(line)).data
    if (found === undefined) unreadable++
    if (found?.account !== undefined) own = personName(found.account) ?? own
    const known = found?.recipient && recipientOf(found.recipient, own)
    if (found?.recipient?.id && known !== undefined) recipients.set(found.recipient.id, known)
    if (found?.recipient?.contact?.aci && known) mentioned.set(found.recipient.contact.aci, known.name)
    if (found?.chat?.id && found.chat.recipientId) recipientOfChat.set(found.chat.id, found.chat.recipientId)
    const item = found?.chatItem
    const of = recipients.get(recipientOfChat.get(item?.chatId ?? '') ?? '')
    if (item === undefined || of === undefined) continue
    const one = chats.get(of.key) ?? newChat(of)
    chats.set(of.key, one)
    one.messages.push(...messageOf(item, recipients.get(item.authorId ?? '')?.name, mentioned))
  }
  if (recipients.size === 0) return undefined
  const inOrder = [...chats.values()].map((one) => ({
    ...one,
    messages: one.messages.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
  }))
  return { chats: inOrder, unreadable }
}

/** A chat with oneself is called as Signal calls it. */
function newChat({ key, name }: Recipient) {
  return { key: digest(['signal', key]), name: key === SELF ? 'Note to Self' : name, messages: [] }
}

/** `undefined` for a damaged line, such as the last one of an export that broke off. */
function parsedLine(line: string): unknown {
  if (line.trim() === '') return {}
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Nobody for announcements of Signal and for links of calls. */
function recipientOf({ contact: who, group: of, self }: z.infer<typeof recipient>, own: string): Recipient | undefined {
  if (self !== undefined) return { key: SELF, name: own }
  if (of?.masterKey) return { key: `group ${of.masterKey}`, name: of.snapshot?.title?.title?.trim() || 'Group' }
  if (who === undefined) return undefined
  const phone = who.e164 && `+${who.e164.replace(/^\+/, '')}`
  const key = who.aci ?? phone ?? who.username
  return key ? { key: `contact ${key}`, name: contactName(who) ?? phone ?? who.username ?? 'Unknown' } : undefined
}

/** As Signal shows it: the person's own name for somebody before that of the address book and that of the profile. */
function contactName(who: z.infer<typeof contact>): string | undefined {
  const pairs = [
    [who.nickname?.given, who.nickname?.family],
    [who.systemGivenName, who.systemFamilyName],
    [who.profileGivenName, who.profileFamilyName],
  ]
  return pairs.map((pair) => pair.filter(Boolean).join(' ').trim()).find(Boolean)
}

function personName({ givenName, familyName }: z.infer<typeof person>): string | undefined {
  return [givenName, familyName].filter(Boolean).join(' ').trim() || undefined
}

/** Nothing of disappearing messages, stickers, calls and what the app itself wrote. */
function messageOf(item: ChatItem, from = 'Unknown', mentioned: ReadonlyMap<string, string>): ChatMessage[] {
  const at = new Date(Number(item.dateSent))
  if (Number.isNaN(at.getTime()) || Number(item.expiresInMs ?? 0) > 0) return []
  const said = [
    spokenText(item.standardMessage?.text ?? item.directStoryReplyMessage?.textReply?.text, mentioned),
    ...(item.standardMessage?.attachments ?? []).flatMap(({ pointer }) => [
      pointer?.caption,
      pointer?.fileName && `[file: ${pointer.fileName}]`,
    ]),
    sharedContact(item),
    item.poll?.question && [`Poll: ${item.poll.question}`, ...optionsOf(item.poll)].join('\n'),
  ]
  const written = said.filter(Boolean).join('\n')
  return written === '' ? [] : [{ at, from, text: written }]
}

/** With the names of people in place of the marks that mention them. */
function spokenText(given: z.infer<typeof body>, mentioned: ReadonlyMap<string, string>): string {
  let spoken = given?.body ?? ''
  for (const { start, length, mentionAci } of (given?.bodyRanges ?? []).toSorted((a, b) => b.start - a.start)) {
    if (!mentionAci) continue
    const name = mentioned.get(mentionAci) ?? 'somebody'
    spoken = `${spoken.slice(0, start)}@${name}${spoken.slice(start + length)}`
  }
  return spoken.trim()
}

function sharedContact({ contactMessage }: ChatItem): string | undefined {
  if (contactMessage === undefined) return undefined
  const { name, organization, number: numbers } = contactMessage.contact
  const parts = [name && personName(name), organization, ...numbers.map(({ value }) => value)].filter(Boolean)
  return parts.length === 0 ? undefined : `Contact: ${parts.join(' ')}`
}

function optionsOf({ options }: NonNullable<ChatItem['poll']>): string[] {
  return options.flatMap(({ option }) => (option ? [`- ${option}`] : []))
}
