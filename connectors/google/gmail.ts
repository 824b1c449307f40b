import type {
  Change,
  CheckContext,
  Connector,
  Context,
  Partition,
  SourceItem,
  StoredRef,
} from '../../src/connector/connector.ts'
import { recentStart } from '../../src/connector/recent-window.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { type GmailConfig, type GmailCursor, gmailConfig, gmailCursor } from './gmail-config.ts'
import { type GmailSource, gmailFullScan } from './gmail-full-scan.ts'
import { gmailHistory } from './gmail-history.ts'
import { GMAIL_SCOPE, Mailbox } from './gmail-mailbox.ts'
import { gmailSelection } from './gmail-selection.ts'
import { threadItems, threadOf } from './gmail-thread.ts'
import { googleAccount } from './google-gateway.ts'

const DAY_MS = 24 * 60 * 60_000

/** Mail of Gmail and of Google Workspace. */
export const email: Connector<GmailConfig, GmailCursor> = {
  manifest: {
    id: 'email',
    title: 'Gmail',
    sourceTypes: ['email'],
    auth: 'oauth',
    config: gmailConfig,
    cursor: gmailCursor,
    schedule: '*/10 * * * *',
    deletions: 'feed',
    exactFeed: true,
    inventoryEveryMs: 0,
    vanished: 'forget',
    provider: 'google',
    // 6,000 units a minute and person in projects of today; nearly all requests cost 10.
    // No limit of concurrent requests is published; one that is met halves their number.
    quotas: { Gmail: { atOnce: 12, perMinute: 600 } },
    version: 1,
    quietPeriodMs: 10 * 60_000,
    recentRead: ({ walk }) => walk === undefined || walk.recent === true,
    cursorLife: {
      warnAfterMs: 5 * DAY_MS,
      reason: 'Gmail keeps its history of changes for about a week; after that, everything is compared again',
    },
    selection: ({ since, labels, exclude_labels, exclude_categories }) => ({
      since: since?.toISOString(),
      labels,
      exclude_labels,
      exclude_categories,
    }),
    grant: { provider: 'google', family: 'workspace', scopes: () => [GMAIL_SCOPE] },
    listing: {
      summary: 'Your mail as conversations, without quoted replies and signatures.',
      icon: 'mail',
      group: 'Google',
    },
    documentation: {
      item: 'a conversation (one item per 20 messages), without quoted replies and signatures; attachments by name only',
      removed:
        'at the next sync, also when it is moved to trash or spam; drafts and chats are never synced, promotions and social mail only if exclude_categories allows it',
      needs: '`recalld connect google` with the API "Gmail API" enabled, scope gmail.readonly',
      api: 'Gmail API v1: threads.list, threads.get, history.list, messages.list, attachments.get, labels.list',
      cursor: 'the historyId of the mailbox; once it expires, everything is compared',
      limits:
        '6,000 quota units per minute (projects created before May 2026: 15,000); reading a conversation costs 10, a list of 500 costs 10, a run without changes 3',
      verified: 'local fake server, recordings',
    },
  },
  check,
  partitions,
  changes,
  read,
}

async function check(context: CheckContext<GmailConfig>) {
  const mailbox = await Mailbox.open(context)
  // Also with a grant: it proves that the mailbox can be read.
  const { emailAddress } = await mailbox.profile()
  const asked = async () => ({ account: emailAddress.toLowerCase(), title: emailAddress })
  return googleAccount(mailbox.gateway, asked, context.clock())
}

async function* partitions({ account }: Context<GmailConfig>): AsyncGenerator<Partition> {
  yield { id: 'mailbox', title: account.title ?? 'the mailbox' }
}

async function* changes(
  _partition: Partition,
  cursor: GmailCursor | undefined,
  context: Context<GmailConfig>,
): AsyncGenerator<Change<GmailCursor>> {
  const source = await openSource(context)
  if (cursor === undefined || cursor.walk !== undefined) yield* gmailFullScan(source, cursor)
  else yield* gmailHistory(source, cursor.historyId)
}

async function read(ref: StoredRef, context: Context<GmailConfig>): Promise<SourceItem | undefined> {
  const known = threadOf(ref.itemId)
  if (known === undefined) throw new SourceError('skip', `${ref.title ?? ref.itemId} is not a Gmail conversation.`)
  const { mailbox, selection, owner } = await openSource(context)
  const thread = await mailbox.thread(known.threadId)
  return thread && threadItems(owner, thread, selection.messagesOf(thread))[known.segment]
}

async function openSource(context: Context<GmailConfig>): Promise<GmailSource> {
  const mailbox = await Mailbox.open(context)
  const recentSince = recentStart(context, context.config.since)
  return { mailbox, selection: await selectionOf(context, mailbox), owner: context.account, recentSince }
}

/** The labels are asked for once in a run. */
const selections = new WeakMap<Context<GmailConfig>, ReturnType<typeof gmailSelection>>()

function selectionOf(context: Context<GmailConfig>, mailbox: GmailSource['mailbox']) {
  const known = selections.get(context) ?? gmailSelection(mailbox, context.config)
  selections.set(context, known)
  return known
}
