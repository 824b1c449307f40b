import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../domain/errors.ts'

const READS = new Set(['GET', 'HEAD'])

export function isChange({ method }: FastifyRequest): boolean {
  return !READS.has(method)
}

/**
 * A hook: no page of another site may change anything here, whatever it brings along. Browsers say where a request comes
 * from; what says nothing is no page.
 */
export function sameOrigin(baseUrl: string) {
  const own = new URL(baseUrl).origin
  return async (request: FastifyRequest): Promise<void> => {
    if (!isChange(request)) return
    const { origin, host } = request.headers
    const site = request.headers['sec-fetch-site']
    const isOwn = origin === undefined || origin === own || (URL.canParse(origin) && new URL(origin).host === host)
    const isSame = site === undefined || site === 'same-origin' || site === 'none'
    if (!isOwn || !isSame) {
      throw new AppError('forbidden', 'This request comes from another site; open the app at its own address.')
    }
  }
}
