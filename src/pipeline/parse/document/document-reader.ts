import { Worker } from 'node:worker_threads'
import { DOCUMENT_FORMATS } from '../../../domain/content-format.ts'
import { AppError } from '../../../domain/errors.ts'
import { moduleUrl, type ProcessorTime, processorTime } from '../../../lib/worker-thread.ts'
import type { DocumentFailure } from './document-text.ts'
import type { DocumentReply, DocumentRequest, PageImages, ReadDocument } from './document-thread.ts'
import type { PageScan } from './pdf-scan.ts'

export interface DocumentReaderLimits {
  /** Processor time for a document of this size. */
  readonly processorMs: (sizeBytes: number) => number
  /** Heap of the thread, in MiB. */
  readonly memoryMb: number
  /** Memory outside the heap, in MiB: the document, and streams unpacked from it. */
  readonly outsideMb: number
  /** The thread ends after this idle time, and frees its memory. */
  readonly idleMs: number
}

/** Reads PDFs and Office documents on its own thread, one at a time. */
export interface DocumentReader {
  /** Rejects with `unreadable` and the remedy. */
  read(request: DocumentRequest): Promise<Exclude<ReadDocument, PageImages>>
  /** The images of a page of a PDF. */
  pageImages(bytes: Uint8Array, page: number): Promise<PageScan>
  /** Ends the thread; a document being read rejects. The next `read` starts another thread. */
  close(): Promise<void>
}

// The 2,200 pages of a 20 MB PDF need a heap between 128 and 160 MiB; twice that leaves a margin.
const DEFAULT_LIMITS: DocumentReaderLimits = {
  processorMs: processorBudgetMs,
  memoryMb: 256,
  outsideMb: 256,
  idleMs: 10_000,
}
/** A new thread after documents of this total size: readers keep some memory of each. */
const MAX_BYTES_PER_THREAD = 16 * 1024 * 1024
const WATCH_MS = 200

/** Called every 200 ms while a document is read, with its processor time so far in milliseconds. */
export type OnReading = (processorMs: number) => void

interface DocumentReaderOptions {
  readonly limits?: DocumentReaderLimits
  readonly onReading?: OnReading
}

export function createDocumentReader({
  limits = DEFAULT_LIMITS,
  onReading,
}: DocumentReaderOptions = {}): DocumentReader {
  return new ThreadedReader(limits, onReading)
}

class ThreadedReader implements DocumentReader {
  readonly #limits: DocumentReaderLimits
  readonly #onReading: OnReading | undefined
  #worker: Worker | undefined
  #bytesRead = 0
  #idle: NodeJS.Timeout | undefined
  /** Settles when the previous document has been read. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(limits: DocumentReaderLimits, onReading: OnReading | undefined) {
    this.#limits = limits
    this.#onReading = onReading
  }

  async read(request: DocumentRequest): Promise<Exclude<ReadDocument, PageImages>> {
    const read = await this.#inTurn(request)
    if (read.format === 'images') throw new Error('The document thread answered out of order')
    return read
  }

  async pageImages(bytes: Uint8Array, page: number): Promise<PageScan> {
    try {
      const read = await this.#inTurn({ format: 'pdf', bytes, imagesOfPage: page })
      if (read.format === 'images') return read
      throw new Error('The document thread answered out of order')
    } catch (error) {
      if (error instanceof AppError && error.code === 'unreadable') return { images: [], isIncomplete: true }
      throw error
    }
  }

  #inTurn(request: DocumentRequest): Promise<ReadDocument> {
    const turn = this.#queue.then(() => this.#readNext(request))
    this.#queue = turn.catch((error: unknown) => error)
    return turn
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    this.#bytesRead = 0
    await worker?.terminate()
  }

  async #readNext({ format, bytes, ...page }: DocumentRequest): Promise<ReadDocument> {
    clearTimeout(this.#idle)
    const worker = this.#started()
    this.#bytesRead += bytes.length
    try {
      const reply = await this.#exchange(worker, { format, bytes: new Uint8Array(bytes), ...page })
      if ('failure' in reply) throw documentError(format, reply.failure)
      return reply.result
    } finally {
      if (this.#worker === worker) await this.#rest(worker)
    }
  }

  #started(): Worker {
    const { memoryMb } = this.#limits
    if (this.#worker) return this.#worker
    const worker = new Worker(moduleUrl(import.meta.url, './document-thread'), {
      // A small young generation keeps the thread's peak near its limit instead of twice that.
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 6 },
    })
    // Always attached: an `error` without a listener would end the process.
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined
    }
    worker.on('error', forget).on('exit', forget)
    this.#worker = worker
    return worker
  }

  /** Sends one document and resolves with its text; ends the thread when a limit is exceeded. */
  #exchange(worker: Worker, request: DocumentRequest & { bytes: Uint8Array<ArrayBuffer> }): Promise<DocumentReply> {
    const processorMs = this.#limits.processorMs(request.bytes.length)
    return new Promise((resolve, reject) => {
      let time: ProcessorTime | undefined
      const settle = (finish: () => void, ended: boolean) => {
        clearInterval(watch)
        worker.off('message', onMessage).off('error', onError).off('exit', onExit)
        worker.unref()
        if (!ended) return finish()
        if (this.#worker === worker) this.#worker = undefined
        worker.terminate().then(finish, reject)
      }
      const fail = (failure: LimitFailure) => settle(() => reject(documentError(request.format, failure)), true)
      const onMessage = (reply: DocumentReply | 'reading') => {
        // The start of the thread does not count.
        if (reply === 'reading') time = processorTime(worker)
        else settle(() => resolve(reply), false)
      }
      const onError = (error: Error) => {
        if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') fail('too_large')
        else settle(() => reject(error), true)
      }
      const onExit = () => settle(() => reject(interruptedError()), true)
      const watch = setInterval(() => {
        this.#watchMemory(worker, fail)
        if (time !== undefined) this.#watchTime(time, processorMs, fail)
      }, WATCH_MS)
      worker.ref()
      worker.on('message', onMessage).on('error', onError).on('exit', onExit)
      worker.postMessage(request, [request.bytes.buffer])
    })
  }

  /**
   * Typed arrays are outside the heap, where `resourceLimits` does not count: an inflated stream could fill the
   * machine.
   */
  #watchMemory(worker: Worker, fail: (failure: LimitFailure) => void): void {
    worker.getHeapStatistics().then(
      ({ external_memory }) => {
        if (external_memory > this.#limits.outsideMb * 1024 * 1024) fail('too_large')
      },
      () => {
        // The thread has ended: its `exit` event settles the exchange.
        worker.unref()
      },
    )
  }

  #watchTime(time: ProcessorTime, mostMs: number, fail: (failure: LimitFailure) => void): void {
    void time.usedMs().then((usedMs) => {
      if (usedMs === undefined) return
      this.#onReading?.(usedMs)
      if (usedMs > mostMs) fail('too_slow')
    })
  }

  async #rest(worker: Worker): Promise<void> {
    if (this.#bytesRead >= MAX_BYTES_PER_THREAD) return this.close()
    worker.unref()
    this.#idle = setTimeout(() => void this.close(), this.#limits.idleMs).unref()
  }
}

function interruptedError(): AppError {
  return new AppError('unavailable', 'Reading the document was interruptedError; it will be tried again')
}

type LimitFailure = 'too_slow' | 'too_large'

function documentError(format: DocumentRequest['format'], failure: DocumentFailure | LimitFailure): AppError {
  const { name } = DOCUMENT_FORMATS[format]
  const messages: Record<DocumentFailure | LimitFailure, string> = {
    encrypted: `The ${name} is protected by a password; save a copy without the password and upload that`,
    damaged: `The ${name} is damaged and cannot be opened; export it again from the program it was made with and upload that`,
    no_text: `The ${name} holds no text; upload the file that its content comes from`,
    too_slow: `The ${name} takes too much processor time to read; split it into smaller files and upload those`,
    too_large: `The ${name} needs too much memory to read; split it into smaller files, or save it without images, and upload that`,
  }
  return new AppError('unreadable', messages[failure])
}

const LEAST_MS = 5_000
/** On a busy machine, 10 MB of text take 60 s and a PDF of 20 MB 64 s; the rest is a margin for slower machines. */
const MS_PER_MB = 30_000
const MOST_MS = 600_000

/** Processor time limit of an item, in milliseconds: 30 s per MB, at least 5 s and at most 600 s. */
export function processorBudgetMs(sizeBytes: number): number {
  return Math.min(MOST_MS, Math.max(LEAST_MS, (sizeBytes / 1_000_000) * MS_PER_MB))
}
