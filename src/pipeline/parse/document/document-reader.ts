import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { DOCUMENT_FORMATS } from '../../../domain/content-format.ts'
import { AppError } from '../../../domain/errors.ts'
import { freeCopies, moduleUrl } from '../../../lib/worker-thread.ts'
import type { FinalReply, ProcessReply, ProcessRequest, ReachedLimit } from './document-process.ts'
import type { DocumentFailure } from './document-text.ts'
import type { DocumentRequest, PageImages, ReadDocument } from './document-thread.ts'
import type { PageScan } from './pdf-scan.ts'

export interface DocumentReaderLimits {
  /** Processor time for a document of this size. */
  readonly processorMs: (sizeBytes: number) => number
  /** Heap of the thread that reads, in MiB. */
  readonly memoryMb: number
  /** Memory outside the heap, in MiB: the document, and streams unpacked from it. */
  readonly outsideMb: number
  /** The process ends after this idle time, and frees its memory. */
  readonly idleMs: number
}

/** Reads PDFs and Office documents in its own process, one at a time. */
export interface DocumentReader {
  /** Rejects with `unreadable` and the remedy. */
  read(request: DocumentRequest): Promise<Exclude<ReadDocument, PageImages>>
  /** The images of a page of a PDF. */
  pageImages(bytes: Uint8Array, page: number): Promise<PageScan>
  /** Ends the process; a document being read rejects. The next `read` starts another process. */
  close(): Promise<void>
}

// The 2,200 pages of a 20 MB PDF need a heap between 128 and 160 MiB; twice that leaves a margin.
const DEFAULT_LIMITS: DocumentReaderLimits = {
  processorMs: processorBudgetMs,
  memoryMb: 256,
  outsideMb: 256,
  idleMs: 10_000,
}
/** A new process after documents of this total size: readers keep some memory of each. */
const MAX_BYTES_PER_PROCESS = 16 * 1024 * 1024

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
  return new ProcessReader(limits, onReading)
}

/**
 * In a process of its own, not a thread: Node ends the whole process when a thread's heap is full at the wrong moment
 * (nodejs/node#47224), and a file that does this must not end the service.
 */
class ProcessReader implements DocumentReader {
  readonly #limits: DocumentReaderLimits
  readonly #onReading: OnReading | undefined
  #child: ChildProcess | undefined
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
    if (read.format === 'images') throw new Error('The document process answered out of order')
    return read
  }

  async pageImages(bytes: Uint8Array, page: number): Promise<PageScan> {
    try {
      const read = await this.#inTurn({ format: 'pdf', bytes, imagesOfPage: page })
      if (read.format === 'images') return read
      throw new Error('The document process answered out of order')
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
    const child = this.#child
    this.#child = undefined
    this.#bytesRead = 0
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.ref()
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  async #readNext(request: DocumentRequest): Promise<ReadDocument> {
    clearTimeout(this.#idle)
    const child = this.#started()
    this.#bytesRead += request.bytes.length
    const reply = await this.#exchange(child, request)
    const goesOn = 'result' in reply || 'failure' in reply
    if (goesOn && this.#bytesRead < MAX_BYTES_PER_PROCESS) this.#rest(child)
    else await this.close()
    if ('result' in reply) return reply.result
    if ('error' in reply) throw new Error('Reading the document failed', { cause: reply.error })
    throw documentError(request.format, 'failure' in reply ? reply.failure : reply.limit)
  }

  #started(): ChildProcess {
    if (this.#child) return this.#child
    const child = fork(moduleUrl(import.meta.url, './document-process'), {
      // Untrusted documents are read here, so the process gets none of the service's secrets.
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const forget = () => {
      if (this.#child === child) this.#child = undefined
    }
    // Always attached: an `error` without a listener would end the service.
    child.on('error', forget).on('exit', forget)
    this.#child = child
    return child
  }

  /** Sends one document and resolves with its text, or with why there is none. */
  #exchange(child: ChildProcess, { format, bytes, ...page }: DocumentRequest): Promise<FinalReply> {
    const { memoryMb, outsideMb, processorMs } = this.#limits
    const limits = { memoryMb, outsideMb, processorMs: processorMs(bytes.length) }
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        child.off('message', onMessage).off('error', onError).off('exit', onExit)
        finish()
      }
      const onMessage = (reply: ProcessReply) => {
        if ('readingMs' in reply) this.#onReading?.(reply.readingMs)
        else settle(() => resolve(reply))
      }
      const onError = (error: Error) => settle(() => reject(notStartedError(error)))
      const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
        settle(() => {
          if (ranOutOfMemory(code, signal)) resolve({ limit: 'too_large' })
          // A document that ends its process each time must not be tried again forever.
          else reject(child.killed ? interruptedError() : new Error(`The document process ended: ${signal ?? code}`))
        })
      child.ref()
      child.channel?.ref()
      child.on('message', onMessage).on('error', onError).on('exit', onExit)
      const document = { format, bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), ...page }
      const request: ProcessRequest = { document, limits }
      // A channel that is closed already: the `exit` event settles the exchange.
      child.send(request, () => void freeCopies(bytes.length))
    })
  }

  /** Keeps the process for the next document, but does not keep the service alive. */
  #rest(child: ChildProcess): void {
    child.unref()
    child.channel?.unref()
    this.#idle = setTimeout(() => void this.close(), this.#limits.idleMs).unref()
  }
}

/** Without memory, V8 aborts: a signal, or exit code 134 where there are no signals. */
function ranOutOfMemory(code: number | null, signal: NodeJS.Signals | null): boolean {
  return signal === 'SIGABRT' || code === 134
}

function interruptedError(): AppError {
  return new AppError('unavailable', 'Reading the document was interrupted; it will be tried again')
}

function notStartedError(cause: Error): AppError {
  return new AppError('unavailable', 'The process that reads documents could not be started; it will be tried again', {
    cause,
  })
}

function documentError(format: DocumentRequest['format'], failure: DocumentFailure | ReachedLimit): AppError {
  const { name } = DOCUMENT_FORMATS[format]
  const messages: Record<DocumentFailure | ReachedLimit, string> = {
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
