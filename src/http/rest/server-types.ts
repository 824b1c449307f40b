import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { AppError } from '../../domain/errors.ts'
import type { Span } from '../../lib/telemetry.ts'
import type { Principal } from '../../service/principal.ts'

/** A Fastify instance whose routes are typed by their zod schemas. */
export type ApiServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; set by `identify` on routes below /v1. */
    principal: Principal | undefined
    /** Why the key was refused, until it is this check's turn. */
    keyRefusal: AppError | undefined
    /** The span of the whole request; ends with its response. */
    span: Span | undefined
  }
  interface FastifyContextConfig {
    /** The metered use of the route. */
    use?: 'upload' | 'recall' | 'ask' | 'read'
  }
  interface FastifyInstance {
    /** From now on every request is answered 503 with Retry-After; connections close when they become idle. */
    beginShutdown(): void
  }
}
