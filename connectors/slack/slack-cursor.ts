import { z } from 'zod'
import { MESSAGES_PER_PAGE } from './slack-gateway.ts'
import { DAY_SECONDS, dayStart, messageSeconds } from './slack-time.ts'

/** Once a week this much is compared again; longer, and each week costs hundreds of requests in a busy channel. */
const DEEP_DAYS = 90
const WEEK_SECONDS = 7 * DAY_SECONDS

const scan = z.strictObject({
  /** Everything told since then is to be compared; what else a page shows is compared with it. */
  from: z.number(),
  /** What is at or after it has been read; absent when nothing has. Always the beginning of a day. */
  before: z.number().optional(),
  begun: z.number(),
  deep: z.boolean(),
})

/** How far a channel was read. Times are seconds since 1970, as Slack counts them. */
export const slackCursor = z.strictObject({
  /** When the last full scan that ended was begun: everything told before it was read. */
  readAt: z.number().optional(),
  /** When the last full scan over 90 days was begun. */
  deepAt: z.number().optional(),
  /** The scan in progress, from the newest message back to `from`. */
  walk: scan.optional(),
  /** When a channel that was archived already was last read, or could not be read. */
  sealedAt: z.number().optional(),
  /** Days and threads by date and `ts`, each with a digest of what the list of messages says of it. */
  days: z.record(z.string(), z.string()),
  threads: z.record(z.string(), z.string()),
})

export type SlackCursor = z.infer<typeof slackCursor>
export type SlackScan = z.infer<typeof scan>

/** @param since seconds; nothing older is taken */
export function nextScan(
  { readAt, deepAt = 0 }: Pick<SlackCursor, 'readAt' | 'deepAt'>,
  { now, since, relistDays }: { readonly now: number; readonly since: number; readonly relistDays: number },
): SlackScan {
  if (readAt === undefined) return { from: since, begun: now, deep: true }
  const deep = now - deepAt >= WEEK_SECONDS
  const back = now - (deep ? DEEP_DAYS : relistDays) * DAY_SECONDS
  // A day more than was read: clocks differ.
  return { from: Math.max(since, dayStart(Math.min(back, readAt - DAY_SECONDS))), begun: now, deep }
}

/** Nobody writes in an archived channel: it is read once a week. */
export function isSealed({ sealedAt }: Pick<SlackCursor, 'sealedAt'>, now: number): boolean {
  return sealedAt !== undefined && now - sealedAt < WEEK_SECONDS
}

/**
 * Forgets what will not be compared again: what is older than 90 days, but for so much as a single page may show. That
 * is 7 KB for a quiet channel.
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
