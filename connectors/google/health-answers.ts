import { z } from 'zod'
import { optionalNumber, optionalText, rowsOf } from './google-rows.ts'

const part = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape).optional().catch(undefined)

const civil = part({
  date: part({ year: optionalNumber, month: optionalNumber, day: optionalNumber }),
  time: part({ hours: optionalNumber, minutes: optionalNumber }),
})
const interval = part({ startTime: optionalText, endTime: optionalText, civilStartTime: civil, civilEndTime: civil })

/** One kind of data on one day; only the field of that kind is present. */
export const rollupAnswer = z.looseObject({
  civilStartTime: civil,
  steps: part({ countSum: optionalNumber }),
  distance: part({ millimetersSum: optionalNumber }),
  floors: part({ countSum: optionalNumber }),
  totalCalories: part({ kcalSum: optionalNumber }),
  activeZoneMinutes: part({
    sumInFatBurnHeartZone: optionalNumber,
    sumInCardioHeartZone: optionalNumber,
    sumInPeakHeartZone: optionalNumber,
  }),
  heartRate: part({
    beatsPerMinuteAvg: optionalNumber,
    beatsPerMinuteMin: optionalNumber,
    beatsPerMinuteMax: optionalNumber,
  }),
  weight: part({ weightGramsAvg: optionalNumber }),
})

export const sessionAnswer = z.looseObject({
  dataPointName: optionalText,
  sleep: part({ interval, summary: part({ minutesAsleep: optionalNumber }) }),
  exercise: part({
    interval,
    displayName: optionalText,
    exerciseType: optionalText,
    activeDuration: optionalText,
    notes: optionalText,
    updateTime: optionalText,
    metricsSummary: part({
      steps: optionalNumber,
      distanceMillimeters: optionalNumber,
      caloriesKcal: optionalNumber,
      averageHeartRateBeatsPerMinute: optionalNumber,
      elevationGainMillimeters: optionalNumber,
    }),
  }),
})

export const rollupsPage = z
  .looseObject({ rollupDataPoints: rowsOf(rollupAnswer), nextPageToken: optionalText })
  .transform(({ rollupDataPoints: rows, nextPageToken }) => ({ rows, nextPageToken }))
export const sessionsPage = z
  .looseObject({ dataPoints: rowsOf(sessionAnswer), nextPageToken: optionalText })
  .transform(({ dataPoints: rows, nextPageToken }) => ({ rows, nextPageToken }))

export type Rollup = z.output<typeof rollupAnswer>
export type Session = z.output<typeof sessionAnswer>
export type CivilTime = z.output<typeof civil>
