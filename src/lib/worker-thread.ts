import { Session } from 'node:inspector/promises'
import { constants, platform, setPriority } from 'node:os'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import type { Worker } from 'node:worker_threads'

/**
 * URL of a module next to another one, to start a worker thread: `.ts` in the sources, `.js` in the bundle, which has
 * all entry points in one folder.
 * @param beside `import.meta.url` of the calling module
 * @param name path without extension, e.g. `./writer-thread`
 */
export function moduleUrl(beside: string, name: string): URL {
  const extension = beside.slice(beside.lastIndexOf('.'))
  return new URL(`${name}${extension}`, beside)
}

/** For `resourceLimits`: 4 MiB for each half. By default, short-lived objects of a thread take 130 MB of resident memory. */
export const SMALL_YOUNG_GENERATION = { maxYoungGenerationSizeMb: 12 }

/**
 * Clears the launcher's option for the main thread, which has read it already: V8 would prefer it to the `resourceLimits` of threads
 * that start later.
 */
export function keepThreadLimits(): void {
  setFlagsFromString('--max-semi-space-size=0')
}

/**
 * Lowers the thread's priority to about a tenth when the processor is busy, so that requests are answered first. Only
 * on Linux, where threads have their own priorities.
 */
export function lowerThreadPriority(): void {
  if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}

/** What V8 may keep of garbage until it collects by itself. */
const MOST_GARBAGE_BYTES = 16 * 1024 * 1024

/** Memory of this thread after the last collection that was asked for. */
let leastBytes = 0

/** Of the heap and of the bytes outside it, such as uploads. */
function usedBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}

/**
 * Frees the memory of work that is done. V8 frees it later or not at all while a process is idle, because nothing asks for
 * memory. Blocks the thread for up to some 100 ms, so call it when nothing waits, or for much memory.
 * @param mostBytes of garbage that stay
 */
export async function collectGarbage(mostBytes = MOST_GARBAGE_BYTES): Promise<void> {
  if (usedBytes() - leastBytes < mostBytes) return
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.collectGarbage')
  } finally {
    session.disconnect()
  }
  leastBytes = usedBytes()
}

const LARGE_BYTES = 1024 * 1024

/**
 * Frees this thread's copies of a large file that it has passed on, so that a file of 20 MB isn't held five times while it
 * is read. Those of small files are left to V8. Blocks the thread as `collectGarbage` does.
 */
export async function freeCopies(sizeBytes: number): Promise<void> {
  if (sizeBytes >= LARGE_BYTES) await collectGarbage()
}

/** Processor time of a thread since this was created. */
export interface ProcessorTime {
  /** In milliseconds; `undefined` when the thread has ended, or this Node does not support it. */
  usedMs(): Promise<number | undefined>
}

/** The thread responds even while it runs JavaScript, but not during a native call. */
export function processorTime(worker: Worker): ProcessorTime {
  const first = threadMs(worker)
  let asking: Promise<number | undefined> | undefined
  return {
    usedMs() {
      asking ??= Promise.all([first, threadMs(worker)])
        .then(([from, to]) => (from === undefined || to === undefined ? undefined : to - from))
        .finally(() => {
          asking = undefined
        })
      return asking
    },
  }
}

async function threadMs(worker: Worker): Promise<number | undefined> {
  // Since Node 24.6. Without it, only the wall-clock limit applies.
  if (typeof worker.cpuUsage !== 'function') return undefined
  return worker.cpuUsage().then(
    ({ user, system }) => (user + system) / 1_000,
    () => undefined,
  )
}
