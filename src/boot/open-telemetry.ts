import { statfs } from 'node:fs/promises'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { createMetrics, type Metrics } from '../http/rest/metrics.ts'
import type { Log } from '../lib/log.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import { NO_TRACER, type Tracer } from '../lib/tracer.ts'

/** What a process tells of itself: numbers for Prometheus, and traces where a collector is named. */
export interface ProcessTelemetry extends Telemetry {
  readonly metrics: Metrics
}

interface TelemetryParts {
  readonly config: Pick<Config, 'home' | 'roles'>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  readonly log: Log
}

/** An orchestrator waits for the rest of the stop as well. */
const LAST_SPANS_MS = 2_000

/** @param stack sends the last spans @throws AppError `invalid`, naming the variable of OpenTelemetry at fault */
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

/** Nothing of OpenTelemetry is loaded unless a collector is named. */
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

const SAMPLERS: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
}

/**
 * Which traces are sent: by OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG, which the SDK leaves to whoever opens it.
 *
 * @throws AppError `invalid`, naming the variable at fault and what it accepts
 */
export function traceSampler(env: Readonly<Record<string, string | undefined>>): Sampler {
  const name = env.OTEL_TRACES_SAMPLER || 'parentbased_always_on'
  const make = Object.hasOwn(SAMPLERS, name) ? SAMPLERS[name] : undefined
  if (make === undefined) {
    const known = Object.keys(SAMPLERS).join(', ')
    throw new AppError('invalid', `OTEL_TRACES_SAMPLER must be one of ${known}, but is ${JSON.stringify(name)}`)
  }
  const ratio = Number(env.OTEL_TRACES_SAMPLER_ARG || '1')
  if (!(ratio >= 0 && ratio <= 1)) {
    throw new AppError('invalid', 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
  }
  return make(ratio)
}
