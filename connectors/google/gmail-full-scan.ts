import type { Change, SourceItem } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { GmailCursor } from './gmail-config.ts'
import type { Mailbox } from './gmail-mailbox.ts'
import type { GmailSelection } from './gmail-selection.ts'
import { type MailOwner, segmentsFor, threadItems, threadRef, threadRevision } from './gmail-thread.ts'
import { allPages, followingPage } from './google-rows.ts'

/** After this many threads, the long ones among them are finished, which limits how many are kept in memory. */
const THREADS_AT_ONCE = 100

export interface GmailSource {
  readonly mailbox: Mailbox
  readonly selection: GmailSelection
  readonly owner: MailOwner
  /** The start of what a first scan reads before everything older. */
  readonly recentSince: Date | undefined
}

/**
 * Every thread, newest first. A thread is read only when its first document is loaded; the further documents of a long
 * thread follow. Unchanged long threads are not loaded, so their further documents are found by listing the mailbox's
 * messages, 500 per request.
 */
export async function* gmailFullScan(
  source: GmailSource,
  begun: GmailCursor | undefined,
): AsyncGenerator<Change<GmailCursor>> {
  const historyId = begun?.historyId ?? (await source.mailbox.profile()).historyId
  let scan = begun?.walk ?? { listing: 0, unread: false }
  const recent = source.selection.listings.length === 1 ? source.recentSince : undefined
  const checkpoint = (): Change<GmailCursor> => {
    const recentSince = scan.recent ? recent : undefined
    return { type: 'checkpoint', cursor: { historyId, walk: scan }, ...(recentSince && { recentSince }) }
  }
  yield checkpoint()
  let refused = 0
  for (
    let at = source.selection.listings[scan.listing];
    at !== undefined;
    at = source.selection.listings[scan.listing]
  ) {
    const page = await source.mailbox.threads(at, scan.pageToken)
    if (page === undefined) {
      // Known threads are listed again, which costs only the listing.
      if (refused++ > 0) throw new SourceError('retry', 'Gmail rejected its own page tokens.')
      scan = { listing: 0, unread: scan.unread, ...(scan.recent && { recent: true }) }
      continue
    }
    let unread = false
    for (let from = 0; from < page.rows.length; from += THREADS_AT_ONCE) {
      const rows = page.rows.slice(from, from + THREADS_AT_ONCE)
      const threads = await Promise.all(rows.map((row) => scannedThread(source, row)))
      for (const thread of threads) yield { type: 'item', item: thread.item }
      // When this is written, the consumer has loaded the documents of the items.
      yield checkpoint()
      for (const thread of threads) for (const item of thread.rest()) yield { type: 'item', item }
      unread ||= threads.some((thread) => !thread.isRead())
      // A thread has its time once it is loaded.
      if (recent !== undefined && !scan.recent && threads.some(({ item }) => isBefore(item, recent))) {
        scan = { ...scan, recent: true }
        yield checkpoint()
      }
    }
    const pageToken = followingPage(scan.pageToken, page.nextPageToken)
    const next = pageToken ? { listing: scan.listing, pageToken } : { listing: scan.listing + 1 }
    scan = { ...next, unread: scan.unread || unread, ...(scan.recent && { recent: true }) }
    yield checkpoint()
  }
  if (scan.unread) for await (const item of longThreads(source)) yield { type: 'item', item }
  yield { type: 'checkpoint', cursor: { historyId } }
}

function isBefore({ updatedAt }: SourceItem, time: Date): boolean {
  return updatedAt !== undefined && updatedAt < time
}

interface ScannedThread {
  readonly item: SourceItem
  isRead(): boolean
  /** The further documents of the long threads so far. */
  rest(): readonly SourceItem[]
}

/** The first document of a thread, known only by its id until it is loaded. */
async function scannedThread(
  source: GmailSource,
  { id, historyId }: { readonly id: string; readonly historyId?: string | undefined },
): Promise<ScannedThread> {
  let read: readonly SourceItem[] | undefined
  const revision = historyId ?? (await outlineRevision(source, id)) ?? ''
  const item = lazyItem(source, { id, revision, segment: 0 }, (items) => {
    read = items
  })
  return { item, isRead: () => read !== undefined, rest: () => read?.slice(1) ?? [] }
}

/** `undefined` when the thread no longer exists. */
async function outlineRevision({ mailbox }: GmailSource, id: string): Promise<string | undefined> {
  const outline = await mailbox.outline(id)
  return outline && threadRevision(outline)
}

/** @param onRead called with all documents of the thread */
function lazyItem(
  { mailbox, selection, owner }: GmailSource,
  { id, revision, segment }: { readonly id: string; readonly revision: string; readonly segment: number },
  onRead: (items: readonly SourceItem[]) => void = () => undefined,
): SourceItem {
  const item: SourceItem = {
    ...threadRef(owner, id, segment),
    revision,
    // Replaced by subject, people and time once the thread is read.
    title: `Thread ${id}`,
    async body() {
      const thread = await mailbox.thread(id)
      const items = thread === undefined ? [] : threadItems(owner, thread, selection.messagesOf(thread))
      onRead(items)
      const found = items[segment]
      if (found === undefined) return undefined
      const { title, url, author, people, createdAt, updatedAt, body } = found
      Object.assign(item, { title, url, author, people, createdAt, updatedAt })
      return body
    },
  }
  return item
}

/**
 * The further documents of all threads that may have some; loading a thread shows which exist. One number per thread is
 * kept in memory.
 */
async function* longThreads(source: GmailSource): AsyncGenerator<SourceItem> {
  const counts = new Map<string, number>()
  for await (const { threadId } of allPages((token) => source.mailbox.messages(source.selection.everything, token))) {
    counts.set(threadId, (counts.get(threadId) ?? 0) + 1)
  }
  for (const [id, count] of counts) {
    if (segmentsFor(count) === 1) continue
    const revision = await outlineRevision(source, id)
    if (revision === undefined) continue
    for (let segment = 1; segment < segmentsFor(count); segment += 1) yield lazyItem(source, { id, revision, segment })
  }
}
