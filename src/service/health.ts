import { AppError } from '../domain/errors.ts'
import type { Store } from '../store/store.ts'

/** @throws AppError `unavailable` when the store cannot be read and written, for whatever reason */
export async function checkHealth(store: Store): Promise<void> {
  try {
    await store.check()
  } catch (cause) {
    throw new AppError('unavailable', 'The store cannot be read and written at the moment', { cause })
  }
}

/** Below it, an upload of the largest size and the log of its transaction might not fit any more. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024

/** @param freeBytes of the disk that everything is written to; absent: it is not looked at */
export async function hasDiskSpace(freeBytes: (() => Promise<number>) | undefined): Promise<boolean> {
  return freeBytes === undefined || (await freeBytes()) >= LEAST_FREE_BYTES
}
