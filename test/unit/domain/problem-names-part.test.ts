import { expect, test } from 'vitest'
import { isNamedIn } from '../../../src/domain/source-problems.ts'

test('a folder is named by its whole path too, and not by that of another one that begins alike', () => {
  expect(isNamedIn("/home/ada/notes doesn't exist.", '~/notes')).toBe(true)
  expect(isNamedIn("Couldn't read /home/ada/notes: no access.", '~/notes')).toBe(true)
  expect(isNamedIn("/home/ada/notes-old doesn't exist.", '~/notes')).toBe(false)
  expect(isNamedIn('general: not found', 'general')).toBe(true)
  expect(isNamedIn('The token was refused.', 'general')).toBe(false)
})
