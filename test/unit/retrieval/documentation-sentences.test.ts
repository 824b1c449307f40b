import { expect, test } from 'vitest'
import { documentedSoft } from '../../../src/retrieval/answer/sentences/documented-values.ts'
import { instructs } from '../../../src/retrieval/answer/sentences/instructions.ts'
import { entriesOf } from '../../../src/retrieval/answer/sentences/labeled-items.ts'

test.each([
  ['Setting TELEMETRY to 0 disables telemetry.', true],
  ['Telemetry is disabled in Settings.', true],
  ['It is up to admins to open a ticket on telemetry.', true],
  ['It is up to admins to open a ticket.', false],
  ['A disabled router sends nothing.', false],
  ['Telemetry had been disabled by hand.', false],
  ['Never disable telemetry in a test.', false],
])('says how to disable telemetry: %s %s', (sentence, isSaid) =>
  expect(instructs(sentence, 'How do I disable telemetry?')).toBe(isSaid),
)

test('a row is matched by its words, and another sentence by its headings, too', () => {
  expect(documentedSoft('Uploads | PDF | 20 MB', 0.9, 0.4)).toBe(0.4)
  expect(documentedSoft('Uploads are limited.', 0.2, 0.4)).toBe(0.4)
})

test('the entries of at most 100 lists of a text are read', () => {
  const text = Array.from({ length: 150 }, (_, i) => `What list ${i} has:\n\n- item ${i}\n`).join('\n')
  const labels = [...entriesOf(text).values()].map(({ label }) => label.trim())
  expect(labels).toContain('What list 99 has:')
  expect(labels).not.toContain('What list 100 has:')
})
