import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const VALUE = z.looseObject({ stringValue: z.string().optional(), intValue: z.coerce.number().optional() })
const ATTRIBUTES = z.array(z.object({ key: z.string(), value: VALUE })).default([])
const SPAN = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes: ATTRIBUTES,
  status: z.looseObject({ code: z.number().optional() }),
})
const EXPORT = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: ATTRIBUTES }),
      scopeSpans: z.array(z.object({ spans: z.array(SPAN) })),
    }),
  ),
})

export type CollectedSpan = z.infer<typeof SPAN>

/** A collector of traces as OpenTelemetry specifies it, which keeps what it is sent. */
export interface OtlpCollector extends AsyncDisposable {
  readonly address: string
  readonly spans: readonly CollectedSpan[]
  /** Attributes of what sent them. */
  readonly resource: ReadonlyMap<string, string | number | undefined>
  /** Everything that was sent, as it came. */
  readonly raw: readonly string[]
}

export async function startCollector(): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = []
  const resource = new Map<string, string | number | undefined>()
  const raw: string[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (request.method !== 'POST' || request.url !== '/v1/traces') return response.writeHead(404).end()
    raw.push(body)
    for (const one of EXPORT.parse(JSON.parse(body)).resourceSpans) {
      for (const { key, value } of one.resource.attributes) resource.set(key, value.stringValue ?? value.intValue)
      spans.push(...one.scopeSpans.flatMap((scope) => scope.spans))
    }
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the collector has no port')
  return {
    address: `http://127.0.0.1:${bound.port}`,
    spans,
    resource,
    raw,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
