import type { Administration } from '../../administration/administration.ts'
import { AppError } from '../../domain/errors.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import { type DeletionReceiptJson, deletionReceiptJson } from '../../service/account-deletion.ts'
import type { Context } from '../context.ts'
import { table } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { type Progress, startProgress } from '../terminal/progress.ts'
import { messages } from './messages.ts'

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
    throw new AppError('conflict', messages.deleteHomeAccount)
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
      if (waits && !isWaiting) io.stderr.write(`${messages.deleteWaiting}\n`)
      isWaiting = waits
      if (items > 0) progress ??= startProgress(io.stderr, items, 'items')
      progress?.step(removed - shown)
      shown = removed
    },
  })
  progress?.stop()
  if (left.length > 0) io.stderr.write(`${messages.grantsLeft(left)}\n`)
  const wire = deletionReceiptJson(receipt)
  io.stdout.write(json ? `${jsonText(wire, 2)}\n` : printable(receiptText(wire)))
}

async function confirmationNeeded({ service }: Administration, account: string): Promise<AppError> {
  const found = (await service.accounts.list()).find(({ accountId }) => accountId === account)
  if (found === undefined) {
    return new AppError('not_found', terminal.noAccount(account), {
      field: 'account',
    })
  }
  const { name } = found
  return new AppError('invalid', messages.confirmDelete(name), { field: 'yes' })
}

function receiptText(receipt: DeletionReceiptJson): string {
  const { items, memories, bytes, verified } = receipt
  const tables = Object.keys(verified).length
  return [
    messages.accountDeleted(receipt.name, receipt.account_id, receipt.deleted_at),
    messages.accountHeld(items, bytes, memories),
    messages.deletionVerified(tables),
    messages.deletionHash(receipt.bodies_hash),
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
    'name' in one.deleted_by ? (one.deleted_by.name ?? one.deleted_by.id) : messages.commandLine,
    String(one.items),
    String(one.memories),
  ])
  io.stdout.write(printable(table([['account', 'name', 'deleted', 'by', 'items', 'memories'], ...rows])))
}
