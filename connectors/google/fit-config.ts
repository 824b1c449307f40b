import { z } from 'zod'
import { sinceField } from '../../src/connector/connection-fields.ts'
import { googleFields } from './google-config.ts'
import { takeoutField } from './takeout-folder.ts'

const SCOPE = 'https://www.googleapis.com/auth'
const SCOPES = {
  health: {
    activity: ['googlehealth.activity_and_fitness.readonly'],
    sleep: ['googlehealth.sleep.readonly'],
    measurements: ['googlehealth.health_metrics_and_measurements.readonly'],
  },
  'fit-rest': {
    activity: ['fitness.activity.read'],
    sleep: [],
    measurements: ['fitness.heart_rate.read', 'fitness.body.read'],
  },
}
const KINDS = ['activity', 'sleep', 'measurements'] as const

export const fitConfig = z.strictObject({
  ...googleFields(),
  api: z
    .enum(['health', 'fit-rest', 'takeout'])
    .default('health')
    .describe(
      '`health`: the Google Health API. `fit-rest`: the Fit API, for accounts that have it, until it shuts down at the end of 2026; without sleep and exercises. `takeout`: exports of Google Fit and Health Connect ("Health Connect.zip") in the `takeout` folder.',
    ),
  include: z
    .array(z.enum(KINDS))
    .min(1)
    .default([...KINDS])
    .describe('What to sync; each has its own scope. Not used with `takeout`.'),
  since: sinceField().describe('First day to sync, e.g. 2024-01-01. Not used with `takeout`. Default: 90 days back.'),
  takeout: takeoutField(),
})

export type FitConfig = z.infer<typeof fitConfig>

/** The scopes for what is included. */
export function fitScopes({ api, include }: FitConfig): string[] {
  if (api === 'takeout') return []
  return include.flatMap((kind) => SCOPES[api][kind].map((name) => `${SCOPE}/${name}`))
}
