import type { LiveProgress } from '../domain/live-event.ts'
import type { LiveEvents } from '../service/live-events.ts'
import type { SyncProgress } from '../sync/run-report.ts'

/** The runs of this process, told to whoever looks at the account that they fill. */
export interface LiveRuns {
  /** @param id `slack/acme` */
  progressOf(id: string): LiveProgress | undefined
  /** Tells when a run begins, how far it is, and when it has ended. */
  follow<T>(id: string, run: (onProgress: (progress: SyncProgress) => void) => Promise<T>): Promise<T>
}

/** Four times a second is as often as anybody sees a number change. */
const EVERY_MS = 250

/** @param accountId of the memory; absent: nobody here looks at it */
export function liveRuns(live: LiveEvents, accountId: string | undefined): LiveRuns {
  const running = new Map<string, LiveProgress>()
  const tell = (event: Parameters<LiveEvents['publish']>[0]) => {
    if (accountId !== undefined) live.publish(event, accountId)
  }
  return {
    progressOf: (id) => running.get(id),
    async follow(id, run) {
      let toldAt = Number.NEGATIVE_INFINITY
      let timer: NodeJS.Timeout | undefined
      const tellProgress = () => {
        timer = undefined
        toldAt = performance.now()
        const progress = running.get(id)
        if (progress !== undefined) tell({ type: 'sync', connection: id, progress })
      }
      running.set(id, NOTHING_YET)
      tell({ type: 'sources' })
      try {
        return await run((progress) => {
          running.set(id, liveProgress(progress))
          timer ??= setTimeout(tellProgress, Math.max(0, toldAt + EVERY_MS - performance.now())).unref()
        })
      } finally {
        clearTimeout(timer)
        if (timer !== undefined) tellProgress()
        running.delete(id)
        tell({ type: 'sources' })
      }
    },
  }
}

const NOTHING_YET: LiveProgress = {
  partitionsDone: 0,
  partitionsTotal: 0,
  memorized: 0,
  unchanged: 0,
  removed: 0,
  failed: 0,
}

function liveProgress(progress: SyncProgress): LiveProgress {
  const { partition, partitionsDone, partitionsTotal = 0, memorized, unchanged, removed, failed } = progress
  return {
    ...(partition !== undefined && { partition }),
    ...{ partitionsDone, partitionsTotal, memorized, unchanged, removed, failed },
    ...(progress.waitingUntil !== undefined && { waitingUntil: progress.waitingUntil.toISOString() }),
  }
}
