import { z } from 'zod'
import { apiUrlField, connectionFields, sinceField, tokenFields } from '../../src/connector/connection-fields.ts'

const teams = z.array(z.string().trim().min(1))

export const linearConfig = z.strictObject({
  ...connectionFields(),
  ...tokenFields(),
  api_url: apiUrlField('https://api.linear.app/graphql'),
  since: sinceField().describe('Sync only issues that changed on or after this day, e.g. 2024-01-01.'),
  include: teams.min(1).optional().describe('Names or keys of teams to sync, e.g. ["Platform", "OPS"]. Default: all.'),
  exclude: teams.default([]).describe('Names or keys of teams to exclude.'),
})
export type LinearConfig = z.infer<typeof linearConfig>

/** How far the issues of a team were read. */
export const linearCursor = z.strictObject({
  /** Every change before this time was yielded. */
  readAt: z.iso.datetime().optional(),
  /** A listing in progress, from the newest change to the oldest. */
  scan: z.strictObject({ after: z.string(), begun: z.iso.datetime() }).optional(),
})
export type LinearCursor = z.infer<typeof linearCursor>
