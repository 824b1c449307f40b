import type { health_v4 } from 'googleapis/build/src/apis/health/index.js'
import type { CheckContext } from '../../src/connector/connector.ts'
import type { FitConfig } from './fit-config.ts'
import type { FitExercise, FitSource } from './fit-item.ts'
import type { GoogleGateway } from './google-gateway.ts'
import { allPages, instantOf } from './google-rows.ts'
import { type CivilTime, type Rollup, rollupsPage, type Session, sessionsPage } from './health-answers.ts'

const TITLE = 'Google Health'
/** Maximum page size of sleep and exercises. */
const SESSIONS_AT_ONCE = 25

const ACTIVITY = ['steps', 'distance', 'floors', 'total-calories', 'active-zone-minutes'] as const
const MEASUREMENTS = ['heart-rate', 'weight'] as const

type HealthContext = Pick<CheckContext<FitConfig>, 'config' | 'log'>
type DataPoints = health_v4.Health['users']['dataTypes']['dataPoints']

/** Daily summaries, sleep and exercises from the Google Health API v4. */
export class HealthSource implements FitSource {
  readonly #gateway: GoogleGateway
  readonly #dataPoints: DataPoints
  readonly #context: HealthContext

  static async open(gateway: GoogleGateway, context: HealthContext): Promise<HealthSource> {
    const { health } = await import('googleapis/build/src/apis/health/index.js')
    return new HealthSource(
      gateway,
      health({ version: 'v4', ...gateway.apiOptions }).users.dataTypes.dataPoints,
      context,
    )
  }

  private constructor(gateway: GoogleGateway, dataPoints: DataPoints, context: HealthContext) {
    this.#gateway = gateway
    this.#dataPoints = dataPoints
    this.#context = context
  }

  async read(first: string, end: string): ReturnType<FitSource['read']> {
    const { include } = this.#context.config
    const days = new Map<string, string[]>()
    const add = (day: string | undefined, line: string | undefined) => {
      if (day !== undefined && line !== undefined) days.set(day, [...(days.get(day) ?? []), line])
    }
    const kinds = [
      ...(include.includes('activity') ? ACTIVITY : []),
      ...(include.includes('measurements') ? MEASUREMENTS : []),
    ]
    for (const kind of kinds) {
      for await (const rollup of this.#rollups(kind, first, end))
        add(civilDay(rollup.civilStartTime), rollupLine(rollup))
    }
    const nights: { day: string | undefined; line: string | undefined }[] = []
    if (include.includes('sleep')) {
      const filter = `sleep.interval.civil_end_time >= "${first}" AND sleep.interval.civil_end_time < "${end}"`
      for await (const { sleep } of this.#sessions('sleep', filter)) {
        nights.push({ day: civilDay(sleep?.interval?.civilEndTime), line: sleepLine(sleep) })
      }
    }
    // Google lists the latest first.
    for (const { day, line } of nights.reverse()) add(day, line)
    const exercises: FitExercise[] = []
    if (include.includes('activity')) {
      const filter = `exercise.interval.civil_start_time >= "${first}" AND exercise.interval.civil_start_time < "${end}"`
      for await (const session of this.#sessions('exercise', filter)) exercises.push(...exerciseOf(session))
    }
    return { days, exercises: exercises.reverse() }
  }

  #rollups(kind: string, first: string, end: string): AsyncGenerator<Rollup> {
    const parent = `users/me/dataTypes/${kind}`
    const range = { start: { date: civilDate(first) }, end: { date: civilDate(end) } }
    return allPages(async (pageToken) => {
      const requestBody = { range, windowSizeDays: 1, ...(pageToken !== undefined && { pageToken }) }
      const page = await this.#gateway.find(
        {
          title: TITLE,
          asked: `the daily sums of ${kind}`,
          answer: rollupsPage,
          send: (options) => this.#dataPoints.dailyRollUp({ parent, requestBody }, options),
        },
        // An unsupported data type must not stop the others; a failure for steps means that the request is wrong.
        ({ status }) => kind !== 'steps' && (status === 400 || status === 404),
      )
      const { config, log } = this.#context
      if (page === undefined)
        log.warn({ connection: config.name, kind }, 'Google Health has no daily totals for this data type')
      return page ?? { rows: [] }
    })
  }

  #sessions(kind: 'sleep' | 'exercise', filter: string): AsyncGenerator<Session> {
    const request = { parent: `users/me/dataTypes/${kind}`, filter, pageSize: SESSIONS_AT_ONCE }
    return allPages((pageToken) =>
      this.#gateway.ask({
        title: TITLE,
        asked: kind === 'sleep' ? 'sleep' : 'exercises',
        answer: sessionsPage,
        send: (options) =>
          this.#dataPoints.reconcile({ ...request, ...(pageToken !== undefined && { pageToken }) }, options),
      }),
    )
  }
}

function rollupLine(rollup: Rollup): string | undefined {
  const { steps, distance, floors, totalCalories, activeZoneMinutes: zones, heartRate, weight } = rollup
  if (steps?.countSum) return `Steps: ${steps.countSum}`
  if (distance?.millimetersSum) return `Distance: ${kilometers(distance.millimetersSum)}`
  if (floors?.countSum) return `Floors climbed: ${floors.countSum}`
  if (totalCalories?.kcalSum) return `Energy: ${Math.round(totalCalories.kcalSum)} kcal`
  if (zones !== undefined) {
    const { sumInFatBurnHeartZone: low = 0, sumInCardioHeartZone: middle = 0, sumInPeakHeartZone: high = 0 } = zones
    return low + middle + high > 0 ? `Active zone minutes: ${low + middle + high}` : undefined
  }
  if (heartRate?.beatsPerMinuteAvg !== undefined) {
    const {
      beatsPerMinuteAvg: average,
      beatsPerMinuteMin: least = average,
      beatsPerMinuteMax: most = average,
    } = heartRate
    return `Heart rate: ${Math.round(least)} to ${Math.round(most)} bpm, ${Math.round(average)} on average`
  }
  if (weight?.weightGramsAvg) return `Weight: ${(weight.weightGramsAvg / 1000).toFixed(1)} kg`
  return undefined
}

function sleepLine(sleep: Session['sleep']): string | undefined {
  const minutes = sleep?.summary?.minutesAsleep
  const [from, until] = [civilClock(sleep?.interval?.civilStartTime), civilClock(sleep?.interval?.civilEndTime)]
  const times = from === undefined || until === undefined ? undefined : `${from} to ${until}`
  if (minutes === undefined) return times && `Sleep: ${times}`
  return `Asleep: ${Math.floor(minutes / 60)} h ${minutes % 60} min${times === undefined ? '' : ` (${times})`}`
}

function exerciseOf({ exercise, dataPointName }: Session): FitExercise[] {
  const { interval, metricsSummary: metrics } = exercise ?? {}
  const day = civilDay(interval?.civilStartTime) ?? interval?.startTime?.slice(0, 10)
  const id = dataPointName?.split('/').at(-1) || interval?.startTime
  if (exercise === undefined || day === undefined || id === undefined) return []
  const [from, until] = [civilClock(interval?.civilStartTime), civilClock(interval?.civilEndTime)]
  const seconds = /^(\d+)(?:\.\d+)?s$/.exec(exercise.activeDuration ?? '')?.[1]
  const lines = [
    from === undefined || until === undefined ? undefined : `Time: ${from} to ${until}`,
    seconds === undefined ? undefined : `Active for ${Math.round(Number(seconds) / 60)} minutes`,
    metrics?.distanceMillimeters ? `Distance: ${kilometers(metrics.distanceMillimeters)}` : undefined,
    metrics?.elevationGainMillimeters ? `Climbed: ${Math.round(metrics.elevationGainMillimeters / 1000)} m` : undefined,
    metrics?.steps ? `Steps: ${metrics.steps}` : undefined,
    metrics?.caloriesKcal ? `Energy: ${Math.round(metrics.caloriesKcal)} kcal` : undefined,
    metrics?.averageHeartRateBeatsPerMinute
      ? `Heart rate: ${metrics.averageHeartRateBeatsPerMinute} bpm on average`
      : undefined,
  ].filter((line) => line !== undefined)
  return [
    {
      id,
      day,
      title: exercise.displayName?.trim() || 'Exercise',
      startedAt: instantOf(interval?.startTime),
      updatedAt: instantOf(exercise.updateTime),
      lines,
      notes: exercise.notes,
    },
  ]
}

function kilometers(millimeters: number): string {
  return `${(millimeters / 1_000_000).toFixed(2)} km`
}

function civilDate(day: string): { year: number; month: number; day: number } {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return { year, month, day: date }
}

function civilDay(civil: CivilTime): string | undefined {
  const { year, month, day } = civil?.date ?? {}
  if (year === undefined || month === undefined || day === undefined) return undefined
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}

/** A time without hours means midnight. */
function civilClock(civil: CivilTime): string | undefined {
  return civil?.date && `${two(civil.time?.hours ?? 0)}:${two(civil.time?.minutes ?? 0)}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
