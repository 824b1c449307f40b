import { z } from 'zod'

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
  plan: z.string(),
  /** `none`: no billing account, so no further keys. `past_due`: everything else is refused too. */
  status: z.enum(['none', 'active', 'past_due']),
  used: z.record(quotas.keyof(), z.number()),
  allowed: quotas,
  /** Those there are to choose from. */
  plans: z.array(z.object({ name: z.string(), title: z.string(), quotas })),
})
export type Billing = z.infer<typeof billing>

/** `PUT /app/api/billing`: what is left out stays. */
export const billingChange = z
  .strictObject({
    plan: z.string({ error: 'must be the name of a plan' }).optional(),
    status: z.enum(['active', 'past_due'], { error: 'must be active or past_due' }).optional(),
  })
  .refine(({ plan, status }) => plan !== undefined || status !== undefined, {
    error: 'must name a plan, a status or both',
  })
export type BillingChange = z.infer<typeof billingChange>
