import { z } from 'zod'
import type { ConnectionName, Ledger } from '../store/ledger/ledger.ts'
import type { SyncEnvironment } from './connection.ts'
import type { SyncProgress } from './run-report.ts'

const EVERY_MS = 5_000

const keptProgress = z.object({
  /** ISO 8601. */
  at: z.string(),
  items_per_minute: z.number().nullable(),
  remaining_s: z.number().nullable(),
  recent_days: z.number().nullable(),
})

/** What other processes may know of a run. */
export type KeptProgress = z.infer<typeof keptProgress>

/** Stores the progress of a run every few seconds, so that `status` shows it in another process. */
export function keepProgress({ ledger, clock, log }: SyncEnvironment, name: ConnectionName) {
  let keptAt = Number.NEGATIVE_INFINITY
  let recentDays: number | undefined
  let writing = Promise.resolve()
  const keep = (progress: SyncProgress): void => {
    const now = clock()
    const isNews = progress.recentDays !== recentDays
    if (!isNews && Math.abs(now.getTime() - keptAt) < EVERY_MS) return
    keptAt = now.getTime()
    recentDays = progress.recentDays
    const { perMinute, remainingMs } = progress
    const kept: KeptProgress = {
      at: now.toISOString(),
      items_per_minute: perMinute === undefined ? null : Math.round(perMinute),
      remaining_s: remainingMs === undefined ? null : Math.round(remainingMs / 1_000),
      recent_days: recentDays ?? null,
    }
    writing = writing
      .then(() => ledger.writeFact(factName(name), JSON.stringify(kept)))
      .catch((error: unknown) => log.warn({ ...name, err: error }, 'the progress could not be stored'))
  }
  return { keep, written: () => writing }
}

export async function readProgress(ledger: Ledger, name: ConnectionName): Promise<KeptProgress | undefined> {
  const fact = await ledger.readFact(factName(name))
  return fact === undefined ? undefined : keptProgress.parse(JSON.parse(fact))
}

function factName({ connector, name }: ConnectionName): string {
  return `progress ${connector}/${name}`
}
