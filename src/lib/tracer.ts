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
  /** It did not succeed. Of the error its name and code are told, never its text. */
  fail(error: unknown): void
  end(): void
}

export interface TraceIds {
  readonly traceId: string
  readonly spanId: string
}

export interface SpanOptions {
  /** `server`: answers a request; `client`: waits for another service; `consumer`: takes work from a queue. */
  readonly kind?: 'internal' | 'server' | 'client' | 'consumer'
  /** The `traceparent` of whoever asks. Absent: a part of what is under way here. */
  readonly traceparent?: string | undefined
  /** Begins a trace of its own. */
  readonly root?: boolean
}

export interface Tracer {
  begin(name: string, attributes: SpanAttributes, options?: SpanOptions): Span
  /** Of the span in which this is called. */
  current(): TraceIds | undefined
}

export const NO_SPAN: Span = {
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
