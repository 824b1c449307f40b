import { z } from 'zod'

export const DAY_SECONDS = 86_400

/**
 * Slack identifies a message by its time in seconds with six decimals. Other implementations return numbers, or omit
 * the fraction; a uniform text sorts by time.
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

/** The time that identifies a Slack message. */
export function messageSeconds(ts: string): number {
  return Number(ts)
}

/** Start of the UTC day of `seconds`. */
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
