import type { IncomingMessage } from 'node:http'
import { AppError } from '../../domain/errors.ts'
import { FairSemaphore } from '../../lib/fair-semaphore.ts'

/** Bounds the memory that bodies of uploads take: so many large ones at a time, small ones freely. */
export interface UploadSlots {
  /**
   * Waits for a slot, and returns how to give it back. An account may hold as many as are free after that, and those who
   * wait are served by turns, so that no account keeps another one waiting for long.
   *
   * @throws AppError `unavailable` when none becomes free in time; the reason of the signal
   */
  take(upload: Upload, signal?: AbortSignal): Promise<() => void>
}

export interface Upload {
  readonly accountId: string
  /** Length of the body, when the client said so. */
  readonly bytes: number | undefined
}

/** Bodies up to this size need no slot: a thousand of them are less than two PDFs. */
const SMALL_BYTES = 64 * 1024

export function createUploadSlots(slots: number, waitMs: number): UploadSlots {
  const permits = new FairSemaphore(slots)
  const failure = () =>
    new AppError('unavailable', 'Too many uploads arrive at the same time; try again', { retryAfterSeconds: 5 })
  return {
    async take({ accountId, bytes }, signal) {
      if (bytes !== undefined && bytes <= SMALL_BYTES) return () => undefined
      await permits.acquire(accountId, { longest: { ms: waitMs, failure }, signal })
      let held = true
      return () => {
        if (held) permits.release(accountId)
        held = false
      }
    },
  }
}

/** Runs `receive` with a slot for the body of the request; ends the wait for one when the client goes away. */
export async function withUploadSlot<Result>(
  slots: UploadSlots,
  { raw, accountId }: { readonly raw: IncomingMessage; readonly accountId: string },
  receive: () => Promise<Result>,
): Promise<Result> {
  const gone = new AbortController()
  const abort = () => gone.abort(new AppError('invalid', 'The client ended the connection before the body had arrived'))
  if (raw.destroyed && !raw.complete) abort()
  raw.once('close', abort)
  const giveBack = await slots.take({ accountId, bytes: contentLength(raw.headers['content-length']) }, gone.signal)
  try {
    // Reading a connection that ended meanwhile would never end.
    gone.signal.throwIfAborted()
    return await receive()
  } finally {
    raw.off('close', abort)
    giveBack()
  }
}

function contentLength(header: string | undefined): number | undefined {
  const length = Number(header)
  return header !== undefined && Number.isSafeInteger(length) ? length : undefined
}
