import { expect, test } from 'vitest'
import { accountName } from '../../../src/boot/first-start.ts'

test.each([
  ['mara', 'mara'],
  ['root', 'My memory'],
  ['node', 'My memory'],
])('the first account of the user %s is called %s', (user, name) => {
  expect(accountName(user)).toBe(name)
})
