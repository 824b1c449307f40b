import { z } from 'zod'
import { ALERT_CHANNELS, type AlertChannelName } from '../../domain/alerts.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'

const channelRecord = z.object({
  last_sent_at: z.string().optional(),
  /** Since the last one that was sent. */
  failure: z.object({ attempts: z.number(), since: z.string(), problem: z.string(), next_at: z.string() }).optional(),
})

const alertRecord = z.object({
  /** Connections that need attention, such as `slack/acme`, and the channels that have reported them. */
  needs: z.record(z.string(), z.object({ since: z.string(), sent: z.array(z.enum(ALERT_CHANNELS)) })),
  channels: z.partialRecord(z.enum(ALERT_CHANNELS), channelRecord),
})

/** Which alerts were sent and which failed. It is in the store, so a restart neither repeats nor forgets one. */
export type AlertRecord = z.infer<typeof alertRecord>

export const NO_ALERTS: AlertRecord = { needs: {}, channels: {} }

const FACT = 'alerts'
const MINUTE_MS = 60_000
const LONGEST_WAIT_MS = 6 * 3_600_000

export async function readAlertRecord(ledger: Pick<Ledger, 'readFact'>): Promise<AlertRecord> {
  const text = await ledger.readFact(FACT)
  return text === undefined ? NO_ALERTS : alertRecord.parse(JSON.parse(text))
}

export function writeAlertRecord(ledger: Pick<Ledger, 'writeFact'>, record: AlertRecord): Promise<void> {
  return ledger.writeFact(FACT, JSON.stringify(record))
}

/** The connections that are known now. */
export interface SourcesNow {
  /** Connections that need attention. */
  readonly needing: readonly string[]
  /** Neither healthy nor in need of attention, such as paused or interrupted ones: their state is kept. */
  readonly unsettled: readonly string[]
}

/** Records connections that newly need attention, and drops those that are healthy or removed. */
export function withSources(
  { needs, channels }: AlertRecord,
  { needing, unsettled }: SourcesNow,
  now: Date,
): AlertRecord {
  const begun = needing.filter((id) => needs[id] === undefined)
  const known = Object.entries(needs).filter(([id]) => needing.includes(id) || unsettled.includes(id))
  return {
    needs: {
      ...Object.fromEntries(known),
      ...Object.fromEntries(begun.map((id) => [id, { since: now.toISOString(), sent: [] }])),
    },
    channels,
  }
}

/** Connections that a channel must report now; none while it waits after a failure. */
export function dueAlerts({ needs, channels }: AlertRecord, channel: AlertChannelName, now: Date): readonly string[] {
  const failure = channels[channel]?.failure
  if (failure !== undefined && Date.parse(failure.next_at) > now.getTime()) return []
  return Object.entries(needs).flatMap(([id, { sent }]) => (sent.includes(channel) ? [] : [id]))
}

export function withSent(
  record: AlertRecord,
  channel: AlertChannelName,
  ids: readonly string[],
  now: Date,
): AlertRecord {
  const needs = Object.entries(record.needs).map(([id, need]) => [
    id,
    ids.includes(id) ? { ...need, sent: [...need.sent, channel] } : need,
  ])
  const channels = { ...record.channels, [channel]: { last_sent_at: now.toISOString() } }
  return { needs: Object.fromEntries(needs), channels }
}

/** Tries again after 1 minute, then 2, 4, and so on, up to 6 hours. */
export function withFailure(record: AlertRecord, channel: AlertChannelName, problem: string, now: Date): AlertRecord {
  const before = record.channels[channel]
  const attempts = (before?.failure?.attempts ?? 0) + 1
  const waitMs = Math.min(LONGEST_WAIT_MS, MINUTE_MS * 2 ** (attempts - 1))
  const failure = {
    ...{ attempts, problem, since: before?.failure?.since ?? now.toISOString() },
    next_at: new Date(now.getTime() + waitMs).toISOString(),
  }
  return { ...record, channels: { ...record.channels, [channel]: { ...before, failure } } }
}
