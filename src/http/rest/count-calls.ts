import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { ApiServer } from './server-types.ts'

/**
 * For requests that carry several calls: each counts against the rate. The first was counted when the request came.
 *
 * @returns a function that throws `rate_limited` when they are too many, without using up what is left
 */
export function countCalls(app: ApiServer) {
  const count = app.createRateLimit()
  return async (request: FastifyRequest, reply: FastifyReply, calls: number): Promise<void> => {
    const further = calls - 1
    if (further <= 0) return
    if (further > Number(reply.getHeader('x-ratelimit-remaining') ?? 0)) throw exceeded(reply, calls)
    for (let counted = 0; counted < further; counted++) {
      const limit = await count(request)
      if (!('isExceeded' in limit)) continue
      reply.header('x-ratelimit-remaining', limit.remaining)
      // Others have used up the rest meanwhile.
      if (limit.isExceeded) throw exceeded(reply, calls)
    }
  }
}

function exceeded(reply: FastifyReply, calls: number): AppError {
  const retryAfterSeconds = Number(reply.getHeader('x-ratelimit-reset') ?? 60)
  return new AppError(
    'rate_limited',
    `Rate limit exceeded: each of the ${calls} calls of a batch counts; retry with exponential backoff`,
    { retryAfterSeconds },
  )
}
