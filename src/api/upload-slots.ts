import { AppError } from '../domain/errors.ts'
import { Places } from '../kit/places.ts'

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
  const places = new Places(slots)
  const failure = () =>
    new AppError('unavailable', 'Too many uploads arrive at the same time; try again', { retryAfterSeconds: 5 })
  return {
    async take(bytes) {
      if (bytes !== undefined && bytes <= SMALL_BYTES) return () => undefined
      await places.enter({ longest: { ms: waitMs, failure } })
      let held = true
      return () => {
        if (held) places.leave()
        held = false
      }
    },
  }
}
