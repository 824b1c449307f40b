import { expect, test } from 'vitest'
import { mergeResults } from '../../eval/results-file.ts'

const OLD = `# Retrieval

About it.

| set | system | hit@1 |
| --- | --- | --- |
| b-dev | bm25 | 10.0 |
| b-dev: one kind | bm25 | 11.0 |
| c-dev | bm25 | 12.0 |

## Answers

| set | right |
| --- | --- |
| c-dev | 50.0 |
`

function measured(rows: readonly string[]) {
  return { introduction: '# Retrieval\n\nAbout it now.', head: ['set', 'system', 'sessions', 'hit@1'], rows }
}

test('the rows of a measured set are replaced, and those of other sets and sections stay', () => {
  const text = mergeResults(OLD, [measured(['| b-dev | bm25 | 2.0 | 20.0 |', '| a-dev | bm25 | 1.0 | 30.0 |'])])
  expect(text).toBe(`# Retrieval

About it now.

| set | system | sessions | hit@1 |
| --- | --- | --- | --- |
| a-dev | bm25 | 1.0 | 30.0 |
| b-dev | bm25 | 2.0 | 20.0 |
| c-dev | bm25 | - | 12.0 |

## Answers

| set | right |
| --- | --- |
| c-dev | 50.0 |
`)
})

test('without an old text only what was measured is written', () => {
  const text = mergeResults('', [measured(['| b-dev | bm25 | 2.0 | 20.0 |'])])
  expect(text).not.toContain('c-dev')
  expect(text).toMatch(/20\.0 \|\n$/)
})
