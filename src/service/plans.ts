import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { AppError } from '../domain/errors.ts'

/** Everything a plan can limit. Months are calendar months, UTC. */
export type Quota = 'items' | 'storage_bytes' | 'uploads_per_month' | 'recalls_per_month' | 'asks_per_month'

const allowance = z.int().nonnegative().optional()

const PLANS = z
  .strictObject({
    default: z.string(),
    plans: z.record(
      z.string().regex(/^[a-z0-9-]+$/, 'plan names use lowercase letters, digits and hyphens'),
      z.strictObject({
        title: z.string(),
        quotas: z.strictObject({
          items: allowance,
          storage_bytes: allowance,
          uploads_per_month: allowance,
          recalls_per_month: allowance,
          asks_per_month: allowance,
        } satisfies Record<Quota, typeof allowance>),
      }),
    ),
  })
  .refine((file) => file.plans[file.default] !== undefined, { path: ['default'], error: 'is not a plan in this file' })

export type Plan = z.infer<typeof PLANS>['plans'][string]

export interface Plans {
  /** The plan of a new account. */
  readonly standard: string
  readonly byName: ReadonlyMap<string, Plan>
}

/**
 * Reads and validates plans.yaml.
 * @throws AppError `invalid`, naming the invalid parts
 */
export function loadPlans(file: string): Plans {
  return parsePlans(readFileSync(file, 'utf8'))
}

/** @throws AppError `invalid`, naming the invalid parts */
export function parsePlans(source: string): Plans {
  const result = PLANS.safeParse(parse(source))
  if (!result.success) {
    const issues = result.error.issues.map((issue) => {
      const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message
      return `${issue.path.join('.') || 'file'}: ${message}`
    })
    throw new AppError('invalid', `plans.yaml is not valid: ${issues.join('; ')}`)
  }
  return { standard: result.data.default, byName: new Map(Object.entries(result.data.plans)) }
}
