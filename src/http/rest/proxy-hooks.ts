import type { FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { Log } from '../../lib/log.ts'
import { clientNetwork } from '../../lib/network-address.ts'
import type { ApiServer } from './server-types.ts'

export interface ProxyRules {
  /** Concurrent requests of one client behind a trusted proxy, which may open a connection for each. */
  readonly perAddress: number
  isProxy(address: string): boolean
  readonly log: Log
}

/** Handles forwarded requests; warns about forwarding headers from an untrusted proxy. */
export function proxyHooks(app: ApiServer, { perAddress, isProxy, log }: ProxyRules): void {
  const running = new Map<string, number>()
  let hasWarned = false
  app.addHook('onRequest', (request, reply, done) => {
    const peer = request.socket.remoteAddress ?? ''
    if (!isProxy(peer)) {
      if (!hasWarned && isForwarded(request)) {
        hasWarned = true
        log.warn(
          { peer },
          `X-Forwarded-For came from ${peer}, which is not in trusted_proxies and is ignored. If that is your proxy, add it: until then all its clients share one address for sign-in and rate limits.`,
        )
      }
      return done()
    }
    // Without the header, the proxy itself is the client.
    if (request.ip === peer) return done()
    const client = clientNetwork(request.ip)
    const count = running.get(client) ?? 0
    if (count >= perAddress) {
      return done(
        new AppError('rate_limited', 'Too many requests from your address at once. Try again in a moment.', {
          retryAfterSeconds: 1,
        }),
      )
    }
    running.set(client, count + 1)
    reply.raw.once('close', () => {
      const left = (running.get(client) ?? 1) - 1
      if (left > 0) running.set(client, left)
      else running.delete(client)
    })
    done()
  })
}

function isForwarded({ headers }: FastifyRequest): boolean {
  return headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
}
