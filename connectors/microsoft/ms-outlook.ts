import type { Connector, Context } from '../../src/connector/connector.ts'
import { perRun } from '../../src/connector/per-run.ts'
import { graphAccount } from './graph-account.ts'
import { GraphGateway, OUTLOOK_QUOTA } from './graph-gateway.ts'
import { outlookChanges } from './outlook-changes.ts'
import { type OutlookConfig, type OutlookCursor, outlookConfig, outlookCursor } from './outlook-config.ts'
import { conversationItems, isRecent, type OutlookMailbox, wholeConversation } from './outlook-conversation.ts'
import { mailFolders } from './outlook-folders.ts'
import { outlookFullScan } from './outlook-full-scan.ts'

const NEED = { workload: 'outlook', scopes: ['Mail.Read'] }

/** Conversations of an Outlook mailbox. */
export const msOutlook: Connector<OutlookConfig, OutlookCursor> = {
  manifest: {
    id: 'ms-outlook',
    title: 'Outlook',
    sourceTypes: ['ms-outlook'],
    auth: 'oauth',
    config: outlookConfig,
    cursor: outlookCursor,
    schedule: '*/15 * * * *',
    deletions: 'feed',
    exactFeed: true,
    inventoryEveryMs: 0,
    vanished: 'forget',
    provider: 'microsoft',
    quotas: OUTLOOK_QUOTA,
    version: 1,
    quietPeriodMs: 10 * 60_000,
    recentRead: ({ after }) => after !== '',
    selection: ({ since, folders, exclude }) => ({ since: since?.toISOString(), folders, exclude }),
    grant: { provider: 'microsoft', family: 'graph', scopes: () => NEED.scopes },
    listing: {
      summary: 'Your mail as conversations, from all folders.',
      icon: 'mail',
      group: 'Microsoft',
      partNoun: { one: 'folder', many: 'folders' },
    },
    documentation: {
      item: 'a conversation (one item per 20 mails), with the mails of all folders; attachments by name only',
      removed:
        'mails that are deleted, moved to Deleted Items, or moved to a folder that is not synced: at the next sync',
      needs: '`recalld connect microsoft`; the permission Mail.Read',
      api: 'Microsoft Graph v1.0: messages/delta of each mail folder, with immutable ids',
      cursor: 'the deltaLink of each folder',
      limits:
        'Graph reports only the ID of a permanently deleted mail, so the headers of all mails are listed again, 200 per request; in mailboxes with more than 4,000 mails at most once a minute for every 200; the texts of a first sync come 100 mails a request',
      verified: 'fake server, recordings, examples from the documentation',
    },
  },

  check: (context) => graphAccount(new GraphGateway(context, NEED)),

  async *partitions({ account }) {
    yield { id: 'mailbox', title: `mailbox of ${account.title ?? account.account}` }
  },

  async *changes(_, cursor, context) {
    const mailbox = await mailboxOf(context)
    if (cursor === undefined || cursor.after !== undefined) yield* outlookFullScan(mailbox, cursor)
    else yield* outlookChanges(mailbox, cursor)
  },

  async read({ itemId, locator }, context) {
    if (locator === undefined) return undefined
    const mailbox = await mailboxOf(context)
    const whole = await wholeConversation(mailbox, locator)
    if (!isRecent(mailbox, whole)) return undefined
    return conversationItems(mailbox, locator, whole, async () => whole).find((item) => item.itemId === itemId)
  },
}

/** Folders are listed once per run. */
const mailboxOf = perRun(openMailbox)

async function openMailbox(context: Context<OutlookConfig>): Promise<OutlookMailbox> {
  const gateway = new GraphGateway(context, NEED)
  return { gateway, context, folders: await mailFolders(gateway, context.config) }
}
