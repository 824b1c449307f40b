import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Service } from '../service/service.ts'

export interface Metrics {
  readonly contentType: string
  /** One answered request. */
  observe(request: FastifyRequest, reply: FastifyReply): void
  /** Text of `/metrics`. Numbers only, no ids. */
  text(): Promise<string>
}

export function createMetrics(service: Service, memory: () => { rssBytes: number; eventLoopDelay: number }): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'recalld_http_requests_total',
    help: 'Requests by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'recalld_http_request_seconds',
    help: 'Time to answer, by route.',
    labelNames: ['method', 'route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const waiting = gauge('recalld_queue_waiting', 'Uploads that wait for processing.')
  const oldest = gauge('recalld_queue_oldest_seconds', 'Age of the oldest upload that waits.')
  const items = new Gauge({
    name: 'recalld_items',
    help: 'Items by state: waiting for processing, or settled (ready or failed).',
    labelNames: ['state'],
    registers,
  })
  const bytes = gauge('recalld_items_bytes', 'Bytes of uploads held.')
  const accounts = gauge('recalld_accounts', 'Accounts.')
  const resident = gauge('recalld_resident_memory_bytes', 'Resident memory of the process.')
  const delay = gauge('recalld_event_loop_delay_seconds', 'Mean delay of the event loop over the last second.')

  return {
    contentType: registry.contentType,
    observe(request, reply) {
      // The pattern of the route, never the path, which holds ids and would grow the series without bound.
      const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
      requests.inc({ method: request.method, route, status: String(reply.statusCode) })
      duration.observe({ method: request.method, route }, reply.elapsedTime / 1_000)
    },
    async text() {
      const statistics = await service.statistics()
      waiting.set(statistics.queue.waiting)
      oldest.set(statistics.queue.oldestAt ? Math.max(0, Date.now() - statistics.queue.oldestAt.getTime()) / 1_000 : 0)
      items.set({ state: 'waiting' }, statistics.items.waiting)
      items.set({ state: 'settled' }, statistics.items.held - statistics.items.waiting)
      bytes.set(statistics.items.bytes)
      accounts.set(statistics.accounts)
      const { rssBytes, eventLoopDelay } = memory()
      resident.set(rssBytes)
      delay.set(Number.isFinite(eventLoopDelay) ? eventLoopDelay / 1_000 : 0)
      return registry.metrics()
    },
  }
}
