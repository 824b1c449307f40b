import type { COUNTERS, GAUGES, HISTOGRAMS } from './metric-catalogue.ts'

/** Metrics and traces of what recalld does. */
export interface Telemetry {
  readonly meter: Meter
  readonly tracer: Tracer
}

/** Numbers and names that are few; never contents, keys or what somebody wrote. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** A stretch of work, as a collector of traces shows it. */
export interface Span {
  /** Identifiers by W3C Trace Context, for log lines; `undefined` where nothing is traced. */
  readonly ids: TraceIds | undefined
  set(attributes: SpanAttributes): void
  /** A part of it that is over. Times in milliseconds since the epoch. */
  past(name: string, times: { readonly from: number; readonly to: number }): void
  /** Spans that `work` begins, also later, are parts of this one. */
  within<T>(work: () => T): T
  /** It did not succeed. Of the error its name and code are recorded, never its text. */
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
  /** Begins a trace of its own. */
  readonly root?: boolean
}

export interface Tracer {
  begin(name: string, attributes: SpanAttributes, options?: SpanOptions): Span
  /** Of the span in which this is called. */
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

/** Where nothing is traced. */
export const NO_TRACER: Tracer = { begin: () => NO_SPAN, current: () => undefined }

/** Does `work` in a span of its own, which ends with it, or with the promise that it returns. */
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

/** Records metrics. Costs next to nothing and never fails. */
export interface Meter {
  /** @param by 1 when absent; never negative */
  count<Name extends keyof Counters>(name: Name, labels: Labels<Counters[Name]['labels']>, by?: number): void
  /** One value of a distribution; times in seconds. */
  observe<Name extends keyof Histograms>(name: Name, labels: Labels<Histograms[Name]['labels']>, value: number): void
  /** What is so now. */
  set<Name extends keyof Gauges>(name: Name, labels: Labels<Gauges[Name]['labels']>, value: number): void
}

/** Records nothing. */
const NO_METER: Meter = {
  count: () => undefined,
  observe: () => undefined,
  set: () => undefined,
}

export const NO_TELEMETRY: Telemetry = { meter: NO_METER, tracer: NO_TRACER }

/** @param since of `performance.now()` */
export function secondsSince(since: number): number {
  return (performance.now() - since) / 1_000
}
