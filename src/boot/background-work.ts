import { homeFiles } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import type { Log } from '../lib/log.ts'
import { acquireProcessLock, type ProcessLock } from '../lib/process-lock.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import {
  type ConfiguredLanguageModel,
  EXTRACT_PROMPT,
  modelsSettings,
  readPrompt,
} from '../models/configured/open-models.ts'
import type { PluggedIn } from '../models/configured/plugged-in.ts'
import { MODEL_FOLDER } from '../models/static/static-embedder.ts'
import type { Store } from '../store/store.ts'
import { laneThreads } from '../worker/lane-threads.ts'
import { createRefiner, type Refiner } from '../worker/refiner.ts'
import { createWorker } from '../worker/worker.ts'
import { fenceKeys } from './fence-keys.ts'

/** A canceled call may still be charged, but a stop waits no longer than this. */
const DRAIN_MS = 3_000

/**
 * Refines memories with the language model, if one is configured for that, also when it is exchanged. Call it before the worker starts, so that
 * its first item is queued already. @param stack ends it
 * @throws AppError `invalid` when the limits of the model or of its budget leave no room for a call
 */
export async function startRefiner(parts: RefinerParts, stack: AsyncDisposableStack): Promise<void> {
  const { language, store } = parts
  let refiner = await openRefiner(parts)
  let isStopped = false
  language.onChange(async () => {
    await refiner?.stop(DRAIN_MS)
    if (!isStopped) refiner = await openRefiner(parts)
    if (refiner === undefined) store.refinements.want(false)
  })
  stack.defer(() => {
    isStopped = true
    return refiner?.stop(DRAIN_MS)
  })
}

interface RefinerParts {
  readonly language: PluggedIn<ConfiguredLanguageModel>
  readonly store: Store
  readonly log: Log
  readonly telemetry: Telemetry
}

async function openRefiner({ language, store, log, telemetry }: RefinerParts): Promise<Refiner | undefined> {
  if (language.current === undefined || !language.current.uses.has('extract')) return undefined
  const { model, budget, uses } = language.current
  // One of the model's concurrent calls is kept free for a person who waits for an answer.
  const lanes = Math.max(1, model.maxConcurrent - (uses.has('ask') ? 1 : 0))
  const prompt = readPrompt(EXTRACT_PROMPT)
  const alone = !store.capabilities.manyPerRole
  const refiner = createRefiner({ store, log, telemetry, model, prompt, lanes, alone, ...(budget && { budget }) })
  await refiner.start()
  return refiner
}

const FALLBACK_DRAIN_MS = 5_000

/**
 * Processes uploads in a command: only while no other process does so for the home, or in addition where several may.
 */
interface FallbackWorker {
  /** Starts, unless another process has the worker role exclusively or this one already started. */
  begin(): Promise<void>
}

/** @param stack ends the work and returns unfinished items */
export function fallbackWorker(
  { config, store, log, pid }: { config: Config; store: Store; log: Log; pid: number },
  stack: AsyncDisposableStack,
): FallbackWorker {
  const file = homeFiles(config.home).locks.worker
  let beginning: Promise<void> | undefined
  const isAlone = !store.capabilities.manyPerRole
  const start = async (lock?: ProcessLock) => {
    if (lock !== undefined) stack.defer(() => lock.release())
    const threads = laneThreads(config.pipelineThreads)
    const worker = createWorker({
      ...{ store, log, modelFolder: MODEL_FOLDER, threads, alone: isAlone },
      ...(config.ocr === 'auto' && { ocrLanguages: config.ocrLanguages }),
      fences: fenceKeys(config, log),
    })
    stack.defer(() => worker.stop(FALLBACK_DRAIN_MS))
    // Uploads of this process, queued by the service.
    store.refinements.want(modelsSettings(config.models).language?.use.includes('extract') === true)
    await worker.start()
  }
  return {
    begin() {
      if (beginning !== undefined || stack.disposed) return beginning ?? Promise.resolve()
      const lock = isAlone ? acquireProcessLock(file, { pid, since: new Date().toISOString() }) : undefined
      if (lock !== undefined && 'heldBy' in lock) return Promise.resolve()
      beginning = start(lock)
      return beginning
    },
  }
}
