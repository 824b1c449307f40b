import type { Server } from 'node:http'
import type { Log } from '../../lib/log.ts'
import type { Meter } from '../../lib/meter.ts'
import { type ConnectionEnd, type ConnectionRules, limitConnections } from './limit-connections.ts'

export interface GuardOptions extends Omit<ConnectionRules, 'ended' | 'failed'> {
  readonly log: Log
  readonly meter: Meter
}

/** In an attack there are thousands in a second. */
const LOG_EVERY_MS = 60_000

const REASONS: Readonly<Record<ConnectionEnd, string>> = {
  process_limit: 'connections are ended: the process has as many as it may have',
  address_limit: 'connections are ended: one address has as many as it may have',
}

/** Caps the connections of a server, counts those that are ended, and logs each reason at most once a minute. */
export function guardConnections(server: Server, { log, meter, ...rules }: GuardOptions): void {
  const lastLogged = new Map<string, number>()
  const isDue = (what: string) => {
    const now = performance.now()
    if (now - (lastLogged.get(what) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return false
    lastLogged.set(what, now)
    return true
  }
  limitConnections(server, {
    ...rules,
    ended(reason) {
      meter.count('recalld_connections_ended_total', { reason })
      if (isDue(reason)) log.warn({ perProcess: rules.perProcess, perAddress: rules.perAddress }, REASONS[reason])
    },
    failed(error) {
      meter.count('recalld_connections_ended_total', { reason: 'system_limit' })
      if (isDue('system_limit')) log.error({ err: error }, 'the system could not accept a connection')
    },
  })
}

/** Of the options of `http.createServer`: sockets that send no whole headers in time are answered 408 and closed. */
export function httpTimeouts(headersTimeout: number) {
  return { headersTimeout, connectionsCheckingInterval: Math.min(1_000, headersTimeout) }
}
