import type { Change } from '../../src/connector/connector.ts'
import { recentStart } from '../../src/connector/recent-window.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { IMMUTABLE } from './graph-address.ts'
import { isNotThere } from './graph-gateway.ts'
import { type ListedConversation, type ListedHead, MailBodies } from './outlook-bodies.ts'
import type { OutlookCursor } from './outlook-config.ts'
import {
  conversationItems,
  isRecent,
  isTakenMail,
  type OutlookMailbox,
  type WholeMessage,
} from './outlook-conversation.ts'
import { type MailPerson, type MessageAnswer, messageAnswer, messageHead, SELECT_HEAD } from './outlook-message.ts'

interface FolderScan {
  /** Link to the changes from now on; `undefined` when the folder was deleted. */
  readonly deltaLink: string | undefined
  readonly pages: number
}

/** With larger pages, a delta over thousands of mails is slow to start. */
const PREFER = `${IMMUTABLE}, odata.maxpagesize=200`

/**
 * Lists a folder's content or its changes. Links of a full scan sometimes expire before it ends, so a scan from the
 * beginning is tried twice.
 *
 * @param link deltaLink of an earlier full scan
 * @throws SourceError `restart` when Graph no longer accepts the link
 */
export async function scanFolder(
  mailbox: OutlookMailbox,
  folderId: string,
  link: string | undefined,
  tell: (message: MessageAnswer) => void,
): Promise<FolderScan> {
  try {
    return await scanPages(mailbox, folderId, link, tell)
  } catch (error) {
    if (isNotThere(error)) return { deltaLink: undefined, pages: 1 }
    if (link !== undefined || !(error instanceof SourceError) || error.remedy !== 'restart') throw error
    return scanPages(mailbox, folderId, undefined, tell)
  }
}

async function scanPages(
  { gateway }: OutlookMailbox,
  folderId: string,
  link: string | undefined,
  tell: (message: MessageAnswer) => void,
): Promise<FolderScan> {
  const path = `/me/mailFolders/${encodeURIComponent(folderId)}/messages/delta`
  const options = { query: { $select: SELECT_HEAD }, headers: { prefer: PREFER } }
  let scan: FolderScan = { deltaLink: undefined, pages: 0 }
  for await (const { values, deltaLink } of gateway.pages(
    messageAnswer,
    link === undefined ? path : { link },
    options,
  )) {
    for (const message of values) tell(message)
    scan = { deltaLink, pages: scan.pages + 1 }
  }
  // Without it, the listing broke off, which must not look like the end, or like a folder that was deleted.
  if (scan.deltaLink === undefined)
    throw new SourceError('retry', 'Graph returned no continuation for the mails of a folder.')
  return scan
}

const CONVERSATIONS_PER_CHECKPOINT = 100

/**
 * The whole mailbox, newest conversations first. First the heads of all mails are listed, 200 per request: they show
 * which mails form a conversation and whether it is known. Only the mails of unknown conversations are read.
 *
 * @param begun state of an unfinished full scan: heads are listed again, yielded conversations are skipped
 */
export async function* outlookFullScan(
  mailbox: OutlookMailbox,
  begun: OutlookCursor | undefined,
): AsyncGenerator<Change<OutlookCursor>> {
  const { context } = mailbox
  const walkedAt = context.clock().toISOString()
  const { conversations, links, pages } = await listedHeads(mailbox)
  // The links report changes since the first listing.
  const cursor: OutlookCursor = begun ?? { links, walkedAt, pages, after: '' }
  if (begun === undefined) yield { type: 'checkpoint', cursor }
  const sorted = newestFirst(conversations.filter(({ heads }) => isRecent(mailbox, heads)))
  const bodies = new MailBodies(mailbox, sorted)
  const recentSince = recentStart(context, context.config.since)
  const { fresh, older } = splitByAge(sorted, recentSince)
  const after = cursor.after ?? ''
  if (after === '') {
    yield { type: 'expected', items: sorted.length }
    for (const conversation of fresh) yield* scannedConversation(mailbox, conversation, bodies)
    if (older.length > 0 && recentSince !== undefined) yield { type: 'checkpoint', cursor, recentSince }
  }
  const left = after === '' ? older : older.filter((conversation) => isBehind(positionOf(conversation), after))
  yield { type: 'expected', items: left.length }
  for (const [at, conversation] of left.entries()) {
    yield* scannedConversation(mailbox, conversation, bodies)
    if ((at + 1) % CONVERSATIONS_PER_CHECKPOINT === 0) {
      yield { type: 'checkpoint', cursor: { ...cursor, after: positionOf(conversation) } }
    }
  }
  yield { type: 'checkpoint', cursor: { links: cursor.links, walkedAt: cursor.walkedAt, pages: cursor.pages } }
}

function newestFirst(conversations: readonly ListedConversation[]): ListedConversation[] {
  return conversations
    .map((conversation) => ({ conversation, position: positionOf(conversation) }))
    .sort((a, b) => (isBehind(b.position, a.position) ? -1 : 1))
    .map(({ conversation }) => conversation)
}

/** Times that are equal in length sort as text. */
function positionOf({ id, heads }: ListedConversation): string {
  const latest = heads.reduce((most, { at }) => Math.max(most, at), 0)
  return `${new Date(latest).toISOString()} ${id}`
}

/** Older positions follow newer ones. A cursor of an earlier version is only an ID, so everything is behind it. */
function isBehind(position: string, after: string): boolean {
  return position < after || !/^\d{4}-\d\d-\d\dT\S* /.test(after)
}

/** @param since `undefined`: all of them are recent */
function splitByAge(conversations: readonly ListedConversation[], since: Date | undefined) {
  const isFresh = ({ heads }: ListedConversation) => heads.some(({ at }) => at >= (since?.getTime() ?? 0))
  const { fresh = [], older = [] } = Object.groupBy(conversations, (one) => (isFresh(one) ? 'fresh' : 'older'))
  return { fresh, older }
}

function* scannedConversation(
  mailbox: OutlookMailbox,
  conversation: ListedConversation,
  bodies: MailBodies,
): Generator<Change<OutlookCursor>> {
  mailbox.context.signal.throwIfAborted()
  let whole: Promise<readonly WholeMessage[]> | undefined
  const read = () => {
    whole ??= bodies.read(conversation)
    return whole
  }
  const { id, heads } = conversation
  for (const item of conversationItems(mailbox, id, heads, read)) yield { type: 'item', item }
}

async function listedHeads(mailbox: OutlookMailbox) {
  const conversations = new Map<string, Map<string, ListedHead>>()
  const people = new Map<string, MailPerson>()
  // Most mails repeat the same few people.
  const shared = (person: MailPerson): MailPerson => {
    const known = people.get(person.full) ?? person
    people.set(person.full, known)
    return known
  }
  const links: Record<string, string> = {}
  let pages = 0
  for (const folderId of mailbox.folders.taken) {
    const scan = await scanFolder(mailbox, folderId, undefined, (message) => {
      const { conversationId } = message
      if (message['@removed'] !== undefined || conversationId == null || !isTakenMail(mailbox, message)) return
      const head = messageHead(message)
      const heads = conversations.get(conversationId) ?? new Map<string, ListedHead>()
      heads.set(head.key, { ...head, folderId, people: head.people.map(shared) })
      conversations.set(conversationId, heads)
    })
    if (scan.deltaLink !== undefined) links[folderId] = scan.deltaLink
    pages += scan.pages
  }
  const listed = [...conversations].map(([id, heads]) => ({ id, heads: [...heads.values()] }))
  return { conversations: listed, links, pages }
}
