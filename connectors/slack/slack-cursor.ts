import { z } from 'zod'
import { MESSAGES_PER_PAGE } from './slack-gateway.ts'
import { DAY_SECONDS, dayStart, messageSeconds } from './slack-time.ts'

/** This much is compared again once a week; more would cost hundreds of requests a week in a busy channel. */
const DEEP_DAYS = 90
const WEEK_SECONDS = 7 * DAY_SECONDS

const scan = z.strictObject({
  /** Messages since then are compared, with everything else that their pages show. */
  from: z.number(),
  /** Messages at or after it have been read; absent when none have. Always the start of a day. */
  before: z.number().optional(),
  begun: z.number(),
  deep: z.boolean(),
})

/** How far a channel was read. Times are seconds since 1970, as in Slack. */
export const slackCursor = z.strictObject({
  /** When the last complete full scan began: every earlier message was read. */
  readAt: z.number().optional(),
  /** When the last full scan over 90 days began. */
  deepAt: z.number().optional(),
  /** The scan in progress, from the newest message back to `from`; stored under its first name. */
  walk: scan.optional(),
  /** When an archived channel was last read, or found unreadable. */
  sealedAt: z.number().optional(),
  /** Days and threads by date and `ts`, each with a digest of its messages' listing. */
  days: z.record(z.string(), z.string()),
  threads: z.record(z.string(), z.string()),
})

export type SlackCursor = z.infer<typeof slackCursor>
export type SlackScan = z.infer<typeof scan>

/** @param since seconds; older messages are skipped */
export function nextScan(
  { readAt, deepAt = 0 }: Pick<SlackCursor, 'readAt' | 'deepAt'>,
  { now, since, relistDays }: { readonly now: number; readonly since: number; readonly relistDays: number },
): SlackScan {
  if (readAt === undefined) return { from: since, begun: now, deep: true }
  const deep = now - deepAt >= WEEK_SECONDS
  const back = now - (deep ? DEEP_DAYS : relistDays) * DAY_SECONDS
  // A day more than was read, because clocks differ.
  return { from: Math.max(since, dayStart(Math.min(back, readAt - DAY_SECONDS))), begun: now, deep }
}

/** Whether the scan in progress has read everything from this day on. */
export function hasReadBackTo(scan: SlackScan | undefined, since: Date): boolean {
  return scan?.before !== undefined && scan.before * 1000 <= since.getTime()
}

/** Archived channels are read once a week, because nobody writes in them. */
export function isSealed({ sealedAt }: Pick<SlackCursor, 'sealedAt'>, now: number): boolean {
  return sealedAt !== undefined && now - sealedAt < WEEK_SECONDS
}

/**
 * Drops what will not be compared again: items older than 90 days, except as much as a single page may show. A quiet
 * channel keeps 7 KB.
 */
export function forgetOld(
  { days, threads }: { readonly days: Map<string, string>; readonly threads: Map<string, string> },
  now: number,
): void {
  const known = [
    ...[...days.keys()].map((day) => ({ of: days, key: day, at: Date.parse(day) / 1000 })),
    ...[...threads.keys()].map((ts) => ({ of: threads, key: ts, at: messageSeconds(ts) })),
  ]
  const beyond = known.toSorted((a, b) => b.at - a.at).slice(MESSAGES_PER_PAGE)
  const from = dayStart(now - DEEP_DAYS * DAY_SECONDS)
  for (const { of, key, at } of beyond) if (at < from) of.delete(key)
}
