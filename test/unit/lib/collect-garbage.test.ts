import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { collectGarbage } from '../../../src/lib/worker-thread.ts'

test('garbage is collected when much of it has come together', async () => {
  await collectGarbage()
  const least = getHeapStatistics().used_heap_size
  let garbage: number[][] | undefined = Array.from({ length: 100 }, (_, i) => new Array<number>(100_000).fill(i + 0.5))
  expect(getHeapStatistics().used_heap_size - least).toBeGreaterThan(64 * 2 ** 20)
  expect(garbage).toHaveLength(100)
  garbage = undefined
  await collectGarbage()
  expect(getHeapStatistics().used_heap_size - least).toBeLessThan(32 * 2 ** 20)
})
