import type { Context } from '../../src/connector/connector.ts'
import type { GraphGateway } from './graph-gateway.ts'
import { IMMUTABLE } from './graph-prefer.ts'
import type { OutlookConfig } from './outlook-config.ts'
import { type WholeMessage, wholeMessage } from './outlook-conversation.ts'
import type { MailFolders } from './outlook-folders.ts'
import { type MessageAnswer, type MessageHead, messageAnswer, SELECT_WHOLE } from './outlook-message.ts'

/** What reading a mailbox works with, in one run. */
export interface OutlookMailbox {
  readonly gateway: GraphGateway
  readonly context: Context<OutlookConfig>
  readonly folders: MailFolders
}

const MAILS_PER_PAGE = 50

/** Whether a mail counts: it lies in a folder that is taken, and was sent. */
export function isTakenMail({ folders }: OutlookMailbox, { parentFolderId, isDraft }: MessageAnswer): boolean {
  return isDraft !== true && (parentFolderId == null || folders.taken.has(parentFolderId))
}

/** A conversation is taken whole when its last mail is not too old. */
export function isRecent({ context }: OutlookMailbox, heads: readonly MessageHead[]): boolean {
  const { since } = context.config
  return since === undefined || heads.some(({ at }) => at >= since.getTime())
}

/** All mails of a conversation in the folders that are taken; none when it is gone. */
export async function wholeConversation(mailbox: OutlookMailbox, conversationId: string): Promise<WholeMessage[]> {
  // Together with $orderby Exchange refuses this filter (`InefficientFilter`).
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
