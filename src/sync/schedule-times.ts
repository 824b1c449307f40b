import { createTask, validateDetailed } from 'node-cron'

/** When a schedule comes up. */
export interface ScheduleTimes {
  /** The next time after now. */
  next(): Date
  /** Between the next two times, in milliseconds. */
  intervalMs(): number
}

/** What is wrong with a cron expression of five fields, or six with seconds; `undefined` when nothing is. */
export function scheduleProblem(expression: string): string | undefined {
  const [error] = validateDetailed(expression).errors
  if (error === undefined) return undefined
  return error.field === 'expression'
    ? error.message
    : `${error.value ?? 'it'} is not possible as ${words(error.field)}`
}

/**
 * @param expression a valid one
 * @param timeZone IANA name
 */
export function scheduleTimes(expression: string, timeZone: string): ScheduleTimes {
  const nextTimes = (count: number): Date[] => {
    // A task that is never started only computes: what is due is decided by the wall clock, which also goes on while
    // the machine sleeps, and a timer of node-cron does not.
    const task = createTask(expression, () => undefined, { timezone: timeZone })
    const times = task.getNextRuns(count)
    void task.destroy()
    return times
  }
  return {
    next() {
      const [next] = nextTimes(1)
      if (next === undefined) throw new RangeError(`the schedule ${expression} never comes up`)
      return next
    },
    intervalMs() {
      const [first, second] = nextTimes(2)
      return first === undefined || second === undefined ? Number.POSITIVE_INFINITY : second.getTime() - first.getTime()
    },
  }
}

/** `dayOfMonth` is `day of month`. */
function words(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
