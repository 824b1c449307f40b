import { expect, test } from 'vitest'
import { packagePath } from '../../../src/lib/files.ts'
import { loadPlans, parsePlans } from '../../../src/service/plans.ts'

test('the plans that come with recalld are valid, and a new account has no limits', () => {
  const plans = loadPlans(packagePath('config/plans.yaml'))
  expect(plans.standard).toBe('self-hosted')
  expect(plans.byName.get('self-hosted')?.quotas).toEqual({})
  expect(plans.byName.get('starter')?.quotas).toMatchObject({ items: 10_000, recalls_per_month: 20_000 })
})

test.each([
  ['a quota that does not exist', 'default: a\nplans: {a: {title: A, quotas: {pages: 1}}}', /plans\.a\.quotas.*pages/],
  ['a negative quota', 'default: a\nplans: {a: {title: A, quotas: {items: -1}}}', /plans\.a\.quotas\.items/],
  ['a default that names no plan', 'default: b\nplans: {a: {title: A, quotas: {}}}', /default: is not a plan/],
  ['a name with capitals', 'default: A\nplans: {A: {title: A, quotas: {}}}', /lowercase/],
  ['an empty file', '', /file:/],
])('%s is refused, with where it is', (_, source, message) => {
  expect(() => parsePlans(source)).toThrow(message)
})
