import { statfs } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { createMetrics, type Metrics } from '../http/rest/metrics.ts'
import type { Log } from '../lib/log.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import { NO_TRACER, type Tracer } from '../lib/telemetry.ts'

/** Telemetry of a process: metrics for Prometheus, and traces where a collector is configured. */
export interface ProcessTelemetry extends Telemetry {
  readonly metrics: Metrics
}

interface TelemetryParts {
  readonly config: Pick<Config, 'home' | 'roles'>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  readonly log: Log
}

/** An orchestrator limits the time of the whole stop. */
const LAST_SPANS_MS = 2_000

/** @param stack sends the last spans @throws AppError `invalid`, naming the invalid variable of OpenTelemetry */
export async function openTelemetry(parts: TelemetryParts, stack: AsyncDisposableStack): Promise<ProcessTelemetry> {
  const metrics = createMetrics()
  const { config, version } = parts
  metrics.readWith('process', async (meter) => {
    meter.set('recalld_build_info', { version }, 1)
    for (const role of config.roles) meter.set('recalld_role', { role }, 1)
    const { bavail, blocks, bsize } = await statfs(config.home)
    meter.set('recalld_home_free_bytes', {}, bavail * bsize)
    meter.set('recalld_home_size_bytes', {}, blocks * bsize)
  })
  return { metrics, meter: metrics.meter, tracer: await openTracer(parts, metrics, stack) }
}

/** OpenTelemetry is only loaded when a collector is configured. */
async function openTracer(
  { env, version, log }: TelemetryParts,
  { meter }: Metrics,
  stack: AsyncDisposableStack,
): Promise<Tracer> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none') {
    return NO_TRACER
  }
  const { openOtelTracing } = await import('./otel-tracer.ts')
  const tracing = openOtelTracing({ env, version, log, meter })
  stack.defer(() => tracing.close(LAST_SPANS_MS))
  return tracing.tracer
}
