import { AppError } from '../domain/errors.ts'
import type { ReadinessCheck } from './readiness.ts'
import type { Service } from './service.ts'

/** Whether the store can be read and written, and whether its disk and the queue have room for uploads. */
export function serviceChecks(service: Pick<Service, 'health' | 'hasRoom' | 'hasDiskSpace'>) {
  return {
    async store() {
      try {
        await service.health()
        return undefined
      } catch (error) {
        if (error instanceof AppError) return 'the store cannot be read and written'
        throw error
      }
    },
    disk: async () => ((await service.hasDiskSpace()) ? undefined : 'the disk is almost full'),
    queue: async () => ((await service.hasRoom()) ? undefined : 'too many uploads wait for processing'),
  } satisfies Record<string, ReadinessCheck>
}
