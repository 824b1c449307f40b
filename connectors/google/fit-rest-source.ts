import { z } from 'zod'
import type { Context } from '../../src/connector/connector.ts'
import type { FitConfig } from './fit-config.ts'
import type { FitSource } from './fit-item.ts'
import type { GoogleGateway } from './google-gateway.ts'
import { optionalNumber, rowsOf } from './google-rows.ts'
import { startOfDay, wallClockOf } from './takeout-time.ts'

const value = z.looseObject({ intVal: optionalNumber, fpVal: optionalNumber })
const dataset = z.looseObject({ point: rowsOf(z.looseObject({ value: rowsOf(value) })) })
const aggregates = z.looseObject({
  bucket: rowsOf(z.looseObject({ startTimeMillis: z.coerce.number(), dataset: z.array(dataset) })),
})

interface Kind {
  readonly dataTypeName: string
  readonly of: 'activity' | 'measurements'
  /** @param values of one data point: a sum, or the average, maximum and minimum */
  readonly line: (values: readonly number[]) => string
}

const KINDS: readonly Kind[] = [
  { dataTypeName: 'com.google.step_count.delta', of: 'activity', line: ([sum = 0]) => `Steps: ${Math.round(sum)}` },
  {
    dataTypeName: 'com.google.calories.expended',
    of: 'activity',
    line: ([sum = 0]) => `Energy: ${Math.round(sum)} kcal`,
  },
  {
    dataTypeName: 'com.google.active_minutes',
    of: 'activity',
    line: ([sum = 0]) => `Move minutes: ${Math.round(sum)}`,
  },
  {
    dataTypeName: 'com.google.heart_rate.bpm',
    of: 'measurements',
    line: ([average = 0, most = average, least = average]) =>
      `Heart rate: ${Math.round(least)} to ${Math.round(most)} bpm, ${Math.round(average)} on average`,
  },
  {
    dataTypeName: 'com.google.weight',
    of: 'measurements',
    line: ([average = 0]) => `Weight: ${average.toFixed(1)} kg`,
  },
]

/** Daily sums from the Fit API, for accounts that still have it; Google shuts it down at the end of 2026. */
export async function fitRestSource(
  gateway: GoogleGateway,
  { config, timeZone }: Pick<Context<FitConfig>, 'config' | 'timeZone'>,
): Promise<FitSource> {
  const { fitness } = await import('googleapis/build/src/apis/fitness/index.js')
  const api = fitness({ version: 'v1', ...gateway.apiOptions })
  const kinds = KINDS.filter(({ of }) => config.include.includes(of))
  const localMoment = wallClockOf(timeZone)
  return {
    async read(first, end) {
      const days = new Map<string, string[]>()
      if (kinds.length === 0) return { days, exercises: [] }
      const requestBody = {
        aggregateBy: kinds.map(({ dataTypeName }) => ({ dataTypeName })),
        // Calendar days, because those with a clock change have 23 or 25 hours.
        bucketByTime: { period: { type: 'day', value: 1, timeZoneId: timeZone } },
        startTimeMillis: String(startOfDay(first, timeZone).getTime()),
        endTimeMillis: String(startOfDay(end, timeZone).getTime()),
      }
      const { bucket } = await gateway.ask({
        title: 'Fitness',
        asked: 'the daily sums',
        answer: aggregates,
        send: (options) => api.users.dataset.aggregate({ userId: 'me', requestBody }, options),
      })
      for (const { startTimeMillis, dataset: sets } of bucket) {
        // One data set per type, in the order of the request.
        const lines = kinds.flatMap(({ line }, at) => {
          const values = sets[at]?.point[0]?.value.flatMap(({ intVal, fpVal }) => intVal ?? fpVal ?? [])
          return values === undefined || values.length === 0 ? [] : [line(values)]
        })
        if (lines.length > 0) days.set(localMoment(new Date(startTimeMillis)).day, lines)
      }
      return { days, exercises: [] }
    },
  }
}
