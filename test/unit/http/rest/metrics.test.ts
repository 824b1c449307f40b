import { expect, test } from 'vitest'
import { createMetrics } from '../../../../src/http/rest/metrics.ts'

test('numbers that are late keep nobody waiting, count as a failure, and are not told later', async () => {
  const metrics = createMetrics({ limitMs: 20 })
  const gate = Promise.withResolvers<void>()
  let finished = Promise.resolve()
  metrics.readWith('slow', (meter) => {
    finished = gate.promise.then(() => meter.set('recalld_memories', {}, 7))
    return finished
  })
  metrics.readWith('quick', (meter) => meter.set('recalld_items', { state: 'settled' }, 3))
  const text = await metrics.text()
  expect(text).toMatch(/^recalld_items\{.*\} 3$/m)
  expect(text).toMatch(/^recalld_metrics_failures_total\{part="slow"\} 1$/m)
  gate.resolve()
  await finished
  metrics.readWith('slow', () => undefined)
  expect(await metrics.text()).not.toMatch(/^recalld_memories /m)
})
