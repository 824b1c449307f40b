import type { FetchMessageObject, ImapFlow } from 'imapflow'
import type {
  Change,
  CheckContext,
  Connector,
  Context,
  ItemRef,
  Partition,
  SourceItem,
  StoredRef,
} from '../../src/connector/connector.ts'
import { hasNoServer, REMEDIES, SourceError } from '../../src/connector/source-error.ts'
import { type FolderCursor, type ImapConfig, type ImapCursor, imapConfig, imapCursor } from './imap-config.ts'
import { chosenFolders } from './imap-folders.ts'
import { newMails } from './imap-idle.ts'
import { type FolderState, MAIL_FIELDS, MAILBOX, mailItem, mailRef, parseLocator, readMail } from './imap-mail.ts'
import { ReadAhead } from './imap-read-ahead.ts'
import { imapSession } from './imap-session.ts'

const EVERY_TEN_MINUTES = '*/10 * * * *'

/** Mails of any provider, by IMAP. */
export const imap: Connector<ImapConfig, ImapCursor> = {
  manifest: {
    id: 'imap',
    title: 'Mail (IMAP)',
    sourceTypes: ['email'],
    auth: 'token',
    config: imapConfig,
    cursor: imapCursor,
    schedule: EVERY_TEN_MINUTES,
    // As often as without: only one folder is listened to, and deletions are found by comparing.
    listening: { isOn: ({ push }) => push, schedule: EVERY_TEN_MINUTES },
    deletions: 'inventory',
    inventoryEveryMs: 6 * 60 * 60_000,
    vanished: 'forget',
    provider: 'imap',
    // Commands share one connection.
    quotas: { imap: { atOnce: 1 } },
    version: 1,
    quietPeriodMs: 0,
    selection: ({ since, folders, exclude_folders }) => ({ since: since?.toISOString(), folders, exclude_folders }),
    listing: {
      summary: 'Your mail at any provider: Fastmail, iCloud, Yahoo, or your own server.',
      icon: 'mail',
      group: 'Other',
      secret: 'password',
      tokenSteps: [
        'Look up the IMAP server of your provider, e.g. imap.fastmail.com. It goes into the setting `host`, your user name into `user`.',
        'Create an app password in the security settings of your mail account. If your provider has none, use your usual password.',
        'Paste that password here. If the right one is refused, an administrator has switched off this access or app passwords, and can allow them.',
      ],
    },
    documentation: {
      item: 'a mail, without quoted replies and signatures; attachments by name only',
      removed: 'within six hours, also when it is moved to trash or spam; a mail that moves to another folder stays',
      needs: 'a server, a user name and an app password',
      api: 'IMAP4rev1 and IMAP4rev2: LIST, SELECT, SEARCH, FETCH, IDLE; folders are opened read-only',
      cursor: 'UIDVALIDITY and the highest UID of each folder; folders that the server numbers anew are read again',
      limits:
        'one connection, and with `push` another one that waits for new mail; of mails over 256 KiB only the texts are downloaded',
      verified: 'Dovecot',
    },
  },
  check,
  probe,
  partitions,
  changes,
  read,
  inventory,
  listen: newMails,
}

async function check(context: CheckContext<ImapConfig>) {
  const { host, user } = context.config
  await imapSession(context).request(async (client) => void (await client.noop()))
  return { account: `${user}@${host}`.toLowerCase(), title: user.includes('@') ? user : `${user}@${host}` }
}

/** A mistyped server or folder is no reason to try again later. */
async function probe(context: CheckContext<ImapConfig>): Promise<void> {
  const { host } = context.config
  try {
    const [problem] = (await chosenFolders(context)).problems
    if (problem !== undefined) throw problem
  } catch (error) {
    if (!(error instanceof SourceError) || !hasNoServer(error)) throw error
    throw new SourceError('reconfigure', `No server answers at ${host}. Check host and port.`, { cause: error })
  }
}

/** One for all folders, so that a mail that moves between them is never forgotten in between. */
async function* partitions({ account }: Context<ImapConfig>): AsyncGenerator<Partition> {
  yield { id: MAILBOX, title: account.title ?? 'the mailbox' }
}

/** Mails whose envelopes are read at once. */
const BATCH = 100

/** Of each folder the newest mails first; then, at each run, those that came since. */
async function* changes(
  _partition: Partition,
  cursor: ImapCursor | undefined,
  context: Context<ImapConfig>,
): AsyncGenerator<Change<ImapCursor>> {
  await using _ = imapSession(context).hold()
  const { paths, problems } = await chosenFolders(context)
  const read = new Map(Object.entries(cursor?.folders ?? {}).filter(([path]) => paths.includes(path)))
  const failures = [...problems]
  for (const path of paths) {
    try {
      for await (const change of folderChanges(path, read.get(path), context)) {
        if (change.type !== 'checkpoint') {
          yield change
          continue
        }
        read.set(path, change.cursor)
        yield { type: 'checkpoint', cursor: { folders: Object.fromEntries(read) } }
      }
    } catch (error) {
      failures.push(await folderFailure(path, error, context))
    }
  }
  yield { type: 'checkpoint', cursor: { folders: Object.fromEntries(read) } }
  // After all others were read. Nothing is compared then, so that no mail of these folders counts as deleted.
  const [failure] = failures.toSorted((a, b) => REMEDIES.indexOf(a.remedy) - REMEDIES.indexOf(b.remedy))
  if (failure !== undefined) throw failure
}

/** @throws SourceError for what no other folder can be read either */
async function folderFailure(path: string, error: unknown, context: Context<ImapConfig>): Promise<SourceError> {
  if (!(error instanceof SourceError) || error.limited) throw error
  await imapSession(context).request(async (client) => void (await client.noop()))
  const problem = `Couldn't read the folder ${path}: ${error.message} Deleted mail is not detected until it can be read, or until you add it to exclude_folders.`
  return new SourceError(error.remedy, problem, { cause: error })
}

async function* folderChanges(
  folder: string,
  known: FolderCursor | undefined,
  context: Context<ImapConfig>,
): AsyncGenerator<Change<FolderCursor>> {
  const { uidValidity, uids } = await listUids(folder, context)
  const state = { folder, uidValidity }
  const cursor = known?.uidValidity === uidValidity ? known : undefined
  const lastUid = cursor?.lastUid ?? uids.at(-1) ?? 0
  const remainingUid = cursor === undefined ? lastUid : cursor.remainingUid
  const older = remainingUid === undefined ? [] : uids.filter((uid) => uid <= remainingUid).toReversed()
  for (const batch of batches(older)) {
    yield* itemChanges(await envelopes(batch, folder, context), state, context)
    yield { type: 'checkpoint', cursor: { uidValidity, lastUid, remainingUid: Math.min(...batch) - 1 } }
  }
  let reached = lastUid
  for (const batch of batches(uids.filter((uid) => uid > lastUid))) {
    yield* itemChanges(await envelopes(batch, folder, context), state, context)
    reached = Math.max(...batch)
  }
  yield { type: 'checkpoint', cursor: { uidValidity, lastUid: reached } }
}

function* itemChanges(
  messages: readonly FetchMessageObject[],
  state: FolderState,
  context: Context<ImapConfig>,
): Generator<Change<FolderCursor>> {
  const ahead = new ReadAhead(messages, (work) => imapSession(context).requestIn(state.folder, work))
  for (const message of messages) {
    yield { type: 'item', item: mailItem(context.account.account, message, state, () => ahead.read(message)) }
  }
}

/** In the order of the UIDs; mails that were deleted meanwhile are left out. */
async function envelopes(uids: readonly number[], folder: string, context: Context<ImapConfig>) {
  const found = await imapSession(context).requestIn(folder, (client) =>
    client.fetchAll(uids.join(','), MAIL_FIELDS, { uid: true }),
  )
  const byUid = new Map(found.map((message) => [message.uid, message]))
  return uids.flatMap((uid) => byUid.get(uid) ?? [])
}

/** The UIDs of a folder that the settings select, ascending. */
function listUids(folder: string, context: Context<ImapConfig>) {
  const { since } = context.config
  const query = since === undefined ? { all: true } : { since }
  return imapSession(context).requestIn(folder, async (client, { uidValidity, exists }) => {
    const found = exists === 0 ? [] : await client.search(query, { uid: true })
    if (!Array.isArray(found)) throw new SourceError('retry', `${context.config.host} could not search ${folder}.`)
    return { uidValidity: String(uidValidity), uids: found.toSorted((a, b) => a - b) }
  })
}

function batches(uids: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(uids.length / BATCH) }, (_, at) => uids.slice(at * BATCH, (at + 1) * BATCH))
}

/** Looked for where it was, then by its Message-ID in all folders: it may have moved since. */
async function read(ref: StoredRef, context: Context<ImapConfig>): Promise<SourceItem | undefined> {
  await using _ = imapSession(context).hold()
  const { folder, uidValidity, uid, messageId } = parseLocator(ref)
  const { paths } = await chosenFolders(context)
  const failures: unknown[] = []
  const find = async (path: string, findUid: Parameters<typeof fetchMail>[2]) => {
    try {
      return await fetchMail(path, context, findUid)
    } catch (error) {
      failures.push(await folderFailure(path, error, context))
      return undefined
    }
  }
  if (paths.includes(folder)) {
    const found = await find(folder, (state) => (state.uidValidity === uidValidity ? uid : undefined))
    if (found !== undefined) return found
  }
  const header = messageId !== undefined && { 'message-id': messageId }
  for (const path of header ? paths : []) {
    const found = await find(path, async (_, client) => {
      const uids = header && (await client.search({ header }, { uid: true }))
      return Array.isArray(uids) ? uids[0] : undefined
    })
    if (found !== undefined) return found
  }
  // It may be in the folder that can't be read.
  if (failures.length > 0) throw failures[0]
  return undefined
}

async function fetchMail(
  folder: string,
  context: Context<ImapConfig>,
  findUid: (state: FolderState, client: ImapFlow) => Promise<number | undefined> | number | undefined,
): Promise<SourceItem | undefined> {
  return imapSession(context).requestIn(folder, async (client, mailbox) => {
    const state = { folder, uidValidity: String(mailbox.uidValidity) }
    const uid = await findUid(state, client)
    const message = uid === undefined ? false : await client.fetchOne(String(uid), MAIL_FIELDS, { uid: true })
    if (!message) return undefined
    const readBody = () => imapSession(context).requestIn(folder, (one) => readMail(one, message))
    return mailItem(context.account.account, message, state, readBody)
  })
}

async function* inventory(_partition: Partition, context: Context<ImapConfig>): AsyncGenerator<ItemRef> {
  await using _ = imapSession(context).hold()
  const { paths, problems } = await chosenFolders(context)
  if (problems[0] !== undefined) throw problems[0]
  for (const folder of paths) {
    const { uidValidity, uids } = await listUids(folder, context)
    for (const batch of batches(uids)) {
      for (const message of await envelopes(batch, folder, context)) {
        yield mailRef(context.account.account, message, { folder, uidValidity })
      }
    }
  }
}
