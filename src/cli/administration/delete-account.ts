import type { Administration } from '../../administration/administration.ts'
import { AppError } from '../../domain/errors.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import { type DeletionReceiptJson, deletionReceiptJson } from '../../service/account-deletion.ts'
import type { Context } from '../context.ts'
import { counted, table } from '../terminal/layout.ts'
import { type Progress, startProgress } from '../terminal/progress.ts'

const WAITING =
  'Waiting for an upload that may still be under way in the bucket; one that was cut off is given up after 15 minutes. The running service goes on when this command is ended.\n'

export interface DeleteAccountOptions {
  readonly yes?: boolean
  readonly force?: boolean
  readonly json?: boolean
}

export async function deleteAccount(
  { io, ...context }: Context,
  account: string,
  { yes = false, force = false, json = false }: DeleteAccountOptions,
): Promise<void> {
  await using administration = await context.administration()
  if (!yes) throw await confirmationNeeded(administration, account)
  if (!force && (await administration.homeAccount()) === account) {
    throw new AppError(
      'conflict',
      'This is the account of the key in credentials.json, which commands, connectors and agents on this machine use; --force deletes it all the same.',
    )
  }
  let progress: Progress | undefined
  let shown = 0
  let isWaiting = false
  let left: readonly string[] = []
  const receipt = await administration.service.deletions.run({
    account,
    onLeftGrants(providers) {
      left = providers
    },
    onStep({ items, removed, waits = false }) {
      if (waits && !isWaiting) io.stderr.write(WAITING)
      isWaiting = waits
      if (items > 0) progress ??= startProgress(io.stderr, items, 'items')
      progress?.step(removed - shown)
      shown = removed
    },
  })
  progress?.stop()
  if (left.length > 0) io.stderr.write(`${leftText(left)}\n`)
  const wire = deletionReceiptJson(receipt)
  io.stdout.write(json ? `${jsonText(wire, 2)}\n` : printable(receiptText(wire)))
}

function leftText(providers: readonly string[]): string {
  return `Access that was granted to this account is not used any more, but ${providers.join(' and ')} did not confirm its end: remove it in the settings of your account there as well.`
}

async function confirmationNeeded({ service }: Administration, account: string): Promise<AppError> {
  const found = (await service.accounts.list()).find(({ accountId }) => accountId === account)
  if (found === undefined) {
    return new AppError('not_found', `There is no account ${account}; "recalld accounts list" shows them.`, {
      field: 'account',
    })
  }
  const { name } = found
  return new AppError(
    'invalid',
    `This deletes ${name} with all its items, memories, keys and members, for good. "recalld accounts export" keeps a copy; --yes deletes it.`,
    { field: 'yes' },
  )
}

function receiptText(receipt: DeletionReceiptJson): string {
  const { items, memories, bytes, verified } = receipt
  const tables = Object.keys(verified).length
  return [
    `The account ${receipt.name} (${receipt.account_id}) is gone since ${receipt.deleted_at}.`,
    `It held ${counted(items, 'item', 'items')} of ${counted(bytes, 'byte', 'bytes')} and ${counted(memories, 'memory', 'memories')}.`,
    `Looked for afterwards in ${counted(tables, 'table', 'tables')}: nothing is left of it.`,
    `SHA-256 over the hashes of its items: ${receipt.bodies_hash}`,
    '',
  ].join('\n')
}

export async function listReceipts({ io, ...context }: Context, { json }: { json?: boolean }): Promise<void> {
  await using administration = await context.administration()
  const receipts = (await administration.service.deletions.receipts()).map(deletionReceiptJson)
  if (json) {
    io.stdout.write(`${jsonText(receipts, 2)}\n`)
    return
  }
  const rows = receipts.map((one) => [
    one.account_id,
    one.name,
    one.deleted_at,
    'name' in one.deleted_by ? (one.deleted_by.name ?? one.deleted_by.id) : 'command line',
    String(one.items),
    String(one.memories),
  ])
  io.stdout.write(printable(table([['account', 'name', 'deleted', 'by', 'items', 'memories'], ...rows])))
}
