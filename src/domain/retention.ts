import type { SourceType } from './source-type.ts'

/** For how many days items are kept, by source type; what is not named is kept for good. */
export type RetentionDays = Readonly<Partial<Record<SourceType, number>>>

export const MOST_RETENTION_DAYS = 36_500
const DAY_MS = 86_400_000

/** Items whose time is before this are not kept. */
export function keptSince(days: number, now: Date): Date {
  return new Date(now.getTime() - days * DAY_MS)
}

/**
 * Why something is not there, for the person who misses it.
 *
 * @param connection `slack/acme`, when the days are its own
 */
export function retentionReason(source: SourceType, days: number, connection?: string): string {
  const kept =
    connection === undefined
      ? `items of ${source} are kept (retention`
      : `what ${connection} brings is kept (retention_days`
  return `It is older than ${days} days, which is how long ${kept} in config.yaml).`
}
