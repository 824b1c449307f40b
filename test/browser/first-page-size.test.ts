import { expect, test } from 'vitest'
import { firstPageScripts, gzipBytes, signInScripts } from '../lib/app/page-scripts.ts'

const BUDGET_BYTES = 104 * 1024
const SIGN_IN_BUDGET_BYTES = 20 * 1024

test('the first page needs at most 104 KiB of scripts', () => {
  const scripts = firstPageScripts()
  expect(scripts.length).toBeGreaterThan(1)
  expect(gzipBytes(scripts)).toBeLessThanOrEqual(BUDGET_BYTES)
})

test('the sign-in page needs at most 20 KiB more', () => {
  const scripts = signInScripts()
  expect(scripts.length).toBeGreaterThan(0)
  expect(gzipBytes(scripts)).toBeLessThanOrEqual(SIGN_IN_BUDGET_BYTES)
})
