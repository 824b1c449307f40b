import { expect, onTestFinished, test } from 'vitest'
import { type CollectedSpan, type OtlpCollector, startCollector } from '../fakes/otlp-collector.ts'
import { httpCall } from '../lib/http-call.ts'
import { recalld, startRecalld } from '../lib/recalld-process.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

const TEXT = 'Grace and I agreed to start the billing migration on 1 April.'
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'

async function tracedService(env: Record<string, string>) {
  const service = await startRecalld({
    RECALLD_HOME: temporaryFolder(),
    RECALLD_LOG_FORMAT: 'json',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    ...env,
  })
  onTestFinished(async () => void (await service.stop('SIGKILL')))
  const key = /rk_[\w-]+/.exec(service.greeting)?.[0]
  const call = (path: string, form: readonly (readonly [string, string | File])[], headers = {}) =>
    httpCall(`${service.address}${path}`, { method: 'POST', key, form, headers })
  return {
    call,
    stop: () => service.stop(),
    async memorized(text: string) {
      const form = [
        ['file', new File([text], 'note.txt', { type: 'text/plain' })],
        ['user_name', 'Ada'],
        ['item_id', 'note'],
      ] as const
      expect((await call('/v1/memorize', form)).status).toBe(200)
      await until(async () => {
        const { body } = await call('/v1/memories/recall', [['text', 'billing migration']])
        return Array.isArray(body.memories) && body.memories.length > 0
      })
    },
  }
}

/** Names of spans below a span, with theirs, in the order in which they began. */
function tree({ spans }: OtlpCollector, { spanId, traceId }: CollectedSpan): unknown[] {
  return spans
    .filter((span) => span.parentSpanId === spanId && span.traceId === traceId)
    .sort((a, b) => Number(a.startTimeUnixNano - b.startTimeUnixNano))
    .map((span) => {
      const below = tree({ spans } as OtlpCollector, span)
      return below.length === 0 ? span.name : [span.name, below]
    })
}

const attribute = ({ attributes }: CollectedSpan, key: string) => {
  const value = attributes.find((one) => one.key === key)?.value
  return value?.stringValue ?? value?.intValue
}

test('an upload and a recall are traced from the request to the store, and continue the trace of who asks', async () => {
  await using collector = await startCollector()
  const service = await tracedService({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
    OTEL_SERVICE_NAME: 'memory-of-ada',
  })
  await service.memorized(TEXT)
  const traceparent = `00-${TRACE}-${PARENT}-01`
  await service.call('/v1/memories/recall', [['text', 'When does the billing migration start?']], { traceparent })
  await service.call('/v1/memories/ask', [['text', 'When does the billing migration start?']], { traceparent })
  const { stderr } = await service.stop()

  const { spans, resource } = collector
  const named = (name: string) => spans.filter((span) => span.name === name)
  const [upload] = named('POST /v1/memorize')
  expect(tree(collector, upload!)).toEqual([['upload', ['store putItem']]])
  const stages = ['parse', 'segment', 'extract', 'embed', 'index'].map((stage) => `stage ${stage}`)
  expect(tree(collector, named('process item')[0]!)).toEqual([...stages, 'store completeItems'])

  const steps = ['understand', 'candidates', 'features', 'rank'].map((step) => `recall ${step}`)
  const recalled = named('POST /v1/memories/recall').find(({ traceId }) => traceId === TRACE)
  expect(recalled).toMatchObject({ parentSpanId: PARENT, kind: 2 })
  expect(tree(collector, recalled!)).toEqual([['recall', [...steps, 'recall pack']]])
  expect(attribute(recalled!, 'http.response.status_code')).toBe(200)
  const asked = named('POST /v1/memories/ask').find(({ traceId }) => traceId === TRACE)
  expect(tree(collector, asked!)).toEqual([['ask', steps]])

  expect(resource.get('service.name')).toBe('memory-of-ada')
  expect(resource.get('deployment.environment.name')).toBe('test')
  // The log names the same trace, and the traces hold nothing of what was said.
  expect(stderr).toContain(`"otelTraceId":"${TRACE}"`)
  expect(collector.raw.join()).not.toMatch(/billing|Grace|rk_|note\.txt/)
})

test('a collector that is away takes nothing from the service, and is complained of once', async () => {
  const service = await tracedService({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  await service.memorized(TEXT)
  const { code, stderr } = await service.stop()
  expect(code).toBe(0)
  expect(stderr.split("traces can't be exported")).toHaveLength(2)
})

test('nothing is sent of what the sampler leaves out', async () => {
  await using collector = await startCollector()
  const service = await tracedService({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
    OTEL_TRACES_SAMPLER: 'always_off',
  })
  await service.memorized(TEXT)
  await service.stop()
  expect(collector.spans).toEqual([])
})

test('a sampler that does not exist is named, with those that do', async () => {
  const { code, stderr } = await recalld(['up', '--port', '0'], {
    RECALLD_HOME: temporaryFolder(),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_TRACES_SAMPLER: 'some',
  })
  expect(code).not.toBe(0)
  expect(stderr).toContain('OTEL_TRACES_SAMPLER must be one of always_on')
})
