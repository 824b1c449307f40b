import type { ActivityActor } from '../../domain/activity.ts'
import type { ScopedStore } from '../../store/store.ts'
import { findAccount, newAccountRows } from '../accounts.ts'
import { SERVER } from '../activity.ts'
import type { ServiceContext } from '../service-context.ts'
import { ARCHIVED_GOLDEN, type ArchivedItem, type ArchiveHead } from './archive-format.ts'
import { readArchive } from './read-archive.ts'

export interface ImportRequest {
  readonly file: string
  /** An account that is there; absent: a new one, named as the one that was exported. */
  readonly into?: string
  /** As for keys. */
  readonly by?: ActivityActor
  /** A new account was made. Nothing but `key` opens it, and `into` goes on with it when the import is cut off. */
  readonly onAccount?: (account: { readonly accountId: string; readonly key: string }) => void
  /** The archive is sound, and holds so many. */
  readonly onTotal?: (items: number) => void
  readonly onItem?: () => void
}

export interface ImportReport {
  readonly accountId: string
  /** Of a new account; nowhere else. */
  readonly key?: string
  /** That came anew; their memories are made by the worker. */
  readonly items: number
  /** That were there with the same bytes. */
  readonly unchanged: number
  /** That are there with other bytes; they stay. */
  readonly kept: readonly { readonly sourceType: string; readonly itemId: string }[]
  readonly goldenQuestions: number
}

/**
 * Brings the items of an archive, and its golden questions. The archive is read twice: nothing of one that is damaged is
 * imported. Done again after it was cut off, it goes on where it was.
 *
 * @throws AppError `invalid` when the archive is damaged; `not_found` without the file or the account
 */
export async function importAccount(context: ServiceContext, request: ImportRequest): Promise<ImportReport> {
  const { store, log } = context
  let head: ArchiveHead | undefined
  const takeHead = async (read: ArchiveHead) => {
    head = read
  }
  const { counts } = await readArchive(request.file, { head: takeHead })
  const { accountId, key } = await accountFor(context, request.into, head)
  if (key !== undefined) request.onAccount?.({ accountId, key })
  request.onTotal?.(counts.items)
  const scoped = store.scoped({ accountId, sources: 'all' })
  const { userId } = await findAccount(context, accountId)
  const asked = new Set((await scoped.golden.list()).map(({ question }) => question))
  const counted = { items: 0, unchanged: 0, goldenQuestions: 0 }
  const kept: { sourceType: string; itemId: string }[] = []
  await readArchive(request.file, {
    async item(item, body) {
      const outcome = await putArchived(context, scoped, { item, body, userId })
      if (outcome === 'created') counted.items += 1
      else if (outcome === 'same') counted.unchanged += 1
      else kept.push({ sourceType: item.source_type, itemId: item.item_id })
      request.onItem?.()
    },
    async row(table, row) {
      const question = table === 'golden' ? ARCHIVED_GOLDEN.safeParse(row).data : undefined
      if (question === undefined || asked.has(question.question)) return
      const items = question.items.map(({ item_id: itemId, source_type: sourceType }) => ({ itemId, sourceType }))
      await scoped.golden.add({ question: question.question, items })
      counted.goldenQuestions += 1
    },
  })
  context.activity.note(accountId, request.by ?? SERVER, { kind: 'account_imported', items: counted.items })
  log.info({ accountId, ...counted }, 'account imported')
  return { accountId, ...(key !== undefined && { key }), ...counted, kept }
}

async function accountFor(
  context: ServiceContext,
  into: string | undefined,
  head: ArchiveHead | undefined,
): Promise<{ accountId: string; key?: string }> {
  if (into !== undefined) return { accountId: (await findAccount(context, into)).accountId }
  if (head === undefined) throw new Error('An archive without a head was read to its end')
  const { name, time_zone: timeZone } = head.account
  const { account, key } = newAccountRows(context, { name, userName: name, timeZone })
  await context.store.admin.createAccount(account)
  return { accountId: account.accountId, key }
}

async function putArchived(
  { newId }: ServiceContext,
  scoped: ScopedStore,
  { item, body, userId }: { readonly item: ArchivedItem; readonly body: Uint8Array; readonly userId: string },
): Promise<'created' | 'same' | 'other'> {
  const { item_id: itemId, source_type: sourceType } = item
  const { outcome } = await scoped.putItem({
    ...{ itemId, sourceType, userId, body },
    userName: item.user_name,
    fileName: item.file_name,
    contentType: item.content_type,
    bodyHash: item.sha256,
    executionId: newId(),
    onConflict: 'reject',
    came: { createdAt: new Date(item.created_at), uploadedAt: new Date(item.uploaded_at) },
  })
  if (outcome !== 'conflict') return 'created'
  return (await scoped.restoreBody({ itemId, sourceType, body, bodyHash: item.sha256 })) ? 'same' : 'other'
}
