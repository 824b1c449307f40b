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
