import { AppError } from '../domain/errors.ts'
import type { Principal, Service } from '../service/service.ts'

/** Whose key this is; `undefined` when it does not work any more. */
export async function keyHolder(service: Service, key: string): Promise<Principal | undefined> {
  try {
    return await service.authenticate(key)
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthenticated') return undefined
    throw error
  }
}
