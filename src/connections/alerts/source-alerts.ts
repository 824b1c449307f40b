import { randomUUID } from 'node:crypto'
import type { AlertsOverview, AlertTests } from '../../domain/alerts.ts'
import { AppError } from '../../domain/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import type { DailyTasks } from '../../store/store.ts'
import type { ConfiguredConnections, ConnectorRegistry } from '../configured-connections.ts'
import { connectionStatus, expiryWarning, type KnownConnection, knownConnections } from '../connection-status.ts'
import type { AlertChannel } from './alert-channels.ts'
import { alertMessage, testMessage } from './alert-message.ts'
import {
  type AlertRecord,
  dueAlerts,
  readAlertRecord,
  withFailure,
  withSent,
  withSources,
  writeAlertRecord,
} from './alert-record.ts'

export interface AlertParts {
  readonly channels: readonly AlertChannel[]
  readonly ledger: Ledger
  readonly tasks: Pick<DailyTasks, 'claim' | 'release'>
  /** Of the memory, because each has its own sources. */
  readonly memoryId: string
  readonly registry: ConnectorRegistry
  readonly configured: () => Promise<ConfiguredConnections>
  /** Of this server, for links: `http://127.0.0.1:7411`. */
  readonly address: string
  readonly clock: Clock
  readonly log: Log
}

/** More than sending by all channels may take. */
const LEASE_MS = 5 * 60_000

/**
 * Sends an alert by each channel once when a connection needs attention: its access was refused or expires within seven
 * days, or its settings are wrong. Failed alerts are retried until the connection is healthy.
 */
export async function sendAlerts(parts: AlertParts): Promise<void> {
  const { channels, tasks, memoryId, ledger } = parts
  if (channels.length === 0) return
  const claim = { name: `alerts ${memoryId}`, holder: randomUUID() }
  if (!(await tasks.claim({ ...claim, leaseMs: LEASE_MS, everyMs: 0 }))) return
  try {
    const known = await knownConnections(await parts.configured(), await ledger.listConnections(), parts.registry)
    await sendDue(parts, known)
  } finally {
    await tasks.release(claim.name, claim.holder)
  }
}

async function sendDue(parts: AlertParts, known: readonly KnownConnection[]): Promise<void> {
  const { channels, ledger, clock, log } = parts
  const now = clock()
  const needing = known.filter((one) => needsSomebody(one, now))
  const unsettled = known.filter((one) => !needing.includes(one) && isUnsettled(one))
  const before = await readAlertRecord(ledger)
  let record = withSources(before, { needing: needing.map(idOf), unsettled: unsettled.map(idOf) }, now)
  const save = () => writeAlertRecord(ledger, record)
  if (JSON.stringify(record) !== JSON.stringify(before)) await save()
  for (const channel of channels) {
    const due = needing.filter((one) => dueAlerts(record, channel.name, now).includes(idOf(one)))
    if (due.length === 0) continue
    try {
      const statuses = await Promise.all(due.map((one) => connectionStatus(one, ledger, now)))
      await channel.send(alertMessage(statuses, parts.address, now))
      record = withSent(record, channel.name, due.map(idOf), clock())
      log.info({ channel: channel.name, connections: due.map(idOf) }, 'alert sent')
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      record = withFailure(record, channel.name, error.message, clock())
      const { attempts } = record.channels[channel.name]?.failure ?? {}
      log.warn({ channel: channel.name, attempts, problem: error.message }, 'an alert could not be sent; retrying')
    }
    await save()
  }
}

function needsSomebody(one: KnownConnection, now: Date): boolean {
  if (isPaused(one)) return false
  if (one.problem !== undefined) return true
  if (one.connection === undefined) return false
  return one.row?.outcome === 'attention' || expiryWarning(one, now) !== undefined
}

function isUnsettled(one: KnownConnection): boolean {
  return one.connection !== undefined && (isPaused(one) || one.row?.outcome !== 'ok')
}

function isPaused({ connection }: KnownConnection): boolean {
  return connection?.config.paused === true
}

function idOf({ ref }: KnownConnection): string {
  return `${ref.connector}/${ref.name}`
}

/** The state of the channels. */
export function alertsOverview(channels: readonly AlertChannel[], record: AlertRecord): AlertsOverview {
  return {
    channels: channels.map(({ name, target }) => {
      const { last_sent_at = null, failure } = record.channels[name] ?? {}
      const { since, problem, next_at } = failure ?? {}
      const isFailing = since !== undefined && problem !== undefined && next_at !== undefined
      return { channel: name, target, last_sent_at, failure: isFailing ? { since, problem, next_at } : null }
    }),
  }
}

/** Sends a test by each channel. */
export async function testAlerts(channels: readonly AlertChannel[], address: string, now: Date): Promise<AlertTests> {
  const tests = await Promise.all(
    channels.map(async ({ name: channel, target, send }) => {
      try {
        await send(testMessage(address, now))
        return { channel, target, problem: null }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return { channel, target, problem: error.message }
      }
    }),
  )
  return { tests }
}
