import { createHash } from 'node:crypto'
import { z } from 'zod'

const recipient = z.looseObject({
  emailAddress: z.looseObject({ name: z.string().nullish(), address: z.string().nullish() }).nullish(),
})

export const attachmentAnswer = z.looseObject({ name: z.string().nullish(), isInline: z.boolean().nullish() })

export type AttachmentAnswer = z.infer<typeof attachmentAnswer>

/** A message as `delta` and lists return it; removed ones have only an id. */
export const messageAnswer = z.looseObject({
  id: z.string().min(1),
  '@removed': z.unknown().optional(),
  conversationId: z.string().nullish(),
  subject: z.string().nullish(),
  from: recipient.nullish(),
  sender: recipient.nullish(),
  toRecipients: z.array(recipient).nullish(),
  ccRecipients: z.array(recipient).nullish(),
  sentDateTime: z.string().nullish(),
  receivedDateTime: z.string().nullish(),
  lastModifiedDateTime: z.string().nullish(),
  changeKey: z.string().nullish(),
  parentFolderId: z.string().nullish(),
  isDraft: z.boolean().nullish(),
  hasAttachments: z.boolean().nullish(),
  webLink: z.string().nullish(),
  /** Only where they were asked for. */
  attachments: z.array(attachmentAnswer).nullish(),
  body: z.looseObject({ contentType: z.string().nullish(), content: z.string().nullish() }).nullish(),
})

export type MessageAnswer = z.infer<typeof messageAnswer>
type Recipient = z.infer<typeof recipient>

const HEAD_FIELDS =
  'id,conversationId,subject,from,sender,toRecipients,ccRecipients,sentDateTime,receivedDateTime,lastModifiedDateTime,changeKey,parentFolderId,isDraft,webLink'
/** `$select` of everything except a mail's text. */
export const SELECT_HEAD = HEAD_FIELDS
export const SELECT_WHOLE = `${HEAD_FIELDS},hasAttachments,body`

/** A message in memory until its conversation is yielded; kept small, because a mailbox may have a hundred thousand. */
export interface MessageHead {
  /** Replaces the id, which has 150 characters. */
  readonly key: string
  /** Changes whenever Graph reports a change, even if the message was only read. */
  readonly version: string
  /** When it was received, in ms since 1970. */
  readonly at: number
  readonly subject: string
  readonly sender: MailPerson | undefined
  readonly people: readonly MailPerson[]
  readonly url: string | undefined
}

export interface MailPerson {
  readonly name: string
  /** `Ada Lovelace <ada@acme.test>` */
  readonly full: string
}

export function messageHead(message: MessageAnswer): MessageHead {
  const { id, subject, toRecipients, ccRecipients, webLink } = message
  const sender = personOf(message.from ?? message.sender)
  const others = [...(toRecipients ?? []), ...(ccRecipients ?? [])].flatMap((one) => personOf(one) ?? [])
  return {
    key: digest(id),
    version: message.lastModifiedDateTime ?? message.changeKey ?? '',
    at: Date.parse(message.receivedDateTime ?? message.sentDateTime ?? message.lastModifiedDateTime ?? '') || 0,
    subject: (subject ?? '').replace(/\s+/g, ' ').trim(),
    sender,
    people: sender === undefined ? others : [sender, ...others],
    url: webLink ?? undefined,
  }
}

export function byTime(a: MessageHead, b: MessageHead): number {
  return a.at - b.at || (a.key < b.key ? -1 : 1)
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

export function personOf(given: Recipient | null | undefined): MailPerson | undefined {
  const address = withoutAngleBrackets(given?.emailAddress?.address)
  const name = withoutAngleBrackets(given?.emailAddress?.name)
  if (name === '' && address === '') return undefined
  if (name === '' || name === address) return { name: address, full: address }
  return { name, full: address === '' ? name : `${name} <${address}>` }
}

function withoutAngleBrackets(text: string | null | undefined): string {
  return (text ?? '').replace(/[\s<>]+/g, ' ').trim()
}
