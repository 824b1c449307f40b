import type { Clock } from '../../src/lib/clock.ts'

/** A wall clock and timers that go on only when a test says so. */
export interface TestTime {
  readonly clock: Clock
  /** As a timer of the platform. */
  readonly startTimer: (callback: () => void, delayMs: number) => () => void
  /** Time passes; what is due meanwhile is called, in order and at its time. */
  pass(ms: number): Promise<void>
  /** The machine sleeps: the wall clock goes on, timers stand still. */
  sleepMachine(ms: number): void
}

interface Timer {
  /** On a clock that stands still while the machine sleeps. */
  readonly at: number
  readonly callback: () => void
}

export function testTime(start: string): TestTime {
  let wall = Date.parse(start)
  let monotonic = 0
  const timers = new Set<Timer>()

  const goTo = (at: number) => {
    wall += at - monotonic
    monotonic = at
  }
  return {
    clock: () => new Date(wall),
    startTimer(callback, delayMs) {
      const timer = { at: monotonic + Math.max(0, delayMs), callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    async pass(ms) {
      const end = monotonic + ms
      for (;;) {
        const next = [...timers].sort((a, b) => a.at - b.at).find(({ at }) => at <= end)
        if (next === undefined) break
        timers.delete(next)
        goTo(next.at)
        next.callback()
        await settle()
      }
      goTo(end)
    },
    sleepMachine(ms) {
      wall += ms
    },
  }
}

/** Lets what follows from a timer happen, as far as it waits for nothing outside. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
