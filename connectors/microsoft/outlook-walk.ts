import type { Change } from '../../src/connector/connector.ts'
import { conversationItems, type WholeMessage } from './outlook-conversation.ts'
import type { OutlookCursor } from './outlook-cursor.ts'
import { walkFolder } from './outlook-folder-walk.ts'
import { isRecent, isTakenMail, type OutlookMailbox, wholeConversation } from './outlook-mailbox.ts'
import { type MailPerson, type MessageHead, messageHead } from './outlook-message.ts'

const CONVERSATIONS_PER_CHECKPOINT = 100

/**
 * Everything in the mailbox. First the heads of all mails are listed, 200 to a request: they say what each conversation
 * consists of and whether it is known; only of the others are the mails themselves read.
 *
 * @param begun of a walk that is not through: the heads are listed again, what was told is passed over
 */
export async function* outlookWalk(
  mailbox: OutlookMailbox,
  begun: OutlookCursor | undefined,
): AsyncGenerator<Change<OutlookCursor>> {
  const { context } = mailbox
  const walkedAt = context.clock().toISOString()
  const { conversations, links, pages } = await listedHeads(mailbox)
  // What happened since the first listing is told by its links.
  const cursor: OutlookCursor = begun ?? { links, walkedAt, pages, after: '' }
  if (begun === undefined) yield { type: 'checkpoint', cursor }
  const ids = [...conversations.keys()].sort().filter((id) => id > (cursor.after ?? ''))
  for (const [at, id] of ids.entries()) {
    context.signal.throwIfAborted()
    const heads = [...(conversations.get(id)?.values() ?? [])]
    let whole: Promise<readonly WholeMessage[]> | undefined
    const read = () => {
      whole ??= wholeConversation(mailbox, id)
      return whole
    }
    if (isRecent(mailbox, heads)) {
      for (const item of conversationItems(mailbox, id, heads, read)) yield { type: 'item', item }
    }
    if ((at + 1) % CONVERSATIONS_PER_CHECKPOINT === 0) yield { type: 'checkpoint', cursor: { ...cursor, after: id } }
  }
  yield { type: 'checkpoint', cursor: { links: cursor.links, walkedAt: cursor.walkedAt, pages: cursor.pages } }
}

async function listedHeads(mailbox: OutlookMailbox) {
  const conversations = new Map<string, Map<string, MessageHead>>()
  const people = new Map<string, MailPerson>()
  // The same few people stand in most mails.
  const shared = (person: MailPerson): MailPerson => {
    const known = people.get(person.full) ?? person
    people.set(person.full, known)
    return known
  }
  const links: Record<string, string> = {}
  let pages = 0
  for (const folderId of mailbox.folders.taken) {
    const walk = await walkFolder(mailbox, folderId, undefined, (message) => {
      const { conversationId } = message
      if (message['@removed'] !== undefined || conversationId == null || !isTakenMail(mailbox, message)) return
      const head = messageHead(message)
      const heads = conversations.get(conversationId) ?? new Map<string, MessageHead>()
      heads.set(head.key, { ...head, people: head.people.map(shared) })
      conversations.set(conversationId, heads)
    })
    if (walk.deltaLink !== undefined) links[folderId] = walk.deltaLink
    pages += walk.pages
  }
  return { conversations, links, pages }
}
