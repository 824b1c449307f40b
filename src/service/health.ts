import { AppError } from '../domain/errors.ts'
import type { Store } from '../store/store.ts'
import type { Service } from './service.ts'

/** @throws AppError `unavailable` when the store cannot be read and written, whatever the reason */
export async function checkHealth(store: Store): Promise<void> {
  try {
    await store.check()
  } catch (cause) {
    throw new AppError('unavailable', "The database can't be read or written at the moment", { cause })
  }
}

/** Below this, an upload of the maximum size and its transaction log might not fit. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024

/** @param freeBytes of the disk with the store; absent: not checked */
export async function hasDiskSpace(freeBytes: (() => Promise<number>) | undefined): Promise<boolean> {
  return freeBytes === undefined || (await freeBytes()) >= LEAST_FREE_BYTES
}

/** Resolves with the problems in plain words for the operator; empty when everything is fine. */
export type ReadinessCheck = () => Promise<string | undefined> | string | undefined

export interface Readiness {
  /** By name of the check; `undefined`: it passes. Concurrent callers share one check. */
  check(): Promise<ReadonlyMap<string, string | undefined>>
}

interface ReadinessOptions {
  /** How long a result is reused; 1 s when absent. */
  readonly keepMs?: number
  /** Time limit of a check; 2 s when absent. */
  readonly limitMs?: number
}

const KEEP_MS = 1_000
const LIMIT_MS = 2_000

/** Whether this process can serve its roles, by checks with a time limit; many probes cost no more than one. */
export function createReadiness(
  checks: Readonly<Record<string, ReadinessCheck>>,
  { keepMs = KEEP_MS, limitMs = LIMIT_MS }: ReadinessOptions = {},
): Readiness {
  let last: { readonly at: number; readonly result: ReturnType<Readiness['check']> } | undefined
  const run = async () =>
    new Map(
      await Promise.all(
        Object.entries(checks).map(async ([name, check]) => [name, await limited(name, check, limitMs)] as const),
      ),
    )
  return {
    check() {
      if (last === undefined || performance.now() - last.at > keepMs) {
        // Callers share a check in progress.
        const result = run()
        last = { at: Number.POSITIVE_INFINITY, result }
        void result.then(() => {
          last = { at: performance.now(), result }
        })
      }
      return last.result
    },
  }
}

/** Never rejects: error details are not sent to clients. */
async function limited(name: string, check: ReadinessCheck, limitMs: number): Promise<string | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(() => resolve(`${name} did not answer within ${limitMs / 1_000} seconds`), limitMs)
  try {
    return await Promise.race([check(), late])
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return `${name} can't be checked; see the log`
  } finally {
    clearTimeout(timer)
  }
}

/** Whether the store can be read and written, and whether disk and queue have room for uploads. */
export function serviceChecks(service: Pick<Service, 'health' | 'hasRoom' | 'hasDiskSpace'>) {
  return {
    async store() {
      try {
        await service.health()
        return undefined
      } catch (error) {
        if (error instanceof AppError) return "the database can't be read or written"
        throw error
      }
    },
    disk: async () => ((await service.hasDiskSpace()) ? undefined : 'the disk is almost full'),
    queue: async () => ((await service.hasRoom()) ? undefined : 'too many uploads are waiting for processing'),
  } satisfies Record<string, ReadinessCheck>
}
