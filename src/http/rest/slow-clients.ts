import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { Log } from '../../lib/log.ts'
import { answerError } from './problem.ts'
import type { ApiServer } from './server-types.ts'

export interface SlowClientRules {
  readonly log: Log
  /** Minimum rate of a body, over any window. */
  readonly bytesPerSecond: number
  readonly windowMs: number
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  received: number
  since: number
  /** Whether we set the socket's timeout. */
  isStalled: boolean
}

const CHECKS_PER_WINDOW = 4
/** A client that does not read its response for this long is disconnected. */
const UNREAD_MS = 60_000

/**
 * Answers 408 to requests with too slow bodies, and disconnects clients that do not read their response. Long
 * responses, such as events, continue as long as the client reads them.
 */
export function slowClientHooks(app: ApiServer, { log, bytesPerSecond, windowMs }: SlowClientRules): void {
  const open = new Set<Exchange>()
  app.addHook('onRequest', (request, reply, done) => {
    const exchange: Exchange = {
      ...{ request, reply, isStalled: false },
      received: request.raw.socket.bytesRead,
      since: performance.now(),
    }
    open.add(exchange)
    reply.raw.once('close', () => open.delete(exchange))
    done()
  })
  const check = () => {
    const now = performance.now()
    for (const exchange of open) {
      limitUnread(exchange)
      if (now - exchange.since >= windowMs && isTooSlow(exchange, bytesPerSecond, now)) refuse(exchange, log)
    }
  }
  const timer = setInterval(check, windowMs / CHECKS_PER_WINDOW)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/** Starts the next window. */
function isTooSlow(exchange: Exchange, bytesPerSecond: number, now: number): boolean {
  const { raw } = exchange.request
  const { bytesRead } = raw.socket
  const seconds = (now - exchange.since) / 1_000
  const isSlow = bytesRead - exchange.received < bytesPerSecond * seconds
  exchange.received = bytesRead
  exchange.since = now
  // With a full buffer, the server is the slow side.
  const isReading = raw.readableLength < raw.readableHighWaterMark
  return isSlow && isReading && !raw.complete && !exchange.reply.sent && !exchange.reply.raw.headersSent
}

function refuse({ request, reply }: Exchange, log: Log): void {
  const error = new AppError('timeout', 'The request body arrived too slowly. Send it again over a faster connection.')
  // What reads the body, and what was taken for it, ends with the connection.
  reply.raw.once('finish', () => request.raw.destroy())
  reply.header('connection', 'close')
  answerError(log, error, request, reply)
}

/** The timeout of a socket counts from its last progress, and then Node closes the socket. */
function limitUnread(exchange: Exchange): void {
  const { socket } = exchange.request.raw
  const isUnread = exchange.reply.raw.headersSent && socket.writableLength > 0
  if (isUnread === exchange.isStalled) return
  exchange.isStalled = isUnread
  socket.setTimeout(isUnread ? UNREAD_MS : 0)
}
