import type { COUNTERS, GAUGES, HISTOGRAMS } from './metric-catalog.ts'

/** Metrics and traces of what recalld does. */
export interface Telemetry {
  readonly meter: Meter
  readonly tracer: Tracer
}

/** Few distinct numbers and names; never contents, keys or user input. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** A span of work in a trace. */
export interface Span {
  /** Identifiers by W3C Trace Context, for log lines; `undefined` without tracing. */
  readonly ids: TraceIds | undefined
  set(attributes: SpanAttributes): void
  /** A completed child span. Times in milliseconds since the epoch. */
  past(name: string, times: { readonly from: number; readonly to: number }): void
  /** Spans started by `work`, also later, are children of this one. */
  within<T>(work: () => T): T
  /** Marks it as failed. The error's name and code are recorded, never its text. */
  fail(error: unknown): void
  end(): void
}

interface TraceIds {
  readonly traceId: string
  readonly spanId: string
}

interface SpanOptions {
  /** `server`: answers a request; `client`: waits for another service; `consumer`: takes work from a queue. */
  readonly kind?: 'internal' | 'server' | 'client' | 'consumer'
  /** The caller's `traceparent`. Absent: a child of the current span. */
  readonly traceparent?: string | undefined
  /** Starts a new trace. */
  readonly root?: boolean
}

export interface Tracer {
  begin(name: string, attributes: SpanAttributes, options?: SpanOptions): Span
  /** The current span. */
  current(): TraceIds | undefined
}

const NO_SPAN: Span = {
  ids: undefined,
  set: () => undefined,
  past: () => undefined,
  within: (work) => work(),
  fail: () => undefined,
  end: () => undefined,
}

/** Used without tracing. */
export const NO_TRACER: Tracer = { begin: () => NO_SPAN, current: () => undefined }

/** Runs `work` in a span, which ends with it or with its promise. */
export function inSpan<T>(
  tracer: Tracer,
  name: string,
  attributes: SpanAttributes,
  work: (span: Span) => T,
  options?: SpanOptions,
): T {
  if (tracer === NO_TRACER) return work(NO_SPAN)
  const span = tracer.begin(name, attributes, options)
  const failed = (error: unknown) => {
    span.fail(error)
    span.end()
  }
  let result: T
  try {
    result = span.within(() => work(span))
  } catch (error) {
    failed(error)
    throw error
  }
  if (result instanceof Promise) result.then(() => span.end(), failed)
  else span.end()
  return result
}

type Counters = typeof COUNTERS
type Histograms = typeof HISTOGRAMS
type Gauges = typeof GAUGES
type Labels<Names extends readonly string[]> = Readonly<Record<Names[number], string>>

/** Records metrics. Cheap, and never fails. */
export interface Meter {
  /** @param by 1 when absent; never negative */
  count<Name extends keyof Counters>(name: Name, labels: Labels<Counters[Name]['labels']>, by?: number): void
  /** One value of a distribution; times in seconds. */
  observe<Name extends keyof Histograms>(name: Name, labels: Labels<Histograms[Name]['labels']>, value: number): void
  /** The current value. */
  set<Name extends keyof Gauges>(name: Name, labels: Labels<Gauges[Name]['labels']>, value: number): void
}

/** Records nothing. */
const NO_METER: Meter = {
  count: () => undefined,
  observe: () => undefined,
  set: () => undefined,
}

export const NO_TELEMETRY: Telemetry = { meter: NO_METER, tracer: NO_TRACER }

/** @param since from `performance.now()` */
export function secondsSince(since: number): number {
  return (performance.now() - since) / 1_000
}
