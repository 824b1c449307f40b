import { Worker } from 'node:worker_threads'
import { moduleUrl } from '../../lib/worker-thread.ts'

/** Threads that closed their file. Most processes open one after the other, never many. */
const MOST_IDLE = 2
const idle = new Set<Worker>()

/** A writer thread without a file. To start one takes 80 ms of processor time, so one that is idle goes on. */
export function takeThread(): Worker {
  const [thread = startThread()] = idle
  idle.delete(thread)
  thread.ref()
  return thread
}

/** A thread that has closed its file, or has ended. While it is idle, it does not keep the process alive. */
export function giveBack(thread: Worker): void {
  if (thread.threadId === -1) return
  if (idle.size >= MOST_IDLE) void thread.terminate()
  else idle.add(thread)
  thread.unref()
}

function startThread(): Worker {
  const thread = new Worker(moduleUrl(import.meta.url, './writer-thread'), {
    name: 'writer',
    // Batches are small and die young: without a limit they took 33 MB of resident memory.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
  })
  thread.on('exit', () => idle.delete(thread))
  return thread
}
