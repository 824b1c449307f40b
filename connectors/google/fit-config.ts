import { z } from 'zod'
import { sinceField } from '../../src/connector/connection-fields.ts'
import { googleFields } from './google-config.ts'
import { takeoutField } from './takeout-folder.ts'

const SCOPE = 'https://www.googleapis.com/auth/googlehealth'
const KINDS = ['activity', 'sleep', 'measurements'] as const

export const fitConfig = z.strictObject({
  ...googleFields(),
  api: z
    .enum(['health', 'takeout'])
    .default('health')
    .describe('`health`: the Google Health API. `takeout`: exports of Google Fit in the folder of `takeout`.'),
  include: z
    .array(z.enum(KINDS))
    .min(1)
    .default([...KINDS])
    .describe('With `health`: what is taken; each has a scope of its own.'),
  since: sinceField().describe('With `health`: take days from this one on, e.g. 2024-01-01. Default: 90 days back.'),
  takeout: takeoutField(),
})

export type FitConfig = z.infer<typeof fitConfig>

/** Those of what is included. */
export function healthScopes({ api, include }: FitConfig): string[] {
  if (api !== 'health') return []
  const names = {
    activity: 'activity_and_fitness',
    sleep: 'sleep',
    measurements: 'health_metrics_and_measurements',
  }
  return include.map((kind) => `${SCOPE}.${names[kind]}.readonly`)
}
