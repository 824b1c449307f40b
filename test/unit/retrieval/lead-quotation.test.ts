import { expect, test } from 'vitest'
import { quotationText, quotedLines } from '../../../src/retrieval/answer/lead-quotation.ts'

const sentences = (...found: [number, string][]) => found.map(([position, text]) => ({ position, text }))

test('neighbouring sentences are one quotation, in the order of the passage', () => {
  const both = sentences([4, 'Tom tells the press.'], [3, 'We moved the launch.'])
  expect(quotationText(both)).toBe('We moved the launch. Tom tells the press.')
  expect(quotedLines(both)).toBe('We moved the launch. Tom tells the press.')
})

test('where sentences are left out, the quotation says so, and what is cited has a line for each stretch', () => {
  const apart = sentences([0, 'We moved the launch.'], [3, 'Tom tells the press.'], [4, 'He asked twice.'])
  expect(quotationText(apart)).toBe('We moved the launch. … Tom tells the press. He asked twice.')
  expect(quotedLines(apart)).toBe('We moved the launch.\nTom tells the press. He asked twice.')
})

test('items of a list without a full stop are separated', () => {
  const items = sentences([0, 'Flights:'], [1, 'Bergen to Lisbon, 07:10'], [2, 'Lisbon to Bergen, 18:55'])
  expect(quotationText(items)).toBe('Flights: Bergen to Lisbon, 07:10; Lisbon to Bergen, 18:55')
  expect(quotedLines(items)).toBe('Flights: Bergen to Lisbon, 07:10\nLisbon to Bergen, 18:55')
})
