import { constants, platform, setPriority } from 'node:os'
import type { Worker } from 'node:worker_threads'

/**
 * Address of a module beside another one, to start a worker thread from: `.ts` among the sources, `.js` in the bundle, which
 * keeps all entry points in one folder.
 *
 * @param beside `import.meta.url` of the calling module
 * @param name path without extension, e.g. `./writer-thread`
 */
export function moduleUrl(beside: string, name: string): URL {
  const extension = beside.slice(beside.lastIndexOf('.'))
  return new URL(`${name}${extension}`, beside)
}

/**
 * Lowers the priority of the thread to about a tenth when the processor is short, so that requests are answered first.
 * On Linux, where threads have priorities of their own; elsewhere it does nothing.
 */
export function giveWay(): void {
  if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}

/** Processor time of a thread since this was made. */
export interface ProcessorTime {
  /** In milliseconds; `undefined` when the thread has ended, or this Node cannot say it. */
  usedMs(): Promise<number | undefined>
}

/** The thread answers also while it is busy with JavaScript; it does not while it is within one native call. */
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
  // Since Node 24.6. Without it there is the limit of the time by the clock.
  if (typeof worker.cpuUsage !== 'function') return undefined
  return worker.cpuUsage().then(
    ({ user, system }) => (user + system) / 1_000,
    () => undefined,
  )
}
