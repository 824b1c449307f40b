import { SourceError } from '../../src/connector/source-error.ts'
import type { GmailMessage, GmailThread } from './gmail-answers.ts'
import type { GmailConfig } from './gmail-config.ts'
import type { Listing, Mailbox } from './gmail-mailbox.ts'

/** Drafts change with every save; mail in trash or spam counts as deleted; chats are not mail. */
const NEVER = ['DRAFT', 'TRASH', 'SPAM', 'CHAT']

/** Which mail is synced, by Gmail's labels. */
export interface GmailSelection {
  /** The listings that together show every selected thread, some of them twice. */
  readonly listings: readonly Listing[]
  /** A listing of every message that may be synced, among others. */
  readonly everything: Listing
  /** The selected messages in order of arrival; none when the thread is not selected. */
  messagesOf(thread: GmailThread): readonly GmailMessage[]
  /** Messages that are neither drafts nor deleted, whether or not the thread is selected. */
  livingOf(thread: GmailThread): readonly GmailMessage[]
  /** Whether a message with these labels is a draft or otherwise never synced. */
  isNever(labelIds: readonly string[] | undefined): boolean
  /** Whether a label affects the selection; reading, starring or archiving does not. */
  decides(labelIds: readonly string[] | undefined): boolean
}

/** @throws SourceError `reconfigure` when a configured label does not exist */
export async function gmailSelection(mailbox: Mailbox, config: GmailConfig): Promise<GmailSelection> {
  const { since, labels, exclude_labels: excludeLabels, exclude_categories: categories } = config
  const idOf = labels.length + excludeLabels.length === 0 ? undefined : await labelIds(mailbox)
  const wanted = labels.map((name) => ownLabel(idOf, name))
  const excluded = excludeLabels.map((name) => ownLabel(idOf, name))
  const noise = categories.map((category) => `CATEGORY_${category.toUpperCase()}`)
  const deciding = new Set([...NEVER, ...noise, ...wanted, ...excluded])
  const has = ({ labelIds = [] }: GmailMessage, some: readonly string[]) => some.some((id) => labelIds.includes(id))
  const from = since?.getTime()

  const always = ['-in:chats', '-in:drafts', ...(from === undefined ? [] : [`after:${Math.ceil(from / 1000) - 1}`])]
  const all = always.join(' ')
  const sorted = [...always, ...categories.map((category) => `-category:${category}`)].join(' ')
  const livingOf = ({ messages }: GmailThread) =>
    messages
      .filter((message) => !has(message, NEVER) && (from === undefined || (message.internalDate ?? from) >= from))
      .sort((a, b) => (a.internalDate ?? 0) - (b.internalDate ?? 0) || (a.id < b.id ? -1 : 1))

  return {
    // A listing matches single messages, but label and category may be on two messages of a thread.
    listings: wanted.length === 0 ? [{ q: sorted }] : wanted.map((labelId) => ({ q: all, labelId })),
    everything: { q: all },
    livingOf,
    messagesOf(thread) {
      const living = livingOf(thread)
      const isTaken =
        !living.every((message) => has(message, noise)) &&
        !living.some((message) => has(message, excluded)) &&
        (wanted.length === 0 || living.some((message) => has(message, wanted)))
      return isTaken ? living : []
    },
    isNever: (ids) => ids?.some((id) => NEVER.includes(id)) ?? false,
    decides: (ids) => ids?.some((id) => deciding.has(id)) ?? true,
  }
}

async function labelIds(mailbox: Mailbox): Promise<ReadonlyMap<string, string>> {
  const { labels } = await mailbox.labels()
  return new Map(labels.map(({ id, name }) => [name.toLowerCase(), id]))
}

function ownLabel(idOf: ReadonlyMap<string, string> | undefined, name: string): string {
  const id = idOf?.get(name.toLowerCase())
  if (id !== undefined) return id
  throw new SourceError(
    'reconfigure',
    `labels, exclude_labels: Gmail has no label "${name}". Enter it as Gmail shows it.`,
  )
}
