import { type GoogleCall, type GoogleReply, GoogleServer, googleError, googlePage } from './google-server.ts'

interface MadeSession {
  readonly id: string
  readonly day: string
  readonly kind: 'sleep' | 'exercise'
  data: Record<string, unknown>
}

const FIELDS: Readonly<Record<string, string>> = {
  steps: 'steps',
  distance: 'distance',
  floors: 'floors',
  'total-calories': 'totalCalories',
  'active-zone-minutes': 'activeZoneMinutes',
  'heart-rate': 'heartRate',
  weight: 'weight',
}
const SHORT = new Set(['heart-rate', 'total-calories'])
const DAY_MS = 86_400_000

/** The data of one person, as the Google Health API rolls it up. */
export class GoogleHealth implements AsyncDisposable {
  /** By day, then by kind. */
  readonly days = new Map<string, Map<string, object>>()
  readonly sessions: MadeSession[] = []
  readonly server: GoogleServer

  static async open(): Promise<GoogleHealth> {
    return new GoogleHealth(await GoogleServer.start())
  }

  private constructor(server: GoogleServer) {
    this.server = server
    server.route('GET', '/v4/users/me/identity', () => ({ body: { name: 'users/me/identity', healthUserId: '1001' } }))
    server.route('POST', '/v4/users/me/dataTypes/{kind}/dataPoints:dailyRollUp', (call) => this.#rollUp(call))
    server.route('GET', '/v4/users/me/dataTypes/{kind}/dataPoints:reconcile', (call) => this.#reconcile(call))
    server.route('POST', '/fitness/v1/users/me/dataset:aggregate', (call) => this.#aggregate(call))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]()
  }

  get config() {
    return { name: 'me', token: this.server.token, api_url: this.server.url }
  }

  measure(day: string, kind: string, value: object): void {
    const kinds = this.days.get(day) ?? new Map<string, object>()
    this.days.set(day, kinds.set(kind, value))
  }

  exercise(id: string, day: string, displayName: string, more: Record<string, unknown> = {}): void {
    const interval = {
      startTime: `${day}T06:00:00Z`,
      endTime: `${day}T06:40:00Z`,
      civilStartTime: { date: dateOf(day), time: { hours: 7 } },
      civilEndTime: { date: dateOf(day), time: { hours: 7, minutes: 40 } },
    }
    this.sessions.push({ id, day, kind: 'exercise', data: { displayName, exerciseType: 'OTHER', interval, ...more } })
  }

  /** @param day on which it ended */
  sleep(day: string, minutesAsleep: number): void {
    const interval = {
      civilStartTime: { date: dateOf(day), time: { minutes: 15 } },
      civilEndTime: { date: dateOf(day), time: { hours: 7 } },
    }
    const data = { interval, summary: { minutesAsleep: String(minutesAsleep) } }
    this.sessions.push({ id: `sleep-${day}`, day, kind: 'sleep', data })
  }

  #rollUp({ groups, body }: GoogleCall): GoogleReply {
    const { kind = '' } = groups
    const field = FIELDS[kind]
    if (field === undefined) return googleError(400, 'INVALID_ARGUMENT')
    const { range } = JSON.parse(body) as { range: { start: { date: MadeDate }; end: { date: MadeDate } } }
    const [start, end] = [nameOf(range.start.date), nameOf(range.end.date)]
    const most = SHORT.has(kind) ? 14 : 90
    if (Date.parse(end) - Date.parse(start) > most * DAY_MS) return googleError(400, 'INVALID_ARGUMENT')
    const found = [...this.days].filter(([day, kinds]) => day >= start && day < end && kinds.has(kind)).sort()
    const rollupDataPoints = found.reverse().map(([day, kinds]) => ({
      civilStartTime: { date: dateOf(day) },
      [field]: kinds.get(kind),
    }))
    return { body: { rollupDataPoints } }
  }

  /** As the Fit API does; days are those of UTC here, and steps are all it knows. */
  #aggregate({ body }: GoogleCall): GoogleReply {
    const asked = JSON.parse(body) as MadeAggregate
    if (asked.bucketByTime.period.type !== 'day') return googleError(400, 'invalidArgument')
    const bucket: object[] = []
    for (let at = Number(asked.startTimeMillis); at < Number(asked.endTimeMillis); at += DAY_MS) {
      const steps = this.days.get(new Date(at).toISOString().slice(0, 10))?.get('steps')
      const dataset = asked.aggregateBy.map(({ dataTypeName }) => ({
        point:
          dataTypeName === 'com.google.step_count.delta' && steps !== undefined && 'countSum' in steps
            ? [{ value: [{ intVal: Number(steps.countSum), mapVal: [] }] }]
            : [],
      }))
      bucket.push({ startTimeMillis: String(at), endTimeMillis: String(at + DAY_MS), dataset })
    }
    return { body: { bucket } }
  }

  #reconcile({ groups, query }: GoogleCall): GoogleReply {
    const { kind = '' } = groups
    const field = kind === 'sleep' ? 'civil_end_time' : 'civil_start_time'
    const range = new RegExp(`^${kind}\\.interval\\.${field} >= "(.*)" AND ${kind}\\.interval\\.${field} < "(.*)"$`)
    const [, start = '', end = ''] = range.exec(query.get('filter') ?? '') ?? []
    if (start === '') return googleError(400, 'INVALID_ARGUMENT')
    const rows = this.sessions
      .filter((session) => session.kind === kind && session.day >= start && session.day < end)
      .sort((a, b) => (a.day < b.day ? 1 : -1))
      .map(({ id, data }) => ({ dataPointName: `users/1001/dataTypes/${kind}/dataPoints/${id}`, [kind]: data }))
    const page = googlePage(rows, query, { listing: `${kind} ${start}`, most: 25, standard: 25 })
    if (page === undefined) return googleError(400, 'INVALID_ARGUMENT')
    const { entries: dataPoints, ...rest } = page
    return { body: { dataPoints, ...rest } }
  }
}

interface MadeAggregate {
  readonly startTimeMillis: string
  readonly endTimeMillis: string
  readonly aggregateBy: readonly { readonly dataTypeName: string }[]
  readonly bucketByTime: { readonly period: { readonly type: string } }
}

interface MadeDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

function dateOf(day: string): MadeDate {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return { year, month, day: date }
}

function nameOf({ year, month, day }: MadeDate): string {
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
}
