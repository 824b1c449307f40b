import { AppError } from '../domain/errors.ts'

/** Bounds the memory that bodies of uploads take: so many large ones at a time, small ones freely. */
export interface UploadSlots {
  /**
   * Waits for a slot, and returns how to give it back.
   *
   * @param bytes length of the body, when the client said so
   * @throws AppError `unavailable` when none becomes free in time
   */
  take(bytes: number | undefined): Promise<() => void>
}

/** Bodies up to this size need no slot: a thousand of them are less than two PDFs. */
const SMALL_BYTES = 64 * 1024

export function createUploadSlots(slots: number, waitMs: number): UploadSlots {
  let free = slots
  const waiting = new Set<() => void>()

  const giveBack = () => {
    const [next] = waiting
    if (next === undefined) free += 1
    else {
      waiting.delete(next)
      next()
    }
  }

  return {
    async take(bytes) {
      if (bytes !== undefined && bytes <= SMALL_BYTES) return () => undefined
      if (free > 0) free -= 1
      else await turn(waiting, waitMs)
      let held = true
      return () => {
        if (held) giveBack()
        held = false
      }
    },
  }
}

function turn(waiting: Set<() => void>, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.delete(next)
      reject(
        new AppError('unavailable', 'Too many uploads arrive at the same time; try again', { retryAfterSeconds: 5 }),
      )
    }, waitMs)
    timer.unref()
    const next = () => {
      clearTimeout(timer)
      resolve()
    }
    waiting.add(next)
  })
}
