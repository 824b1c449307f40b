import { SourceError } from '../../src/connector/source-error.ts'
import type { GmailMessage, GmailThread } from './gmail-answers.ts'
import type { GmailConfig } from './gmail-config.ts'
import type { Listing, Mailbox } from './gmail-mailbox.ts'

/** Drafts change with every save; what is in the trash or is spam counts as deleted; chats are not mail. */
const NEVER = ['DRAFT', 'TRASH', 'SPAM', 'CHAT']

/** What of the mailbox is taken: by the labels of its messages, as Gmail itself sorts it. */
export interface GmailSelection {
  /** One after the other; together they show every thread that is taken, some twice. */
  readonly listings: readonly Listing[]
  /** Shows every message that may be told, and others. */
  readonly everything: Listing
  /** In the order in which they arrived; none when the thread is not taken. */
  messagesOf(thread: GmailThread): readonly GmailMessage[]
  /** Messages that are neither draft nor deleted, whether or not the thread is taken. */
  livingOf(thread: GmailThread): readonly GmailMessage[]
  /** Whether a message with these labels is nothing but a draft, or another that is never taken. */
  isNever(labelIds: readonly string[] | undefined): boolean
  /** Whether a label decides about what is taken; a thread that is read, starred or archived stays what it is. */
  decides(labelIds: readonly string[] | undefined): boolean
}

/** @throws SourceError `reconfigure` when a label of the configuration does not exist */
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
    // A listing looks for one message that is all it asks for; the label and the category may be those of two.
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
