import { z } from 'zod'

export const DAY_SECONDS = 86_400

/**
 * Slack names a message by its time in seconds with six digits after the point. Other implementations give numbers, or
 * leave the fraction out; as text of one form, times are in order.
 */
export const slackTime = z
  .union([
    z.string().regex(/^\d+(\.\d+)?$/),
    z
      .number()
      .positive()
      .transform((seconds) => seconds.toFixed(6)),
  ])
  .transform((ts) => (ts.includes('.') ? ts : `${ts}.000000`))

/** Slack names a message by its time; this is the time. */
export function messageSeconds(ts: string): number {
  return Number(ts)
}

/** Beginning of the UTC day that `seconds` lies in. */
export function dayStart(seconds: number): number {
  return Math.floor(seconds / DAY_SECONDS) * DAY_SECONDS
}

/** `2026-11-20`, in UTC. */
export function messageDay(ts: string): string {
  return messageDate(ts).toISOString().slice(0, 10)
}

export function messageDate(ts: string): Date {
  return new Date(Math.floor(messageSeconds(ts) * 1000))
}
