import type { Log } from '../lib/log.ts'
import type { LiveEvents } from '../service/live-events.ts'
import type { Store } from '../store/store.ts'
import type { SourcesHome } from './sources-context.ts'

/** The command line is not urgent, but a page that never updates looks broken. */
const LOOK_MS = 2_000

/** Publishes changes by other processes: runs of the command line and new grants. Costs nothing without subscribers. */
export function watchOtherProcesses(
  parts: {
    readonly store: Store
    readonly live: LiveEvents
    readonly log: Log
    home(): Promise<SourcesHome>
  },
  stack: AsyncDisposableStack,
): void {
  const { store, live, log } = parts
  let mark: string | undefined
  let digest: string | undefined
  let looking: Promise<void> | undefined

  const look = async () => {
    if (!live.hasListeners) {
      mark = undefined
      return
    }
    const now = await store.changeMark()
    if (now === mark) return
    const { accountId, environment, grants } = await parts.home()
    const rows = await environment.ledger.listConnections()
    const found = JSON.stringify([rows, await grants.list()])
    const isElsewhere = rows.some(
      ({ running }) => running !== undefined && !running.holder.startsWith(environment.holder),
    )
    const isNews = found !== digest || isElsewhere
    mark = now
    digest = found
    // Includes changes before the first subscriber, because the page may have been loaded earlier.
    if (!isNews || accountId === undefined) return
    live.publish({ type: 'sources' }, accountId)
    if (isElsewhere) live.publish({ type: 'items' }, accountId)
  }
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => log.warn({ err: error }, 'changes by other processes could not be read'))
      .finally(() => {
        looking = undefined
      })
  }, LOOK_MS)
  timer.unref()
  stack.defer(async () => {
    clearInterval(timer)
    await looking
  })
}
