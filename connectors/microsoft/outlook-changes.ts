import type { Change } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { IMMUTABLE } from './graph-address.ts'
import type { OutlookCursor } from './outlook-config.ts'
import {
  conversationItems,
  conversationRef,
  isRecent,
  type OutlookMailbox,
  segmentCount,
  wholeConversation,
} from './outlook-conversation.ts'
import { scanFolder } from './outlook-full-scan.ts'
import { type MessageAnswer, messageAnswer } from './outlook-message.ts'

/** Up to this many removed mails are looked up one by one; beyond it, a full scan is faster. */
const MOST_LOOKED_FOR = 100
/** A full scan of up to this many pages is allowed in every run; a longer one waits a minute per page. */
const SMALL_SCAN_PAGES = 20
const MINUTE_MS = 60_000

/** The changes, folder by folder. */
interface Found {
  /** Changed conversations, each with the number of mails it may have lost. */
  readonly touched: Map<string, number>
  /** Mails reported as removed from a folder: deleted, or moved to another one. */
  readonly removed: Set<string>
  /** Mails reported as being in a folder. */
  readonly present: Set<string>
  readonly links: Record<string, string>
  lost: boolean
}

/**
 * Changes since the cursor. A conversation with any change is read again. Removed mails are examined after all folders,
 * because a move is a removal in one and an arrival in another.
 *
 * @throws SourceError `restart` when Graph no longer accepts the links, or deleted mails can no longer be identified
 */
export async function* outlookChanges(
  mailbox: OutlookMailbox,
  cursor: OutlookCursor,
): AsyncGenerator<Change<OutlookCursor>> {
  const { context } = mailbox
  const found: Found = {
    touched: new Map(),
    removed: new Set(),
    present: new Set(),
    links: {},
    lost: cursor.lost ?? false,
  }
  if (found.lost && isFullScanDue(mailbox, cursor)) throw lostTrack()
  for (const folderId of mailbox.folders.taken) await changesOf(mailbox, folderId, cursor.links[folderId], found)
  for (const [folderId, link] of Object.entries(cursor.links)) {
    if (found.links[folderId] === undefined) await leaveFolder(mailbox, folderId, link, found)
  }
  await judgeRemoved(mailbox, found)
  if (found.lost && isFullScanDue(mailbox, cursor)) throw lostTrack()
  for (const [conversationId, lost] of found.touched) {
    context.signal.throwIfAborted()
    yield* conversationChanges(mailbox, conversationId, lost)
  }
  const { walkedAt, pages } = cursor
  yield { type: 'checkpoint', cursor: { links: found.links, walkedAt, pages, ...(found.lost && { lost: true }) } }
}

function lostTrack(): SourceError {
  return new SourceError('restart', "Graph doesn't say which conversations some deleted mails belonged to.")
}

function isFullScanDue({ context }: OutlookMailbox, { walkedAt, pages }: OutlookCursor): boolean {
  if (pages <= SMALL_SCAN_PAGES) return true
  const passed = context.clock().getTime() - Date.parse(walkedAt)
  // A time in the future was recorded before the clock was set back.
  return passed < 0 || passed >= pages * MINUTE_MS
}

async function changesOf(mailbox: OutlookMailbox, folderId: string, link: string | undefined, found: Found) {
  const { touched, removed, present, links } = found
  const { deltaLink } = await scanFolder(mailbox, folderId, link, (message) => {
    if (message['@removed'] !== undefined) {
      removed.add(message.id)
      return
    }
    present.add(message.id)
    if (message.conversationId != null) touched.set(message.conversationId, touched.get(message.conversationId) ?? 0)
  })
  if (deltaLink !== undefined) links[folderId] = deltaLink
}

/**
 * A folder that was deleted or is no longer selected, because it is excluded or below Deleted Items. Its current mails
 * are lost, and so are those that left it before.
 */
async function leaveFolder(mailbox: OutlookMailbox, folderId: string, link: string, found: Found): Promise<void> {
  const exists = mailbox.folders.all.has(folderId)
  const tell = (message: MessageAnswer) => {
    if (message['@removed'] !== undefined) found.removed.add(message.id)
  }
  if (!exists || (await scanFolder(mailbox, folderId, link, tell)).deltaLink === undefined) {
    found.lost = true
    return
  }
  const path = `/me/mailFolders/${encodeURIComponent(folderId)}/messages`
  const options = { query: { $select: 'id,conversationId', $top: 200 }, headers: { prefer: IMMUTABLE } }
  for await (const { conversationId } of mailbox.gateway.list(messageAnswer, path, options)) {
    if (conversationId != null) lose(found, conversationId)
  }
}

/** Immutable ids find a mail wherever it was moved; one that is not found was permanently deleted. */
async function judgeRemoved({ gateway }: OutlookMailbox, found: Found): Promise<void> {
  const away = [...found.removed].filter((id) => !found.present.has(id))
  if (away.length > MOST_LOOKED_FOR) found.lost = true
  if (found.lost) return
  const options = { query: { $select: 'id,conversationId,parentFolderId' }, headers: { prefer: IMMUTABLE } }
  for (const id of away) {
    const message = await gateway.find(messageAnswer, `/me/messages/${encodeURIComponent(id)}`, options)
    if (message?.conversationId == null) found.lost = true
    else lose(found, message.conversationId)
  }
}

function lose({ touched }: Found, conversationId: string): void {
  touched.set(conversationId, (touched.get(conversationId) ?? 0) + 1)
}

/** @param lost how many mails, and therefore at most how many documents, it may have lost */
async function* conversationChanges(
  mailbox: OutlookMailbox,
  conversationId: string,
  lost: number,
): AsyncGenerator<Change<OutlookCursor>> {
  const whole = await readable(mailbox, conversationId)
  if (whole instanceof SourceError) {
    const ref = { ...conversationRef(mailbox, conversationId, 0), locator: conversationId }
    yield { type: 'failed', ref, error: whole }
    return
  }
  const kept = isRecent(mailbox, whole) ? whole : []
  for (const item of conversationItems(mailbox, conversationId, kept, async () => whole)) yield { type: 'item', item }
  const most = Math.max(1, segmentCount(whole.length + lost))
  for (let segment = segmentCount(kept.length); segment < most; segment += 1) {
    yield { type: 'gone', ref: conversationRef(mailbox, conversationId, segment) }
  }
}

/** A conversation that fails must not block the others. */
async function readable(mailbox: OutlookMailbox, conversationId: string) {
  try {
    return await wholeConversation(mailbox, conversationId)
  } catch (error) {
    if (error instanceof SourceError && error.remedy === 'skip') return error
    throw error
  }
}
