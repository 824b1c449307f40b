import {
  type Attributes,
  type Context,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { AppError } from '../domain/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Meter, Span, SpanAttributes, Tracer } from '../lib/telemetry.ts'

export interface OtelOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  readonly log: Log
  readonly meter: Meter
}

export interface OtelTracing {
  readonly tracer: Tracer
  /** Sends the remaining spans, for at most this long. */
  close(limitMs: number): Promise<void>
}

/** Spans waiting to be exported; while the collector is unavailable, the newest are dropped. */
const MOST_WAITING = 2_048
/** With all retries; a stop waits no longer. */
const SEND_LIMIT_MS = 4_000
const SERVICE_NAME = 'recalld'
const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
}

/**
 * Traces by OpenTelemetry, sent to the collector in the standard environment variables.
 * @throws AppError `invalid`, naming the invalid variable
 */
export function openOtelTracing({ env, version, log, meter }: OtelOptions): OtelTracing {
  const sampler = traceSampler(env)
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': SERVICE_NAME, 'service.version': version }))
    .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }))
  const exporter = reporting(new OTLPTraceExporter({ timeoutMillis: SEND_LIMIT_MS }), log, meter)
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: MOST_WAITING,
    exportTimeoutMillis: SEND_LIMIT_MS,
  })
  const provider = new TracerProvider({ resource, sampler, spanProcessors: [processor] })
  return {
    tracer: createOtelTracer(provider.getTracer('recalld', version)),
    async close(limitMs) {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, limitMs)
      try {
        await Promise.race([provider.shutdown(), late])
      } catch (error) {
        log.warn({ err: error }, 'the last spans could not be exported')
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Logs once that the collector is unavailable, and once that it is back. */
function reporting(exporter: OTLPTraceExporter, log: Log, meter: Meter): SpanExporter {
  let isAway = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0
        if (failed) meter.count('recalld_trace_export_failures_total', {})
        if (failed && !isAway) log.warn({ err: result.error }, "traces can't be exported to the collector")
        if (!failed && isAway) log.info('traces are being exported again')
        isAway = failed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  }
}

function createOtelTracer(tracer: OtelTracer): Tracer {
  const contexts = new AsyncLocalStorageContextManager().enable()
  return {
    begin(name, attributes, { kind = 'internal', traceparent, root = false } = {}) {
      const parent = root ? remoteParent(traceparent) : contexts.active()
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } }, parent)
      return wrapped(span, trace.setSpan(parent, span), { tracer, contexts })
    },
    current: () => idsOf(trace.getSpan(contexts.active())),
  }
}

function wrapped(
  span: OtelSpan,
  context: Context,
  { tracer, contexts }: { tracer: OtelTracer; contexts: AsyncLocalStorageContextManager },
): Span {
  return {
    ids: idsOf(span),
    set: (attributes: SpanAttributes) => void span.setAttributes(attributes as Attributes),
    past(name, { from, to }) {
      tracer.startSpan(name, { startTime: from }, context).end(to)
    },
    within: (work) => contexts.with(context, work),
    fail(error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      if (error !== undefined) span.setAttribute('error.type', errorType(error))
    },
    end: () => span.end(),
  }
}

function errorType(error: unknown): string {
  if (error instanceof AppError) return error.code
  return error instanceof Error ? error.name : typeof error
}

function idsOf(span: OtelSpan | undefined): Span['ids'] {
  return span && { traceId: span.spanContext().traceId, spanId: span.spanContext().spanId }
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/

/** W3C Trace Context; an invalid one starts a new trace. */
function remoteParent(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
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
 * The sampler in OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG, which the SDK does not read itself.
 * @throws AppError `invalid`, naming the invalid variable and what it accepts
 */
function traceSampler(env: Readonly<Record<string, string | undefined>>): Sampler {
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
