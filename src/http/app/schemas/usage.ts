import { z } from 'zod'
import { SOURCE_TYPES } from '../../../domain/source-type.ts'

const MOST_DAYS = 366
const METRICS = ['upload', 'upload_bytes', 'recall', 'ask'] as const

/** `GET /app/api/usage` */
export const usageQuery = z.object({
  days: z.coerce
    .number({ error: 'must be a number of days' })
    .int('must be a whole number of days')
    .min(1, 'must be at least 1')
    .max(MOST_DAYS, `must be at most ${MOST_DAYS}`)
    .default(30),
})

const dayLimit = z.object({ tokens_per_day: z.number().nullable(), dollars_per_day: z.number().nullable() })

/** Days are YYYY-MM-DD, oldest first, and include those on which nothing was done. */
export const usageReport = z.object({
  /** UTC. */
  days: z.array(z.string()),
  /** Every key that is counted below. `app`: what people did in the web app. */
  keys: z.array(z.object({ id: z.string(), name: z.string(), kind: z.enum(['key', 'app', 'deleted']) })),
  counts: z.array(z.object({ day: z.string(), key_id: z.string(), metric: z.enum(METRICS), count: z.number() })),
  /** What language models have cost. */
  spending: z.object({
    /** In `time_zone`, that of the account. */
    days: z.array(z.string()),
    time_zone: z.string(),
    /** The one that is used now; null: none. */
    model: z
      .object({
        id: z.string(),
        /** Else its price is not known, and dollars are 0. */
        is_priced: z.boolean(),
        budget: dayLimit.extend({ per_source: z.partialRecord(z.enum(SOURCE_TYPES), dayLimit) }).nullable(),
      })
      .nullable(),
    uses: z.array(
      z.object({
        day: z.string(),
        /** A source type whose items were refined, or `ask`: answers to questions. */
        source: z.string(),
        calls: z.number(),
        input_tokens: z.number(),
        output_tokens: z.number(),
        dollars: z.number(),
      }),
    ),
  }),
})
export type UsageReport = z.infer<typeof usageReport>
export type UsageMetric = (typeof METRICS)[number]
