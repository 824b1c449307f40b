import type { Context, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { accountPart, sourceItemId } from '../../src/connector/source-item-id.ts'
import { htmlToMarkdown, trimMail } from '../../src/connector/source-text.ts'
import { IMMUTABLE } from './graph-address.ts'
import type { GraphGateway } from './graph-gateway.ts'
import type { OutlookConfig } from './outlook-config.ts'
import type { MailFolders } from './outlook-folders.ts'
import {
  type AttachmentAnswer,
  attachmentAnswer,
  byTime,
  digest,
  type MessageAnswer,
  type MessageHead,
  messageAnswer,
  messageHead,
  personOf,
  SELECT_WHOLE,
} from './outlook-message.ts'

/** Everything needed to read a mailbox in one run. */
export interface OutlookMailbox {
  readonly gateway: GraphGateway
  readonly context: Context<OutlookConfig>
  readonly folders: MailFolders
}

const MAILS_PER_PAGE = 50

/** Whether a mail counts: it is in a selected folder and was sent. */
export function isTakenMail({ folders }: OutlookMailbox, { parentFolderId, isDraft }: MessageAnswer): boolean {
  return isDraft !== true && (parentFolderId == null || folders.taken.has(parentFolderId))
}

/** A conversation is synced completely if its last mail is recent enough. */
export function isRecent({ context }: OutlookMailbox, heads: readonly MessageHead[]): boolean {
  const { since } = context.config
  return since === undefined || heads.some(({ at }) => at >= since.getTime())
}

/** All mails of a conversation in the selected folders; none when it was deleted. */
export async function wholeConversation(mailbox: OutlookMailbox, conversationId: string): Promise<WholeMessage[]> {
  // Exchange rejects this filter together with $orderby (`InefficientFilter`).
  const query = {
    $filter: `conversationId eq '${conversationId.replaceAll("'", "''")}'`,
    $select: SELECT_WHOLE,
    $top: MAILS_PER_PAGE,
  }
  const found = new Map<string, WholeMessage>()
  for await (const message of mailbox.gateway.list(messageAnswer, '/me/messages', {
    query,
    headers: { prefer: IMMUTABLE },
  })) {
    if (message.conversationId === conversationId && isTakenMail(mailbox, message)) {
      found.set(message.id, wholeMessage(message))
    }
  }
  return [...found.values()]
}

/** Mails per document. Longer conversations are split, so that a new mail does not change earlier documents. */
const SEGMENT_MAILS = 20
/** Maximum recipients kept per mail. */
const MOST_RECIPIENTS = 10

/** `$expand` of what is kept of attachments, which have no content then. */
export const SELECT_ATTACHMENTS = 'attachments($select=id,name,isInline)'

export interface WholeMessage extends MessageHead {
  readonly message: MessageAnswer
}

export function wholeMessage(message: MessageAnswer): WholeMessage {
  return { ...messageHead(message), message }
}

/** Number of documents for this many mails. */
export function segmentCount(mails: number): number {
  return Math.ceil(mails / SEGMENT_MAILS)
}

/**
 * The documents of a conversation.
 *
 * @param heads of all its selected mails
 * @param whole loads the mails with their text
 */
export function conversationItems(
  mailbox: OutlookMailbox,
  conversationId: string,
  heads: readonly MessageHead[],
  whole: () => Promise<readonly WholeMessage[]>,
): SourceItem[] {
  const sorted = [...heads].sort(byTime)
  const title = bareSubject(sorted[0]?.subject ?? '')
  return Array.from({ length: segmentCount(sorted.length) }, (_, segment) => {
    const mails = ofSegment(sorted, segment)
    const [first, last] = [mails[0], mails.at(-1)]
    const people = [...new Set(mails.flatMap((mail) => mail.people.map(({ full }) => full)))]
    const author = first?.sender?.name
    return {
      ...conversationRef(mailbox, conversationId, segment),
      locator: conversationId,
      revision: digest([title, ...mails.flatMap(({ key, version }) => [key, version])].join('\n')),
      title: segment === 0 ? title : `${title} (mails from ${segment * SEGMENT_MAILS + 1})`,
      visibility: 'private',
      ...(first?.at && { createdAt: new Date(first.at) }),
      ...(last?.at && { updatedAt: new Date(last.at) }),
      ...(people.length > 0 && { people }),
      ...(author !== undefined && { author }),
      ...(first?.url !== undefined && { url: first.url }),
      body: async () => segmentBody(mailbox, ofSegment([...(await whole())].sort(byTime), segment)),
    }
  })
}

export function conversationRef(mailbox: OutlookMailbox, conversationId: string, segment: number): ItemRef {
  const account = accountPart(mailbox.context.account.account)
  const cut = segment === 0 ? [] : [{ name: 's', value: String(segment).padStart(4, '0') }]
  return { sourceType: 'ms-outlook', itemId: sourceItemId('msmail', account, 'c', conversationId, ...cut) }
}

function ofSegment<T>(mails: readonly T[], segment: number): readonly T[] {
  return mails.slice(segment * SEGMENT_MAILS, (segment + 1) * SEGMENT_MAILS)
}

async function segmentBody(mailbox: OutlookMailbox, mails: readonly WholeMessage[]): Promise<string | undefined> {
  if (mails.length === 0) return undefined
  const sections: string[] = []
  for (const mail of mails) sections.push(await section(mailbox, mail))
  return `${sections.join('\n\n')}\n`
}

async function section(mailbox: OutlookMailbox, { message, sender, subject, at }: WholeMessage): Promise<string> {
  const sent = Date.parse(message.sentDateTime ?? '') || at
  const heading = `## Message by ${sender?.name.slice(0, 80) ?? 'unknown'}${sent === 0 ? '' : ` at ${new Date(sent).toISOString()}`}`
  const attached = message.hasAttachments === true ? await attachmentNames(mailbox, message) : []
  const parts = [
    heading,
    recipients(message),
    messageText(message, subject),
    attached.length === 0 ? '' : `Attachments: ${attached.join(', ')}`,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function recipients({ toRecipients }: MessageAnswer): string {
  const names = (toRecipients ?? []).flatMap((one) => personOf(one)?.name ?? [])
  if (names.length === 0) return ''
  const more = names.length > MOST_RECIPIENTS ? ` and ${names.length - MOST_RECIPIENTS} more` : ''
  return `To: ${names.slice(0, MOST_RECIPIENTS).join(', ')}${more}`
}

/**
 * The sender's text, without quotes and footers. Headings are escaped, so that they can't be mistaken for another mail.
 */
function messageText({ body }: MessageAnswer, subject: string): string {
  const content = body?.content ?? ''
  const isHtml = body?.contentType?.toLowerCase() === 'html'
  const text = (isHtml ? htmlToMarkdown(content).markdown : content).replace(/\r\n?/g, '\n')
  return trimMail(text, subject)
    .parts.map(({ text, forwardedFrom }) => (forwardedFrom ? `Forwarded, from ${forwardedFrom}:\n\n${text}` : text))
    .join('\n\n')
    .trim()
    .replace(/^(#{2,4} [^\n]{1,80} by \S)/gm, '\\$1')
}

/** Attachments are only named. They change together with the mail, so failing to list them is no reason to skip it. */
async function attachmentNames({ gateway }: OutlookMailbox, { id, attachments }: MessageAnswer): Promise<string[]> {
  if (attachments != null) return attachments.flatMap(attachmentName)
  const path = `/me/messages/${encodeURIComponent(id)}/attachments`
  const options = { query: { $select: 'id,name,isInline' }, headers: { prefer: IMMUTABLE } }
  const names: string[] = []
  try {
    for await (const found of gateway.list(attachmentAnswer, path, options)) names.push(...attachmentName(found))
  } catch (error) {
    if (!(error instanceof SourceError) || error.remedy !== 'skip') throw error
    return []
  }
  return names
}

function attachmentName({ name, isInline }: AttachmentAnswer): string[] {
  return name && isInline !== true ? [name.replace(/\s+/g, ' ')] : []
}

/** `RE: AW: Invoice` becomes `Invoice`. */
function bareSubject(subject: string): string {
  const bare = subject.replace(
    /^(?:(?:re|aw|antw|sv|odp|fwd?|wg|tr|rv|rif|enc|doorst)(?:\[\d{1,3}\])?\s?[:：]\s*)+/i,
    '',
  )
  return bare || subject || 'Mail without a subject'
}
