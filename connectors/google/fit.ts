import { z } from 'zod'
import type { CheckContext, Connector, Context } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { fitChanges, fitCursor, fitItem } from './fit-changes.ts'
import { type FitConfig, fitConfig, fitScopes } from './fit-config.ts'
import type { FitSource } from './fit-item.ts'
import { fitRestSource } from './fit-rest-source.ts'
import { fitTakeout } from './fit-takeout.ts'
import { ownCursor } from './google-config.ts'
import { type GoogleGateway, googleAccount, googleGateway } from './google-gateway.ts'
import { connectionAccount, optionalText } from './google-rows.ts'
import { HealthSource } from './health-source.ts'
import { takeoutCursor, takeoutReading } from './takeout-reading.ts'

const cursor = z.union([fitCursor, takeoutCursor])
type Cursor = z.infer<typeof cursor>

const exports = takeoutReading<Context<FitConfig>>('fit', ({ account, timeZone, machine }) =>
  fitTakeout(account.account, timeZone, machine.temporaryFolder),
)
const identity = z.looseObject({ healthUserId: optionalText })

/** Days and exercises of Google Health, or days of Google Fit from Google Takeout. */
export const fit: Connector<FitConfig, Cursor> = {
  manifest: {
    id: 'fit',
    title: 'Google Health and Fit',
    sourceTypes: ['fit'],
    auth: 'oauth',
    config: fitConfig,
    cursor,
    schedule: '17 */6 * * *',
    deletions: 'feed',
    exactFeed: true,
    inventoryEveryMs: 0,
    vanished: 'keep',
    provider: 'google',
    version: 1,
    quietPeriodMs: 0,
    selection: ({ api, include, since, takeout }) => ({ api, include, since: since?.toISOString(), takeout }),
    grant: { provider: 'google', family: 'health', scopes: fitScopes },
    listing: {
      summary: 'Days in numbers: steps, sleep, heart rate, weight, exercises.',
      icon: 'heart',
      group: 'Google',
    },
    documentation: {
      item: 'a day in numbers: steps, distance, energy, heart rate, weight, sleep; an exercise',
      removed: 'days and exercises of the last 7 days: at the next sync; older ones and those from exports are kept',
      needs:
        '`recalld connect google --sources fit` with the API "Google Health API" enabled, scopes googlehealth.activity_and_fitness.readonly, .sleep.readonly, .health_metrics_and_measurements.readonly; or exports of Google Fit or Health Connect in the `takeout` folder',
      api: 'Google Health API v4: dataPoints.dailyRollUp, dataPoints.reconcile; Fitness API v1: users.dataset.aggregate',
      cursor: 'the last day read; the seven days before it are read again',
      limits:
        'heart rate and energy for at most 14 days per request; the Fit API accepts no new apps and shuts down at the end of 2026',
      verified:
        'local fake server based on the types of googleapis 188; synthetic exports and Health Connect databases; not tested against Google, whose exports may differ by language',
    },
  },

  async check(context) {
    const { config, clock } = context
    if (config.api === 'takeout') {
      if (config.takeout !== undefined) return connectionAccount(config.name)
      throw new SourceError('reconfigure', 'api is takeout, but takeout is not set. Set it to a folder.')
    }
    const gateway = await open(context)
    // The Fit API does not return the account.
    if (config.api === 'fit-rest') return googleAccount(gateway, async () => connectionAccount(config.name), clock())
    const { health } = await import('googleapis/build/src/apis/health/index.js')
    const api = health({ version: 'v4', ...gateway.apiOptions })
    const ask = async () => {
      const found = await gateway.find(
        {
          title: 'Google Health',
          asked: 'your profile',
          answer: identity,
          send: (options) => api.users.getIdentity({ name: 'users/me/identity' }, options),
        },
        ({ status }) => status === 403 || status === 404,
      )
      const { account, title } = connectionAccount(config.name)
      return { account: found?.healthUserId === undefined ? account : `health:${found.healthUserId}`, title }
    }
    return googleAccount(gateway, ask, clock())
  },

  async *partitions({ config }) {
    yield { id: config.api, title: config.api === 'health' ? 'days and exercises' : 'days' }
  },

  async *changes({ id }, from, context) {
    if (id === 'takeout') return yield* exports.changes(ownCursor(takeoutCursor, from), context)
    yield* fitChanges(await sourceOf(context), ownCursor(fitCursor, from), context)
  },

  async read({ partition, ...ref }, context) {
    if (partition.id === 'takeout') return exports.read(ref, context)
    return ref.locator === undefined ? undefined : fitItem(await sourceOf(context), ref.locator, context)
  },
}

function open(context: CheckContext<FitConfig>): Promise<GoogleGateway> {
  return googleGateway(context, { family: 'health', scopes: fitScopes(context.config) })
}

async function sourceOf(context: Context<FitConfig>): Promise<FitSource> {
  const gateway = await open(context)
  return context.config.api === 'health' ? HealthSource.open(gateway, context) : fitRestSource(gateway, context)
}
