import { Worker } from 'node:worker_threads'
import { moduleUrl } from '../../lib/worker-thread.ts'

/** Threads without a file. Most processes open one file at a time. */
const MOST_IDLE = 2
const idle = new Set<Worker>()

/** A writer thread without a file. Reuses an idle one, because starting one takes 80 ms of processor time. */
export function takeThread(): Worker {
  const [thread = startThread()] = idle
  idle.delete(thread)
  thread.ref()
  return thread
}

/** Returns a thread that closed its file or ended. An idle thread doesn't keep the process alive. */
export function giveBack(thread: Worker): void {
  if (thread.threadId === -1) return
  if (idle.size >= MOST_IDLE) void thread.terminate()
  else idle.add(thread)
  thread.unref()
}

function startThread(): Worker {
  const thread = new Worker(moduleUrl(import.meta.url, './writer-thread'), {
    name: 'writer',
    // Batches are small and short-lived; without a limit they took 33 MB of resident memory.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
  })
  thread.on('exit', () => idle.delete(thread))
  return thread
}
