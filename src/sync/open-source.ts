import type { ConnectionConfig, Context } from '../connector/connector.ts'
import type { Connection, SyncEnvironment } from './connection.ts'
import { EndOfRun } from './end-of-run.ts'
import { memorizedItems } from './memorized-items.ts'
import { sharedBudget } from './request-budget.ts'
import { BudgetedRequests, type RequestCounts } from './requests.ts'
import { Source } from './source.ts'

export interface OpenSourceOptions {
  readonly connection: Connection
  readonly environment: SyncEnvironment
  readonly signal: AbortSignal
  /** That the connection belonged to until now. */
  readonly account: string | undefined
  /** Whether rate limits are written to the ledger. */
  readonly persist: boolean
  /** Counted from the check on. */
  readonly counts: RequestCounts
  readonly onWaiting?: (until: Date | undefined) => void
}

/**
 * Checks the source, and gives what is needed to read it.
 *
 * @throws SourceError, and EndOfRun also when the access is to another account than before: cursors and ids of one account
 *   mean nothing in another
 */
export async function openSource(
  options: OpenSourceOptions,
): Promise<{ readonly source: Source; readonly context: Context<ConnectionConfig> }> {
  const { connection, environment, signal, account: known, persist, counts, onWaiting } = options
  const { connector, config } = connection
  const { manifest } = connector
  const { ledger, clock, log, machine, grants, userName, timeZone } = environment
  // Before the first check nobody knows the account; the name of the connection stands for it.
  const first = sharedBudget(ledger, manifest.provider, known ?? `connection ${config.name}`)
  const requests = new BudgetedRequests(first, {
    provider: manifest.provider,
    environment,
    signal,
    persist,
    counts,
    ...(onWaiting && { onWaiting }),
  })
  const checking = { config, clock, log, signal, requests, grants, machine, userName, timeZone }
  const source = new Source(connector, checking)
  const account = await source.check()
  if (known !== undefined && known !== account.account) {
    const now = account.title ?? account.account
    const message =
      `The access is now to another account (${now}) than what was read before. Connect the new one ` +
      `under a name of its own, or remove ${config.name} first.`
    throw new EndOfRun('attention', message, { remedy: 'reconfigure' })
  }
  requests.use(sharedBudget(ledger, manifest.provider, account.account))
  const memorized: Context<ConnectionConfig>['memorized'] = (range) => memorizedItems(ledger, range)
  return { source, context: { ...checking, account, memorized } }
}
