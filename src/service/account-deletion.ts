import { setTimeout as delay } from 'node:timers/promises'
import type { ActivityActor } from '../domain/activity.ts'
import { AppError } from '../domain/errors.ts'
import type { DeletionReceipt, DeletionStep } from '../store/deletions/deletions.ts'
import { findAccount } from './accounts.ts'
import { SERVER } from './activity.ts'
import type { HeldGrant, ServiceContext } from './service-context.ts'

/** Interval of checks while waiting is all that can be done. */
const WAIT_MS = 500
/** Maximum wait for providers. */
const WITHDRAW_MS = 5_000

interface DeletionRequest {
  readonly account: string
  /** As for keys. */
  readonly by?: ActivityActor
  readonly onStep?: (step: DeletionStep) => void
  /** Providers that did not confirm the revocation of a grant, and may still list it. */
  readonly onLeftGrants?: (providers: readonly string[]) => void
}

/** Deleting accounts with everything in them. */
export interface AccountDeletionUseCases {
  /**
   * The account is hidden immediately; resolves when all of it is deleted and verified. `resume` continues an
   * interrupted deletion.
   * @throws AppError `not_found`, or `conflict` when the remaining people would have no administrator; `unavailable`
   * while the object storage is
   */
  run(request: DeletionRequest): Promise<DeletionReceipt>
  /**
   * The same for callers that cannot wait long: `undefined` when it has started and continues in `resume`, because
   * `patience` was aborted or the object storage is unavailable.
   * @throws AppError `not_found`, `conflict` as above
   */
  start(request: DeletionRequest, patience: AbortSignal): Promise<DeletionReceipt | undefined>
  /**
   * Continues unfinished deletions, the oldest first, until `signal` is aborted. Returns the number of deleted
   * accounts; failed and waiting deletions are logged, and left to the next call.
   */
  resume(signal: AbortSignal): Promise<number>
  /** Receipts of deleted accounts, newest first. */
  receipts(): Promise<readonly DeletionReceipt[]>
}

export function accountDeletion(context: ServiceContext): AccountDeletionUseCases {
  const { log, store } = context
  const { deletions } = store
  return {
    async run({ onStep, ...request }) {
      const accountId = await beginOnce(context, request)
      for (;;) {
        const receipt = await goOn(context, accountId, (step) => {
          onStep?.(step)
          return waited(step)
        })
        if (receipt !== undefined) return receipt
      }
    },
    async start({ onStep, ...request }, patience) {
      const accountId = await beginOnce(context, request)
      try {
        return await goOn(context, accountId, async (step) => {
          onStep?.(step)
          return !patience.aborted && (await waited(step)) && !patience.aborted
        })
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'unavailable') throw error
        log.warn({ err: error, accountId }, 'account deletion started; it will continue later')
        return undefined
      }
    },
    async resume(signal) {
      let finished = 0
      for (const accountId of await deletions.pending()) {
        if (signal.aborted) break
        log.info({ accountId }, 'resuming account deletion')
        try {
          const receipt = await goOn(context, accountId, async ({ waits = false }) => !waits && !signal.aborted)
          if (receipt !== undefined) finished++
        } catch (error) {
          log.error({ err: error, accountId }, 'account deletion did not finish; retrying')
        }
      }
      return finished
    },
    receipts: () => deletions.receipts(),
  }
}

/** `undefined` when aborted before there was a receipt. */
async function goOn(
  context: ServiceContext,
  accountId: string,
  mayGoOn: (step: DeletionStep) => Promise<boolean>,
): Promise<DeletionReceipt | undefined> {
  for (;;) {
    const step = await context.store.deletions.goOn(accountId)
    const may = await mayGoOn(step)
    if (step.receipt !== undefined) return done(context, step.receipt)
    if (!may) return undefined
  }
}

async function waited({ waits = false }: DeletionStep): Promise<true> {
  if (waits) await delay(WAIT_MS)
  return true
}

/** Returns the id of the account, also while it is being deleted. */
async function beginOnce(
  context: ServiceContext,
  { account, by = SERVER, onLeftGrants }: Omit<DeletionRequest, 'onStep'>,
): Promise<string> {
  if ((await context.store.deletions.pending()).includes(account)) return account
  const { accountId } = await findAccount(context, account)
  // The first commit deletes the grants, so they are read before.
  const held = await heldGrants(context, accountId)
  await begin(context, accountId, by)
  const left = await withdrawAll(context, accountId, held)
  if (left.length > 0) onLeftGrants?.(left)
  return accountId
}

async function heldGrants({ grants, log }: ServiceContext, accountId: string): Promise<readonly HeldGrant[]> {
  try {
    return (await grants?.hold(accountId)) ?? []
  } catch (error) {
    log.warn({ err: error, accountId }, 'grants of a deleted account could not be revoked')
    return []
  }
}

/** Its errors do not stop the deletion. Returns the providers that did not confirm it. */
async function withdrawAll(
  { log }: ServiceContext,
  accountId: string,
  held: readonly HeldGrant[],
): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(WITHDRAW_MS)
  const outcomes = await Promise.allSettled(held.map((grant) => grant.withdraw(signal)))
  const isDone = (at: number) => outcomes[at]?.status === 'fulfilled' && outcomes[at].value
  const left = [...new Set(held.flatMap(({ provider }, at) => (isDone(at) ? [] : [provider])))]
  if (left.length > 0) log.warn({ accountId, providers: left }, 'access could not be revoked at the provider')
  else if (held.length > 0) log.info({ accountId, grants: held.length }, 'access was revoked at the providers')
  return left
}

async function begin({ store, log }: ServiceContext, accountId: string, by: ActivityActor): Promise<void> {
  switch (await store.deletions.begin(accountId, by)) {
    case 'begun':
      log.info({ accountId }, 'account deletion started')
      return
    case 'absent':
      throw new AppError('not_found', `Account ${accountId} doesn't exist.`, { field: 'account' })
    case 'last_admin':
      throw new AppError(
        'conflict',
        'This account has the only administrator of this server. Make somebody in another account an administrator first.',
      )
  }
}

function done({ log }: ServiceContext, receipt: DeletionReceipt): DeletionReceipt {
  const { accountId, items, memories } = receipt
  log.info({ accountId, items, memories }, 'account deleted')
  return receipt
}

export type DeletionReceiptJson = ReturnType<typeof deletionReceiptJson>

/**
 * A receipt as it is printed, and shown to whoever deleted the account: times are ISO 8601, `verified` counts remaining
 * rows.
 */
export function deletionReceiptJson(receipt: DeletionReceipt) {
  const { items, memories, bytes } = receipt
  return {
    account_id: receipt.accountId,
    name: receipt.name,
    deleted_by: receipt.by,
    begun_at: receipt.begunAt.toISOString(),
    deleted_at: receipt.deletedAt.toISOString(),
    ...{ items, memories, bytes },
    bodies_hash: receipt.bodiesHash,
    verified: receipt.remaining,
  }
}
