import type { FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { AppError } from '../../domain/errors.ts'
import { COUNTERS, GAUGES, HISTOGRAMS } from '../../lib/metric-catalog.ts'
import type { Meter } from '../../lib/telemetry.ts'
import type { Service } from '../../service/service.ts'
import type { ApiServer } from './server-types.ts'

/** The metrics of this process, for Prometheus. */
export interface Metrics {
  readonly meter: Meter
  readonly contentType: string
  /**
   * `read` is called before rendering, to set gauges; its earlier gauges are reset first. A failure or a timeout of 3 s
   * is counted and does not affect the others.
   * @param part label of failures
   */
  readWith(part: string, read: (meter: Meter) => Promise<void> | void): void
  /** Text of `/metrics`. */
  text(): Promise<string>
}

/** More than the readiness checks may take; Prometheus waits for 10 seconds. */
const LIMIT_MS = 3_000

/** @param options `limitMs`: time limit of each reader */
export function createMetrics({ limitMs = LIMIT_MS } = {}): Metrics {
  const registry = new Registry()
  const registers = [registry]
  // Memory, CPU, event loop, garbage collection, open files: under the names of common dashboards for Node.
  collectDefaultMetrics({ register: registry })
  const counters = createAll(COUNTERS, ([name, { help, labels }]) => {
    const counter = new Counter({ name, help, labelNames: [...labels], registers })
    // Counters start at 0, so that their first increment is visible.
    if (labels.length === 0) counter.inc(0)
    return counter
  })
  const histograms = createAll(HISTOGRAMS, ([name, { help, labels, buckets }]) => {
    return new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers })
  })
  const gauges = createAll(GAUGES, ([name, { help, labels }]) => {
    return new Gauge({ name, help, labelNames: [...labels], registers })
  })
  const meter: Meter = {
    count: (name, labels, by = 1) => counters.get(name)?.inc({ ...labels }, by),
    observe: (name, labels, value) => histograms.get(name)?.observe({ ...labels }, value),
    set: (name, labels, value) => gauges.get(name)?.set({ ...labels }, value),
  }
  const readers = new Map<string, (meter: Meter) => Promise<void> | void>()
  let reading: Promise<string> | undefined
  const read = async (): Promise<string> => {
    for (const [name, { labels }] of Object.entries(GAUGES)) forget(gauges.get(name), labels.length === 0)
    await Promise.all([...readers].map(([part, reader]) => readInTime(part, { reader, meter, limitMs })))
    return registry.metrics()
  }
  return {
    meter,
    contentType: registry.contentType,
    readWith: (part, reader) => void readers.set(part, reader),
    text() {
      // Concurrent calls would overwrite each other's gauges.
      reading ??= read().finally(() => {
        reading = undefined
      })
      return reading
    },
  }
}

/** Lets a reader set gauges for `limitMs`; a failure is only counted. */
async function readInTime(
  part: string,
  { reader, meter, limitMs }: { reader: (meter: Meter) => Promise<void> | void; meter: Meter; limitMs: number },
): Promise<void> {
  let isOver = false
  const timely: Meter = {
    ...meter,
    set: (...gauge) => {
      if (!isOver) meter.set(...gauge)
    },
  }
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`${part} did not answer in time`)), limitMs)
  try {
    await Promise.race([reader(timely), late])
  } catch (error) {
    // The counter shows it, and /v1/ready explains it.
    if (error instanceof Error) meter.count('recalld_metrics_failures_total', { part })
    else throw error
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}

/** An unset gauge is omitted, because 0 would be a value. */
function forget(gauge: Gauge | undefined, hasNoLabels: boolean): void {
  gauge?.reset()
  if (hasNoLabels) gauge?.remove()
}

function createAll<Definition, Metric>(
  definitions: Readonly<Record<string, Definition>>,
  create: (definition: [string, Definition]) => Metric,
): ReadonlyMap<string, Metric> {
  return new Map(Object.entries(definitions).map((definition) => [definition[0], create(definition)]))
}

/** Sets the gauges of stored and waiting items. @throws AppError while the store is unavailable */
export async function readService(service: Pick<Service, 'statistics'>, meter: Meter): Promise<void> {
  const { stats, engine, budgetLeft, integrity } = await service.statistics()
  const now = Date.now()
  for (const [turn, { waiting, oldestAt }] of Object.entries(stats.turns)) {
    meter.set('recalld_queue_waiting', { turn }, waiting)
    const age = oldestAt === undefined ? 0 : Math.max(0, now - oldestAt.getTime()) / 1_000
    meter.set('recalld_queue_oldest_seconds', { turn }, age)
  }
  for (const [reason, count] of Object.entries(stats.pauses)) {
    meter.set('recalld_refinement_pauses', { reason }, count)
  }
  meter.set('recalld_items', { state: 'waiting' }, stats.pending)
  meter.set('recalld_items', { state: 'settled' }, stats.items - stats.pending)
  meter.set('recalld_items_failed', {}, stats.failed)
  meter.set('recalld_items_bytes', {}, stats.bytes)
  meter.set('recalld_blobs_garbage', {}, stats.garbage)
  if (integrity !== undefined) {
    meter.set('recalld_integrity_problems', {}, integrity.problems.length + integrity.damaged)
    meter.set('recalld_integrity_checked_timestamp_seconds', {}, Date.parse(integrity.at) / 1_000)
  }
  meter.set('recalld_accounts', {}, stats.accounts)
  meter.set('recalld_chunks', {}, stats.chunks)
  meter.set('recalld_memories', {}, stats.memories)
  meter.set('recalld_model_budget_left_ratio', {}, budgetLeft)
  meter.set('recalld_vectors_loaded', {}, engine.vectors?.count ?? 0)
  meter.set('recalld_vectors_loaded_bytes', {}, engine.vectors?.bytes ?? 0)
  const { inUse = 0, idle = 0, waiting = 0 } = engine.connections ?? {}
  for (const [state, count] of Object.entries({ in_use: inUse, idle, waiting })) {
    meter.set('recalld_store_connections', { state }, count)
  }
  const { replica } = engine
  if (replica === undefined) return
  meter.set('recalld_store_replica_used', {}, replica.isUsed ? 1 : 0)
  if (replica.lagMs !== undefined) meter.set('recalld_store_replica_lag_seconds', {}, replica.lagMs / 1_000)
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

export function metricsRoute(app: ApiServer, metrics: Metrics, visibleTo: 'loopback' | 'everyone'): void {
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (visibleTo === 'loopback' && !isLocal(request)) {
      throw new AppError('forbidden', 'Metrics are available on this machine only')
    }
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

/** A proxy on this machine also connects from loopback, but sets forwarding headers. */
function isLocal(request: FastifyRequest): boolean {
  const { headers } = request
  const isForwarded = headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined
  return LOOPBACK.test(request.ip) && !isForwarded
}
