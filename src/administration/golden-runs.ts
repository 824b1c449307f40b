import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../lib/log.ts'
import { goldenSummary } from '../service/golden-report.ts'
import type { Service } from '../service/service.ts'
import type { Store } from '../store/store.ts'
import { type LeaderLease, leaderLease } from '../worker/leader-lease.ts'

interface GoldenWatch {
  readonly store: Store
  readonly service: Service
  readonly log: Log
  /** Current versions of recalld and of the pipeline. */
  readonly by: { readonly version: string; readonly pipelineVersion: string }
  /** Id of the space of the built-in model. */
  readonly builtInSpace: string
  /** 5 s when absent. */
  readonly lookMs?: number
}

const LOOK_MS = 5_000
const LONGEST_LOOK_MS = 600_000
/** All questions together take less than this. */
const LEASE_MS = 600_000

/**
 * Runs the golden questions once after a start if the version, pipeline or space changed since the last run, once
 * everything is reprocessed: in one of several processes. @param stack ends it
 */
export function watchGolden(watch: GoldenWatch, stack: AsyncDisposableStack): void {
  const stop = new AbortController()
  const { store, log } = watch
  const turn = leaderLease(store.dailyTasks, { name: 'golden questions', leaseMs: LEASE_MS })
  const ended = runWhenDue(watch, turn, stop.signal)
    .finally(() => turn.giveBack())
    .catch((error: unknown) => log.warn({ err: error }, 'the lease for golden questions could not be released'))
  stack.defer(async () => {
    stop.abort()
    await ended
  })
}

async function runWhenDue(watch: GoldenWatch, turn: LeaderLease, signal: AbortSignal): Promise<void> {
  const { store, log, lookMs = LOOK_MS } = watch
  let wait = lookMs
  // First, items of an older pipeline need time to be queued.
  while (await sleep(wait, signal)) {
    try {
      const { nextAt } = await store.queue.depth()
      if (nextAt !== undefined) continue
      if (!(await turn.isMine())) continue
      if (await runAll(watch, signal)) return
      // The configured model is unavailable, perhaps for long.
      wait = Math.min(2 * wait, LONGEST_LOOK_MS)
    } catch (error) {
      if (signal.aborted) return
      log.warn({ err: error }, 'golden questions failed to run')
    }
  }
}

/** @returns false when aborted */
async function sleep(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await delay(ms, undefined, { signal, ref: false })
    return true
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
}

/** @returns whether all were asked */
async function runAll({ store, service, log, by, builtInSpace }: GoldenWatch, signal: AbortSignal): Promise<boolean> {
  const spaceId = (await store.spaces.active())?.spaceId ?? builtInSpace
  let isDone = true
  for (const { accountId: account } of await store.admin.listAccounts()) {
    const { questions, runs } = await service.golden.list(account)
    const [last] = runs
    const isSame =
      last?.version === by.version && last.pipelineVersion === by.pipelineVersion && last.spaceId === spaceId
    if (questions.length === 0 || isSame) continue
    const { run, notice } = await service.golden.run({ account, by, signal })
    if (notice !== undefined) isDone = false
    else log.info({ accountId: account, ...goldenSummary(run.ranks) }, 'golden questions asked')
  }
  return isDone
}
