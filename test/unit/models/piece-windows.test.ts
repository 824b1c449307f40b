import { expect, test } from 'vitest'
import { windowsOf } from '../../../src/models/local/local-model.ts'

const pieces = (count: number) => Array.from({ length: count }, (_, i) => i)

test('a text that the model takes at once is one window, and so is an empty one', () => {
  expect(windowsOf(pieces(0))).toEqual([[]])
  expect(windowsOf(pieces(254))).toEqual([pieces(254)])
})

test('a longer text is read in windows, each piece once', () => {
  const windows = windowsOf(pieces(600))
  expect(windows.map(({ length }) => length)).toEqual([254, 254, 92])
  expect(windows.flat()).toEqual(pieces(600))
})

test('of a very long text, the end is not read', () => {
  const windows = windowsOf(pieces(10_000))
  expect(windows).toHaveLength(6)
  expect(windows.flat()).toEqual(pieces(6 * 254))
})
