import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { isSourceType } from '../../domain/source-type.ts'
import { clientNetwork } from '../../lib/network-address.ts'
import { type Principal, requireSource } from '../../service/principal.ts'
import type { Service } from '../../service/service.ts'

/*
 * The checks before a body is read, in the order of the design: identify (without answering yet), rate, key, billing.
 * The rate comes first, but only the key tells whose rate it is; a request without a valid key is counted by its
 * address, so that guessing keys is limited and cannot use up the rate of an account.
 */

/** Identifies the caller; an error is kept for `requireKey`. @param who by something other than a key, if anything */
export function identify(
  service: Service,
  who: (request: FastifyRequest) => Promise<Principal> | undefined = () => undefined,
) {
  return async (request: FastifyRequest): Promise<void> => {
    const header = request.headers['x-api-key']
    try {
      request.principal = await (who(request) ?? service.authenticate(typeof header === 'string' ? header : undefined))
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error
      request.keyRefusal = error
    }
  }
}

/** The key under which requests are counted. */
export function rateKey(request: FastifyRequest): string {
  return request.principal === undefined
    ? `address ${clientNetwork(request.ip)}`
    : `account ${request.principal.accountId}`
}

/** 401, after the rate limit. */
export async function requireKey(request: FastifyRequest): Promise<void> {
  if (request.keyRefusal !== undefined) throw request.keyRefusal
}

/** 402. */
export function requireBilling(service: Service) {
  return async (request: FastifyRequest): Promise<void> => {
    await service.checkBilling(principalOf(request), request.routeOptions.config.use ?? 'read')
  }
}

/** 403 before other checks of a request for a source outside the key's scope. */
export function requireSourceOf(request: FastifyRequest, source: unknown, field: string): void {
  if (typeof source === 'string' && isSourceType(source)) requireSource(principalOf(request).scope, source, field)
}

/** A `preValidation` hook: 403 for the source in the query string or the path. */
export async function guardSource(request: FastifyRequest, _reply: FastifyReply): Promise<void> {
  for (const input of [request.query, request.params]) {
    if (typeof input === 'object' && input !== null && 'source_type' in input) {
      requireSourceOf(request, input.source_type, 'source_type')
    }
  }
}

/** The caller, on a route behind `requireKey`. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal !== undefined) return request.principal
  throw new Error(`The route ${request.routeOptions.url} is not behind requireKey`)
}
