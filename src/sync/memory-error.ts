import { AppError } from '../domain/errors.ts'
import { EndOfRun } from './end-of-run.ts'
import type { ItemError } from './item-state.ts'
import type { SyncRun } from './sync-run.ts'

/** An error of the memory about one item. @throws what concerns the whole run */
export function itemError(run: SyncRun, error: unknown): ItemError {
  if (error instanceof EndOfRun) throw error
  if (error instanceof AppError) return { code: error.code, message: error.message }
  // The message of an unknown error may hold anything, so it goes to the log alone.
  run.environment.log.error({ err: error, connection: run.name }, 'the memory failed unexpectedly')
  const name = error instanceof Error ? error.name : typeof error
  return { code: 'internal', message: `The memory failed unexpectedly (${name}); the log says more.` }
}
