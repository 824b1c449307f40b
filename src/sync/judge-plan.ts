import type { ConnectionRow } from '../store/ledger/ledger.ts'
import { LONGEST_JITTER_MS } from './schedule-jitter.ts'
import type { ScheduleTimes } from './schedule-times.ts'

/** So far apart clocks may be before a run is made twice, or left out. */
const NEARLY_MS = 60_000

/**
 * Whether a connection is planned for a time that its schedule allows. `beyond`: for later than the next one, as by a process
 * whose clock was ahead. `unclear`: so it seems, but it may have run for that next time just now, in a process whose clock is
 * a little ahead of this one.
 *
 * @param planned in milliseconds since 1970
 */
export function judgePlan(
  times: ScheduleTimes,
  planned: number,
  lastStartedAt: ConnectionRow['lastStartedAt'],
): 'within' | 'beyond' | 'unclear' {
  const next = times.next().getTime()
  if (planned <= next + LONGEST_JITTER_MS) return 'within'
  const nearly = Math.min(NEARLY_MS, times.intervalMs() / 2)
  return lastStartedAt === undefined || lastStartedAt.getTime() < next - nearly ? 'beyond' : 'unclear'
}
