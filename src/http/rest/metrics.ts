import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Meter } from '../../lib/meter.ts'
import { COUNTERS, GAUGES, HISTOGRAMS } from '../../lib/metric-catalogue.ts'

/** The numbers of this process, as Prometheus reads them. */
export interface Metrics {
  readonly meter: Meter
  readonly contentType: string
  /**
   * `read` is called before the numbers are told, to set gauges; what it set before is forgotten then. One that fails, or takes longer than
   * 3 s, is counted and keeps nothing else from being told.
   *
   * @param part in the label of failures
   */
  readWith(part: string, read: (meter: Meter) => Promise<void> | void): void
  /** Text of `/metrics`. */
  text(): Promise<string>
}

/** More than the checks of readiness may take; Prometheus waits for 10 seconds. */
const LIMIT_MS = 3_000

/** @param options `limitMs`: so long what is read may take */
export function createMetrics({ limitMs = LIMIT_MS } = {}): Metrics {
  const registry = new Registry()
  const registers = [registry]
  // Memory, CPU, event loop, garbage collection, open files: under the names that dashboards for Node know.
  collectDefaultMetrics({ register: registry })
  const counters = made(COUNTERS, ([name, { help, labels }]) => {
    const counter = new Counter({ name, help, labelNames: [...labels], registers })
    // One that has not counted yet is 0, so that its first step is seen as one.
    if (labels.length === 0) counter.inc(0)
    return counter
  })
  const histograms = made(HISTOGRAMS, ([name, { help, labels, buckets }]) => {
    return new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers })
  })
  const gauges = made(GAUGES, ([name, { help, labels }]) => {
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
    await Promise.all(
      [...readers].map(async ([part, reader]) => {
        let isOver = false
        const timely: Meter = {
          ...meter,
          set: (...told) => {
            if (!isOver) meter.set(...told)
          },
        }
        const { promise: late, reject } = Promise.withResolvers<never>()
        const timer = setTimeout(() => reject(new Error(`${part} did not answer in time`)), limitMs)
        try {
          await Promise.race([reader(timely), late])
        } catch (error) {
          // Told by the number itself, and by /v1/ready in words.
          if (error instanceof Error) meter.count('recalld_metrics_failures_total', { part })
          else throw error
        } finally {
          isOver = true
          clearTimeout(timer)
        }
      }),
    )
    return registry.metrics()
  }
  return {
    meter,
    contentType: registry.contentType,
    readWith: (part, reader) => void readers.set(part, reader),
    text() {
      // Two at once would take each other's gauges away.
      reading ??= read().finally(() => {
        reading = undefined
      })
      return reading
    },
  }
}

/** What nobody sets is absent; a 0 would say something. */
function forget(gauge: Gauge | undefined, hasNoLabels: boolean): void {
  gauge?.reset()
  if (hasNoLabels) gauge?.remove()
}

function made<Definition, Metric>(
  definitions: Readonly<Record<string, Definition>>,
  make: (definition: [string, Definition]) => Metric,
): ReadonlyMap<string, Metric> {
  return new Map(Object.entries(definitions).map((definition) => [definition[0], make(definition)]))
}
