import type { Log } from '../../lib/log.ts'
import { type AlertParts, sendAlerts } from './source-alerts.ts'

/** Access expires and failed alerts become due without a run. */
const LOOK_MS = 60_000

export interface RunningAlerts {
  /** Sends what is due soon: after a run, or after a change of the connections. */
  look(): void
}

/** Sends alerts until `stack` is disposed, which waits for the one that is being sent. */
export function startAlerts(parts: AlertParts, stack: AsyncDisposableStack): RunningAlerts {
  if (parts.channels.length === 0) return { look: () => undefined }
  const sending = onceAtATime(() => sendAlerts(parts), parts.log)
  const timer = setInterval(sending.look, LOOK_MS).unref()
  stack.defer(async () => {
    clearInterval(timer)
    await sending.end()
  })
  sending.look()
  return sending
}

function onceAtATime(send: () => Promise<void>, log: Log) {
  let current: Promise<void> | undefined
  let [isWanted, isOver] = [false, false]
  const run = async () => {
    while (isWanted && !isOver) {
      isWanted = false
      await send().catch((error: unknown) => log.warn({ err: error }, 'alerts could not be checked; trying again'))
    }
    current = undefined
  }
  return {
    look(): void {
      isWanted = true
      current ??= run()
    },
    async end(): Promise<void> {
      isOver = true
      await current
    },
  }
}
