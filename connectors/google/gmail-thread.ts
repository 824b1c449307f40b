import { addressParser, decodeWords } from 'postal-mime'
import type { SourceItem } from '../../src/connector/connector.ts'
import { accountPart, sourceItemId } from '../../src/connector/source-item-id.ts'
import { trimMail } from '../../src/connector/source-text.ts'
import type { GmailMessage, GmailThread } from './gmail-answers.ts'
import { contentRevision } from './google-rows.ts'
import { header, mailContent } from './mail-text-part.ts'

/** Messages per document; longer threads are split, so that a new message does not change earlier documents. */
const SEGMENT_MESSAGES = 20

/** The owner of the mailbox. */
export interface MailOwner {
  readonly account: string
  /** The address, for links. */
  readonly title?: string
}

/** @param segment 0 for the first */
export function threadRef(owner: MailOwner, threadId: string, segment = 0) {
  const parts = segment === 0 ? [] : [{ name: 's', value: String(segment + 1).padStart(4, '0') }]
  const itemId = sourceItemId('gmail', accountPart(owner.account), 't', threadId, ...parts)
  return { sourceType: 'email', itemId } as const
}

const ITEM = /^gmail:[0-9a-f]{10}:t:([A-Za-z0-9_-]+)(?::s=(\d+))?$/

/** The thread id of a reference made by `threadRef`; `undefined` for other ids. */
export function threadOf(itemId: string): { readonly threadId: string; readonly segment: number } | undefined {
  const [, threadId, number = '1'] = ITEM.exec(itemId) ?? []
  return threadId === undefined ? undefined : { threadId, segment: Number(number) - 1 }
}

/** At least one. @param messages number of messages in the thread */
export function segmentsFor(messages: number): number {
  return Math.max(1, Math.ceil(messages / SEGMENT_MESSAGES))
}

/** The documents of a thread. @param messages the selected ones, in order; without any there are no documents */
export function threadItems(
  owner: MailOwner,
  thread: GmailThread,
  messages: readonly GmailMessage[],
): (SourceItem & { readonly body: string })[] {
  const [first] = messages
  if (first === undefined) return []
  const subject = subjectOf(first) || 'Mail without a subject'
  const revision = threadRevision(thread)
  return Array.from({ length: segmentsFor(messages.length) }, (_, segment) => {
    const kept = messages.slice(segment * SEGMENT_MESSAGES, (segment + 1) * SEGMENT_MESSAGES)
    const writer = kept[0] && writerOf(kept[0])
    const createdAt = receivedAt(kept[0])
    const updatedAt = receivedAt(kept.at(-1))
    return {
      ...threadRef(owner, thread.id, segment),
      revision,
      title: segment === 0 ? subject : `${subject} (messages from ${segment * SEGMENT_MESSAGES + 1})`,
      url: threadUrl(owner, thread.id),
      ...(writer !== undefined && { author: writer }),
      people: peopleOf(kept),
      ...(createdAt && { createdAt }),
      ...(updatedAt && { updatedAt }),
      body: `${kept.map(messageMarkdown).join('\n\n')}\n`,
    }
  })
}

/** The history id of the thread's last change; messages themselves never change. */
export function threadRevision({ historyId, messages }: GmailThread): string {
  return historyId ?? contentRevision(messages.map(({ id }) => id))
}

function threadUrl({ title }: MailOwner, threadId: string): string {
  const user = title?.includes('@') ? `?authuser=${encodeURIComponent(title)}` : ''
  return `https://mail.google.com/mail/${user}#all/${threadId}`
}

function receivedAt(message: GmailMessage | undefined): Date | undefined {
  const at = new Date(message?.internalDate ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? undefined : at
}

/** `## Message by Ada Lovelace <ada@acme.test> at 2026-03-04T10:00:00.000Z`, the text, and the names of attachments. */
function messageMarkdown(message: GmailMessage): string {
  const at = receivedAt(message)
  const { text, attachments } = mailContent(message.payload)
  const parts = trimMail(text, subjectOf(message)).parts.map(({ text, forwardedFrom }) => {
    const words = text.trim()
    return words === '' || forwardedFrom === undefined ? words : `Forwarded, from ${forwardedFrom}:\n\n${words}`
  })
  return [
    `## Message by ${speakerName(writerOf(message))}${at ? ` at ${at.toISOString()}` : ''}`,
    ...parts.map(asWords),
    attachments.length === 0 ? '' : `Attached: ${attachments.join(', ')}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Escapes headings, so that they can't be mistaken for another person's message. */
function asWords(text: string): string {
  return text.replace(/^(#{1,6} (?:[^\n]{1,80} by \S|(?:User|Human|Assistant|Agent|System|Tool)\b))/gim, '\\$1')
}

/** Longer recipient lists would only lengthen every document. */
const MOST_PEOPLE = 100
/** Maximum characters read from a header; recipient lists can be longer than mails. */
const MOST_HEADER = 100_000
const LONGEST_SPEAKER = 80

/** The sender as `Ada Lovelace <ada@acme.test>`; `undefined` when the message has none. */
function writerOf(message: GmailMessage): string | undefined {
  return peopleIn(message, 'from')[0] ?? peopleIn(message, 'sender')[0]
}

/** Who wrote and received the messages, each once. */
function peopleOf(messages: readonly GmailMessage[]): string[] {
  const known = new Map<string, string>()
  for (const message of messages) {
    for (const person of ['from', 'to', 'cc'].flatMap((name) => peopleIn(message, name))) {
      const key = /<([^<>]+)>$/.exec(person)?.[1]?.toLowerCase() ?? person.toLowerCase()
      // A name is more useful than an address alone.
      if (!known.has(key) || !known.get(key)?.includes('<')) known.set(key, person)
    }
  }
  return [...known.values()].slice(0, MOST_PEOPLE)
}

/** Escaped for a heading, in which ` at ` precedes the time. */
function speakerName(writer: string | undefined): string {
  const address = /<([^<>]+)>$/.exec(writer ?? '')?.[1]
  const fits = [writer, address].find(
    (name) => name !== undefined && name.length <= LONGEST_SPEAKER && !/ (?:at|on) /i.test(name),
  )
  return fits ?? 'somebody'
}

/** Decodes RFC 2047 words that Gmail may have left. */
function subjectOf(message: GmailMessage): string {
  const subject = message.payload && header(message.payload, 'subject')
  return decodeWords(subject ?? '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

function peopleIn({ payload }: GmailMessage, name: string): string[] {
  const value = payload && header(payload, name)
  if (!value) return []
  return addressParser(value.slice(0, MOST_HEADER), { flatten: true }).flatMap(({ name, address = '' }) => {
    const shown = name.replace(/[\s\p{Cc}<>]+/gu, ' ').trim()
    if (!address.includes('@')) return shown || []
    return shown && shown !== address ? `${shown} <${address}>` : address
  })
}
