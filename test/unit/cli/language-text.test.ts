import { expect, test } from 'vitest'
import type { LanguageOverview } from '../../../src/administration/administration.ts'
import { languageText } from '../../../src/cli/health/model-status.ts'
import { pageFor } from '../../../src/cli/terminal/layout.ts'

const now = new Date(2026, 0, 1, 10)
const text = (more: Partial<LanguageOverview>) => {
  const nothing = { model: 'openai:x', waiting: [], refined: 0, unproven: 0, given_up: 0, given_up_items: [] }
  const page = pageFor({ stdout: { write: () => undefined }, stderr: { write: () => undefined }, env: {} }, now)
  return languageText({ ...nothing, spent_today: { tokens: 0, dollars: 0 }, ...more }, page)
}
const until = (hours: number) => new Date(2026, 0, 1, hours).toISOString()

test.each([
  [{}, ''],
  [{ waiting: [{ items: 3 }] }, '3 items are waiting for the language model.\n'],
  [
    { waiting: [{ items: 312, reason: 'budget', message: 'daily budget used up', until: until(12) }] },
    '312 items are waiting for the language model: daily budget used up, continues at 12:00.\n',
  ],
  [
    { waiting: [{ items: 1, reason: 'away', message: 'openai:x failed (HTTP 500).', until: until(11) }] },
    '1 item is waiting for the language model:\n  openai:x failed (HTTP 500). Next attempt at 11:00.\n',
  ],
  [
    { waiting: [{ items: 2, reason: 'refused', message: 'openai:x rejected the key.' }] },
    '2 items are waiting for the language model:\n  openai:x rejected the key. Restart recalld to try again.\n',
  ],
  [{ model: null, waiting: [{ items: 2 }] }, '2 items are waiting for the language model, but none is configured.\n'],
  [
    { refined: 1_204, unproven: 14, spent_today: { tokens: 12_345, dollars: 0.0123 } },
    'The language model extracted memories from 1204 items; 14 statements not found in the source left out.\nSpent on it today: 12,345 tokens, $0.0123.\n',
  ],
] satisfies [Partial<LanguageOverview>, string][])('the status says of %j', (overview, expected) => {
  expect(text(overview)).toBe(expected)
})

test('the status names what was given up, and the remedy', () => {
  const item = { item_id: 'thread', source_type: 'slack', error: 'openai:x returned invalid JSON twice.' } as const
  const shown = text({ given_up: 1, given_up_items: [item] })
  expect(shown).toContain('Run "recalld retry" to try them again')
  expect(shown).toContain('slack/thread  openai:x returned invalid JSON twice.')
})
