import type { SourceType } from './source-type.ts'

/** For how many days items are kept, by source type; others are kept forever. */
export type RetentionDays = Readonly<Partial<Record<SourceType, number>>>

export const MOST_RETENTION_DAYS = 36_500
const DAY_MS = 86_400_000

/** Items dated before this time are not kept. */
export function keptSince(days: number, now: Date): Date {
  return new Date(now.getTime() - days * DAY_MS)
}

/**
 * The reason for a missing item, for the person who looks for it.
 * @param connection `slack/acme`, when it has its own limit
 */
export function retentionReason(source: SourceType, days: number, connection?: string): string {
  const kept =
    connection === undefined
      ? `items of ${source} are kept (retention`
      : `what ${connection} brings is kept (retention_days`
  return `It is older than ${days} days, which is how long ${kept} in config.yaml).`
}
