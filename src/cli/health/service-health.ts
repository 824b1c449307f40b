import { AppError } from '../../domain/errors.ts'
import { messages } from './messages.ts'

/** Asks the service for its health. @returns `undefined` when it is healthy, otherwise the problem as a sentence */
export async function healthProblem(baseUrl: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${baseUrl}/v1/health`, { signal: AbortSignal.timeout(5_000), redirect: 'error' })
    const body: unknown = await response.json()
    const healthy = typeof body === 'object' && body !== null && 'status' in body && body.status === 'healthy'
    return response.ok && healthy ? undefined : messages.unhealthy(baseUrl, response.status)
  } catch (error) {
    return messages.noResponse(baseUrl, failureReason(error))
  }
}

function failureReason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (!(cause instanceof Error)) throw new AppError('internal', `not an error: ${String(cause)}`)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}
