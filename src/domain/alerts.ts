import { z } from 'zod'

/** Ways an alert about a source can be sent. */
export const ALERT_CHANNELS = ['webhook', 'mail'] as const
export type AlertChannelName = (typeof ALERT_CHANNELS)[number]

const channel = z.object({
  channel: z.enum(ALERT_CHANNELS),
  /** The host of the webhook, or the mail addresses. */
  target: z.string(),
})

/** The state of alerts, as `recalld alerts --json` and the app show it. Times are ISO 8601, UTC. */
export const alertsOverview = z.object({
  channels: z.array(
    channel.extend({
      last_sent_at: z.string().nullable(),
      /** Why alerts wait, and when they are tried again. */
      failure: z.object({ since: z.string(), problem: z.string(), next_at: z.string() }).nullable(),
    }),
  ),
})
export type AlertsOverview = z.infer<typeof alertsOverview>

/** The outcome of a test by each channel. */
export const alertTests = z.object({
  tests: z.array(
    channel.extend({
      /** Why it could not be sent. */
      problem: z.string().nullable(),
    }),
  ),
})
export type AlertTests = z.infer<typeof alertTests>
