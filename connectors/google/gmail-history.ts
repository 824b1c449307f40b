import type { Change, SourceItem } from '../../src/connector/connector.ts'
import type { GmailThread, HistoryRecord } from './gmail-answers.ts'
import type { GmailCursor } from './gmail-config.ts'
import type { GmailSource } from './gmail-full-scan.ts'
import type { GmailSelection } from './gmail-selection.ts'
import { segmentsFor, threadItems, threadRef } from './gmail-thread.ts'
import { concernsItAlone } from './google-failure.ts'
import { followingPage } from './google-rows.ts'

/** After this many threads the progress is saved. */
const THREADS_AT_ONCE = 25

/** What the history contains about one thread. */
interface Touched {
  readonly threadId: string
  /** The last record with this thread. */
  readonly at: bigint
  /** How many of its messages may have been synced and are now gone. */
  readonly lost: number
  /** The first record with a removed message; the last record when there is none. */
  readonly since: bigint
}

/**
 * What changed since then: each thread once, as it is now. Threads that were only read, starred, archived or labelled
 * are skipped, unless the label affects the selection.
 * @throws SourceError `restart` when Gmail no longer has the history since then
 */
export async function* gmailHistory(source: GmailSource, since: string): AsyncGenerator<Change<GmailCursor>> {
  const { touched, historyId } = await touchedThreads(source, since)
  const begun = firstLosses(touched)
  for (let from = 0; from < touched.length; from += THREADS_AT_ONCE) {
    const some = touched.slice(from, from + THREADS_AT_ONCE)
    for (const each of some) yield* threadChanges(source, each)
    const last = some.at(-1)?.at ?? 0n
    const open = begun[from + THREADS_AT_ONCE] ?? last + 1n
    // Deletions in a thread are reported with its last record: until then, the first such record must be read again.
    const reached = open > last ? last : open - 1n
    if (reached < BigInt(historyId)) yield { type: 'checkpoint', cursor: { historyId: String(reached) } }
  }
  yield { type: 'checkpoint', cursor: { historyId } }
}

/** For each thread, the first record that removed a message from it or a later thread. */
function firstLosses(touched: readonly Touched[]): bigint[] {
  const losses = touched.map(({ since }) => since)
  for (let at = losses.length - 2; at >= 0; at -= 1) {
    const [own = 0n, later = 0n] = losses.slice(at, at + 2)
    if (later < own) losses[at] = later
  }
  return losses
}

/** Sorted by their last record, so that everything before a record was yielded when it is reached. */
async function touchedThreads({ mailbox, selection }: GmailSource, since: string) {
  const touched = new Map<string, Touched>()
  let historyId = BigInt(since)
  for (let pageToken: string | undefined, isFirst = true; ; isFirst = false) {
    const page = await mailbox.history(since, pageToken)
    // Of the first page, because changes during the listing belong to the next run.
    const current = BigInt(page.historyId ?? 0)
    if (isFirst && current > historyId) historyId = current
    for (const record of page.rows) {
      const at = BigInt(record.id)
      for (const { threadId, lost } of touchesOf(record, selection)) {
        const known = touched.get(threadId) ?? { at, lost: 0, since: at }
        const last = known.at > at ? known.at : at
        const first = known.lost > 0 && known.since < at ? known.since : at
        touched.set(threadId, {
          threadId,
          at: last,
          lost: known.lost + lost,
          since: known.lost + lost > 0 ? first : last,
        })
      }
    }
    pageToken = followingPage(pageToken, page.nextPageToken)
    if (pageToken === undefined) break
  }
  const inOrder = [...touched.values()].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  return { touched: inOrder, historyId: String(historyId) }
}

function touchesOf(record: HistoryRecord, selection: GmailSelection): Pick<Touched, 'threadId' | 'lost'>[] {
  const { messagesAdded, messagesDeleted, labelsAdded, labelsRemoved } = record
  const added = messagesAdded.filter(({ message }) => !selection.isNever(message.labelIds))
  // A message in the trash was already reported as removed.
  const deleted = messagesDeleted.filter(({ message }) => !selection.isNever(message.labelIds))
  const labelled = [...labelsAdded, ...labelsRemoved].filter(({ labelIds }) => selection.decides(labelIds))
  return [
    ...added.map(({ message }) => ({ threadId: message.threadId, lost: 0 })),
    ...[...deleted, ...labelled].map(({ message }) => ({ threadId: message.threadId, lost: 1 })),
  ]
}

async function* threadChanges(source: GmailSource, touched: Touched): AsyncGenerator<Change<GmailCursor>> {
  const { threadId, lost } = touched
  const { mailbox, selection, owner } = source
  let thread: GmailThread | undefined
  try {
    thread = await mailbox.thread(threadId)
  } catch (error) {
    for (const ref of await unreadable(source, touched, error)) yield ref
    return
  }
  const living = thread === undefined ? [] : selection.livingOf(thread)
  const items: readonly SourceItem[] =
    thread === undefined ? [] : threadItems(owner, thread, selection.messagesOf(thread))
  for (const item of items) yield { type: 'item', item }
  const before = segmentsFor(living.length + lost)
  for (let segment = items.length; segment < before; segment += 1) {
    yield { type: 'gone', ref: threadRef(owner, threadId, segment) }
  }
}

/** A thread that Gmail can list but not return is retried alone; if nothing works, the run ends. */
async function unreadable(
  { mailbox, selection, owner }: GmailSource,
  { threadId, lost }: Touched,
  error: unknown,
): Promise<Change<GmailCursor>[]> {
  if (!concernsItAlone(error)) throw error
  const outline = error.remedy === 'skip' ? undefined : await mailbox.outline(threadId)
  const messages = outline === undefined ? 0 : selection.livingOf(outline).length
  // Removed messages are found when the thread is read.
  return Array.from({ length: segmentsFor(messages + lost) }, (_, segment) => ({
    type: 'failed',
    ref: { ...threadRef(owner, threadId, segment), title: `Thread ${threadId}` },
    error,
  }))
}
