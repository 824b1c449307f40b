import { homeFiles } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import type { Log } from '../lib/log.ts'
import { type ProcessLock, takeProcessLock } from '../lib/process-lock.ts'
import { modelsSettings } from '../models/configured/open-models.ts'
import { MODEL_FOLDER } from '../models/static/static-embedder.ts'
import type { Store } from '../store/store.ts'
import { createWorker } from '../worker/worker.ts'
import { fenceKeys } from './fence-keys.ts'

const DRAIN_MS = 5_000

/**
 * Makes memories of uploads in a process that is no service: while no other process does so for the home, or beside any
 * that do where that may be many.
 */
export interface FallbackWorker {
  /** Begins, unless another process has the role of the worker for itself or this one began before. */
  begin(): Promise<void>
}

/** @param stack ends the work, and gives back what was begun */
export function fallbackWorker(
  { config, store, log, pid }: { config: Config; store: Store; log: Log; pid: number },
  stack: AsyncDisposableStack,
): FallbackWorker {
  const file = homeFiles(config.home).locks.worker
  let beginning: Promise<void> | undefined
  const isAlone = !store.capabilities.manyPerRole
  const start = async (lock?: ProcessLock) => {
    if (lock !== undefined) stack.defer(() => lock.release())
    const threads = config.pipelineThreads
    const worker = createWorker({
      ...{ store, log, modelFolder: MODEL_FOLDER, threads, alone: isAlone },
      fences: fenceKeys(config, log),
    })
    stack.defer(() => worker.stop(DRAIN_MS))
    // Queued by this process, made by the service.
    store.refinements.want(modelsSettings(config.models).language?.use.includes('extract') === true)
    await worker.start()
  }
  return {
    begin() {
      if (beginning !== undefined || stack.disposed) return beginning ?? Promise.resolve()
      const lock = isAlone ? takeProcessLock(file, { pid, since: new Date().toISOString() }) : undefined
      if (lock !== undefined && 'heldBy' in lock) return Promise.resolve()
      beginning = start(lock)
      return beginning
    },
  }
}
