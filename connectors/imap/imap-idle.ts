import type { ImapFlow } from 'imapflow'
import type { Context, PushedRef } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { ImapConfig } from './imap-config.ts'
import { imapFailure } from './imap-failure.ts'
import { chosenFolders } from './imap-folders.ts'
import { type FolderState, MAIL_FIELDS, MAILBOX, mailRef } from './imap-mail.ts'
import { connectImap } from './imap-session.ts'

/** Routers forget quiet connections; servers may end them after 29 minutes (RFC 2177). */
const MAX_IDLE_MS = 5 * 60_000

/**
 * Mails that arrive in the inbox, or in the first chosen folder, as the server announces them. On a connection of its own,
 * because a connection that waits can't be used for anything else. Ends with the connection.
 */
export async function* newMails(context: Context<ImapConfig>): AsyncGenerator<PushedRef> {
  const { config, signal } = context
  try {
    const [folder] = (await chosenFolders(context)).paths
    if (folder === undefined) return
    const client = await connectImap(context, { maxIdleMs: MAX_IDLE_MS })
    try {
      yield* arrivals(client, folder, context)
    } finally {
      if (client.usable) await client.logout().catch(() => client.close())
    }
  } catch (error) {
    if (!signal.aborted) throw imapFailure(error, config)
  }
}

async function* arrivals(client: ImapFlow, folder: string, context: Context<ImapConfig>): AsyncGenerator<PushedRef> {
  let hasNews = false
  let wake: () => void = () => undefined
  client.on('exists', () => {
    hasNews = true
    wake()
  })
  client.on('close', () => wake())
  const { uidValidity, uidNext } = await client.mailboxOpen(folder, { readOnly: true })
  const state = { folder, uidValidity: String(uidValidity) }
  for (let next = uidNext; client.usable; ) {
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    if (!hasNews) await Promise.race([promise, idle(client)])
    if (!hasNews) continue
    hasNews = false
    const found = await mailsFrom(client, next, state, context)
    yield* found.refs
    next = found.next
  }
}

/** Ends when another command follows. */
async function idle(client: ImapFlow): Promise<void> {
  if ((await client.idle()) === false) throw new SourceError('retry', 'The mail server ended IDLE.')
}

async function mailsFrom(
  client: ImapFlow,
  from: number,
  state: FolderState,
  { account, config: { since } }: Context<ImapConfig>,
): Promise<{ readonly refs: readonly PushedRef[]; readonly next: number }> {
  const query = { uid: `${from}:*`, ...(since !== undefined && { since }) }
  const found = await client.search(query, { uid: true })
  // A range that begins above the last UID still means the last mail (RFC 9051, 9).
  const uids = Array.isArray(found) ? found.filter((uid) => uid >= from) : []
  if (uids.length === 0) return { refs: [], next: from }
  const messages = await client.fetchAll(uids.join(','), MAIL_FIELDS, { uid: true })
  const refs = messages.map((message) => ({ ...mailRef(account.account, message, state), partitionId: MAILBOX }))
  return { refs, next: Math.max(...uids) + 1 }
}
