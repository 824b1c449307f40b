import type { CheckContext, ConnectionConfig, Requests } from '../connector/connector.ts'
import { AppError } from '../domain/errors.ts'
import { type Connection, connectionName, type SyncEnvironment } from '../sync/connection.ts'
import type { SourceCheck, SourceChoices } from './sync-service.ts'

/**
 * Checks the account of the source, as before every run, and what its settings name; reads no items.
 * @throws AppError `unauthenticated` when the source rejects the token, `invalid` when a setting is wrong, or when the
 * account differs from the one synced under this name
 */
export async function checkSource(
  connection: Connection,
  environment: SyncEnvironment,
  signal: AbortSignal,
): Promise<SourceCheck> {
  const { connector } = connection
  const context = checkContext(connection, environment, signal)
  await connector.probe?.(context)
  const { account, title = account, warnings = [] } = await connector.check(context)
  const ref = connectionName(connection)
  const rows = await environment.ledger.listConnections()
  const known = rows.find((row) => row.connector === ref.connector && row.name === ref.name)
  if (known?.account !== undefined && known.account !== account) {
    const name = `${ref.connector}/${ref.name}`
    throw new AppError('invalid', otherAccount(name, title, known.accountTitle ?? known.account))
  }
  return { account: title, warnings }
}

/**
 * What the person can choose to sync; `undefined` where the connector offers no choice.
 * @throws AppError `unauthenticated` when the source rejects the token
 */
export async function sourceChoices(
  connection: Connection,
  environment: SyncEnvironment,
  signal: AbortSignal,
): Promise<SourceChoices | undefined> {
  const { choosing } = connection.connector
  if (choosing === undefined) return undefined
  const choices = await choosing.choices(checkContext(connection, environment, signal))
  const byName = new Intl.Collator('en', { numeric: true })
  return {
    setting: choosing.setting,
    choices: choices.toSorted(
      (one, other) => byName.compare(one.group, other.group) || byName.compare(one.value, other.value),
    ),
  }
}

function checkContext(
  { config }: Connection,
  { clock, log, machine, grants, userName, timeZone }: SyncEnvironment,
  signal: AbortSignal,
): CheckContext<ConnectionConfig> {
  return { config, clock, log, signal, requests: unbudgeted(signal), grants, machine, userName, timeZone }
}

function otherAccount(name: string, now: string, before: string): string {
  return `This access is for ${now}, but ${name} syncs ${before}. Connect this account under a different name.`
}

/** The rate limits for the few requests of a check. */
export function unbudgeted(signal: AbortSignal): Requests {
  return {
    call: (_, send) => send(signal),
    holdUntil: () => Promise.resolve(),
    spaceOut: () => Promise.resolve(),
  }
}
