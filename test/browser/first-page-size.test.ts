import { expect, test } from 'vitest'
import { firstPageScripts, gzipBytes } from '../lib/app/page-scripts.ts'

const BUDGET_BYTES = 104 * 1024

test('the first page needs at most 104 KiB of scripts', () => {
  const scripts = firstPageScripts()
  expect(scripts.length).toBeGreaterThan(1)
  expect(gzipBytes(scripts)).toBeLessThanOrEqual(BUDGET_BYTES)
})
