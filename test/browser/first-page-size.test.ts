import { expect, test } from 'vitest'
import { gzipBytes, scriptsOf } from '../lib/app/page-scripts.ts'

const BUDGET_BYTES = 104 * 1024

test('the first page needs at most 104 KiB of scripts', () => {
  const scripts = scriptsOf('recall-page')
  expect(scripts.length).toBeGreaterThan(1)
  expect(gzipBytes(scripts)).toBeLessThanOrEqual(BUDGET_BYTES)
})
