import { Worker } from 'node:worker_threads'
import { freeCopies, moduleUrl, type ProcessorTime, processorTime } from '../../../lib/worker-thread.ts'
import type { DocumentReply, DocumentRequest } from './document-thread.ts'

/** Limits of one document. */
interface ReadingLimits {
  /** Processor time, in milliseconds. */
  readonly processorMs: number
  /** Heap of the thread, in MiB. */
  readonly memoryMb: number
  /** Memory outside the heap, in MiB. */
  readonly outsideMb: number
}

export interface ProcessRequest {
  readonly document: DocumentRequest
  readonly limits: ReadingLimits
}

export type ReachedLimit = 'too_slow' | 'too_large'

/** `error` is the stack of an error that no document should cause. */
export type FinalReply = DocumentReply | { readonly limit: ReachedLimit } | { readonly error: string }

/** `readingMs`, the processor time so far, comes every 200 ms while a document is read. */
export type ProcessReply = FinalReply | { readonly readingMs: number }

const WATCH_MS = 200

// Entry of the process that document-reader.ts starts: one thread reads, this one watches its limits.
if (process.send !== undefined) {
  // Ctrl+C in a terminal, or a service manager, signals this process too; the service decides when it ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
  process.on('disconnect', () => process.exit())
  let worker: Worker | undefined
  process.on('message', ({ document, limits }: ProcessRequest) => {
    worker ??= startThread(limits)
    read(worker, document, limits).then(send, (error: Error) => send({ error: error.stack ?? error.message }))
    const { length } = document.bytes
    setImmediate(() => void freeCopies(length))
  })
}

function send(reply: ProcessReply): void {
  process.send?.(reply)
}

function startThread({ memoryMb }: ReadingLimits): Worker {
  const worker = new Worker(moduleUrl(import.meta.url, './document-thread'), {
    // A small young generation keeps the thread's peak near its limit instead of twice that.
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 6 },
  })
  // Always attached: an `error` without a listener would end the process before it has replied.
  return worker.on('error', () => undefined)
}

/** After a limit or an error, the thread reads no further document: the caller ends the process. */
function read(worker: Worker, document: DocumentRequest, limits: ReadingLimits): Promise<FinalReply> {
  return new Promise((resolve, reject) => {
    let time: ProcessorTime | undefined
    let isOver = false
    const settle = (finish: () => void) => {
      isOver = true
      clearInterval(watch)
      worker.off('message', onMessage).off('error', onError)
      finish()
    }
    const end = (limit: ReachedLimit) => settle(() => resolve({ limit }))
    const onMessage = (reply: DocumentReply | 'reading') => {
      // The start of the thread does not count.
      if (reply === 'reading') time = processorTime(worker)
      else settle(() => resolve(reply))
    }
    const onError = (error: Error) => {
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') end('too_large')
      else settle(() => reject(error))
    }
    const watch = setInterval(() => {
      watchMemory(worker, limits.outsideMb, end)
      void time?.usedMs().then((usedMs) => {
        // Another document may be read by now.
        if (usedMs === undefined || isOver) return
        send({ readingMs: usedMs })
        if (usedMs > limits.processorMs) end('too_slow')
      })
    }, WATCH_MS)
    worker.on('message', onMessage).on('error', onError)
    worker.postMessage(document)
  })
}

/**
 * Typed arrays are outside the heap, where `resourceLimits` does not count: an inflated stream could fill the machine.
 */
function watchMemory(worker: Worker, outsideMb: number, end: (limit: ReachedLimit) => void): void {
  worker.getHeapStatistics().then(
    ({ external_memory }) => {
      if (external_memory > outsideMb * 1024 * 1024) end('too_large')
    },
    // The thread has ended: its `error` event settles the reading.
    () => undefined,
  )
}
