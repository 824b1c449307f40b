import { expect, test } from 'vitest'
import type { EmbeddingOverview } from '../../../src/administration/administration.ts'
import { embeddingText } from '../../../src/cli/health/model-status.ts'
import { pageFor } from '../../../src/cli/terminal/layout.ts'

const now = new Date(2026, 0, 1, 10)
const text = (more: Partial<EmbeddingOverview>) => {
  const page = pageFor({ stdout: { write: () => undefined }, stderr: { write: () => undefined }, env: {} }, now)
  return embeddingText({ model: 'the built-in model', problems: [], ...more }, page)
}
const ASKED = 'Recall uses the built-in model.\n'

test.each<[Partial<EmbeddingOverview>, string]>([
  [{}, ''],
  [{ model: 'openai:x', texts: { all: 3, embedded: 2 } }, 'Recall uses openai:x; 1 text is waiting for a vector.\n'],
  [
    { building: { model: 'openai:x', all: 3, embedded: 2 } },
    `${ASKED}Building the vectors of openai:x: 2 of 3 texts.\n`,
  ],
  [
    { building: { model: 'openai:x', all: 3, embedded: 3 } },
    `${ASKED}The vectors of openai:x are ready. Run "recalld reindex --switch" to switch to them.\n`,
  ],
  [
    { problems: [{ message: 'openai:x failed (HTTP 500).', retry_at: new Date(2026, 0, 1, 11).toISOString() }] },
    `${ASKED}openai:x failed (HTTP 500). Next attempt at 11:00.\n`,
  ],
])('status tells of the embedding model %o', (overview, written) => {
  expect(text(overview)).toBe(written)
})
