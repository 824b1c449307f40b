import { createTask, validateDetailed } from 'node-cron'
import type { ConnectionRow } from '../store/ledger/ledger.ts'

/** The times of a schedule. */
export interface ScheduleTimes {
  /** The next time after now. */
  next(): Date
  /** Between the next two times, in milliseconds. */
  intervalMs(): number
}

/** Others are named by one word. */
const FIELD_NAMES: Readonly<Record<string, string>> = { dayOfMonth: 'day of month', dayOfWeek: 'day of week' }

/** The error in a cron expression of five fields, or six with seconds; `undefined` when it is valid. */
export function scheduleProblem(expression: string): string | undefined {
  const [error] = validateDetailed(expression).errors
  if (error === undefined) return undefined
  const count = expression.split(/\s+/).filter((field) => field !== '').length
  if (count < 5 || count > 6) return `expected 5 or 6 fields but got ${count}`
  return error.field === 'expression'
    ? error.message
    : `${error.value ?? 'it'} is not a valid ${FIELD_NAMES[error.field] ?? error.field}`
}

/**
 * @param expression a valid one
 * @param timeZone IANA name
 */
export function scheduleTimes(expression: string, timeZone: string): ScheduleTimes {
  const nextTimes = (count: number): Date[] => {
    // Only used for computing times: the wall clock, which continues while the machine sleeps, decides what is due,
    // unlike the timers of node-cron.
    const task = createTask(expression, () => undefined, { timezone: timeZone })
    const times = task.getNextRuns(count)
    void task.destroy()
    return times
  }
  return {
    next() {
      const [next] = nextTimes(1)
      if (next === undefined) throw new RangeError(`the schedule ${expression} never occurs`)
      return next
    },
    intervalMs() {
      const [first, second] = nextTimes(2)
      return first === undefined || second === undefined ? Number.POSITIVE_INFINITY : second.getTime() - first.getTime()
    },
  }
}

/** Spreads the starts of connections with the same schedule, by a small share of the interval. */
const LONGEST_JITTER_MS = 60_000
const JITTER_OF_INTERVAL = 0.1

/** Delay after the scheduled time, in milliseconds. @param random in [0, 1) */
export function scheduleJitter(times: ScheduleTimes, random: () => number): number {
  const most = Math.min(LONGEST_JITTER_MS, times.intervalMs() * JITTER_OF_INTERVAL)
  return Math.floor(random() * most)
}

/** Tolerated clock difference between processes before a run is repeated or skipped. */
const NEARLY_MS = 60_000

/**
 * Whether the planned time of a connection is allowed by its schedule. `beyond`: later than the next time, for example
 * by a process whose clock was ahead. `unclear`: possibly so, but it may have just run for that next time in a process
 * whose clock is slightly ahead.
 * @param planned in milliseconds since 1970
 */
export function checkPlannedTime(
  times: ScheduleTimes,
  planned: number,
  lastStartedAt: ConnectionRow['lastStartedAt'],
): 'within' | 'beyond' | 'unclear' {
  const next = times.next().getTime()
  if (planned <= next + LONGEST_JITTER_MS) return 'within'
  const nearly = Math.min(NEARLY_MS, times.intervalMs() / 2)
  return lastStartedAt === undefined || lastStartedAt.getTime() < next - nearly ? 'beyond' : 'unclear'
}
