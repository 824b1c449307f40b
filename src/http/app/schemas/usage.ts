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

/** Days are YYYY-MM-DD, oldest first, and include those without use. */
const usageReport = z.object({
  /** UTC. */
  days: z.array(z.string()),
  /** Every key in the counts. `app`: use of the web app. */
  keys: z.array(z.object({ id: z.string(), name: z.string(), kind: z.enum(['key', 'app', 'deleted']) })),
  counts: z.array(z.object({ day: z.string(), key_id: z.string(), metric: z.enum(METRICS), count: z.number() })),
  /** Costs of language models. */
  spending: z.object({
    /** In the account's `time_zone`. */
    days: z.array(z.string()),
    time_zone: z.string(),
    /** Of this calendar month. */
    dollars_this_month: z.number(),
    /** The current model; null: none. */
    model: z
      .object({
        id: z.string(),
        /** Otherwise its price is unknown, and dollars are 0. */
        is_priced: z.boolean(),
        budget: dayLimit
          .extend({
            /** Per calendar month; null: unlimited. */
            dollars_per_month: z.number().nullable(),
            per_source: z.partialRecord(z.enum(SOURCE_TYPES), dayLimit),
          })
          .nullable(),
      })
      .nullable(),
    uses: z.array(
      z.object({
        day: z.string(),
        /** A source type with refined items, or `ask`: answers to questions. */
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

/** Units and whole numbers; null: unlimited. Months are calendar months, UTC. */
const quotas = z.object({
  items: z.number().nullable(),
  storage_bytes: z.number().nullable(),
  uploads_per_month: z.number().nullable(),
  recalls_per_month: z.number().nullable(),
  asks_per_month: z.number().nullable(),
})
export type Quotas = z.infer<typeof quotas>

/** `GET /app/api/billing` */
export const billing = z.object({
  /** Whether there is anything to pay or limit. */
  is_billed: z.boolean(),
  plan: z.string(),
  /** `none`: no billing account, so no further keys. `past_due`: other requests are refused too. */
  status: z.enum(['none', 'active', 'past_due']),
  used: z.record(quotas.keyof(), z.number()),
  allowed: quotas,
  /** The available plans. */
  plans: z.array(z.object({ name: z.string(), title: z.string(), quotas })),
})
export type Billing = z.infer<typeof billing>

/** `PUT /app/api/billing`: absent fields stay. */
export const billingChange = z
  .strictObject({
    plan: z.string({ error: 'must be the name of a plan' }).optional(),
    status: z.enum(['active', 'past_due'], { error: 'must be active or past_due' }).optional(),
  })
  .refine(({ plan, status }) => plan !== undefined || status !== undefined, {
    error: 'must name a plan, a status or both',
  })
export type BillingChange = z.infer<typeof billingChange>
