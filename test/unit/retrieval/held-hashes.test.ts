import { describe, expect, it } from 'vitest'
import { analyze, hashTerm } from '../../../src/lib/analyze.ts'
import { sentencesOf } from '../../../src/lib/sentences.ts'
import { createHeldHashes, namedWordsOf } from '../../../src/retrieval/question/held-words.ts'
import { createQueryTerm, type QueryTerm } from '../../../src/retrieval/question/query-terms.ts'

const TEXT = `## Backups

The service **ran** a backup every night. Copies were kept in \`/var/backups\`, see [the guide](https://example.com/restore).

| what | when |
| --- | --- |
| logs | weekly |
| database | hourly |

- Restoring took ten minutes
- Parrots and dogs were not harmed`

const term = (word: string): QueryTerm => createQueryTerm(analyze(word)[0]!, 1_000, 10)
const TERMS: readonly QueryTerm[] = [
  term('run'),
  { ...term('animal'), kinds: [term('parrot'), term('horse')] },
  { ...term('recovery'), related: [{ ...term('restoring'), share: 0.8 }] },
  { ...term('database'), typed: analyze('databse')[0]! },
  term('hourly'),
  term('guide'),
  term('missing'),
]

describe('the words of a question that a text may hold', () => {
  const held = createHeldHashes(TERMS)(Uint32Array.from(analyze(TEXT), hashTerm))

  it('contain those that any of its sentences holds, also by past forms, kinds and other forms', () => {
    const asked = new Set(
      TERMS.flatMap(({ hash, kinds = [], related = [] }) => [
        hash,
        ...kinds.map((one) => one.hash),
        ...related.map((one) => one.hash),
      ]),
    )
    const found = sentencesOf(TEXT, 'joined').flatMap((sentence) =>
      [...namedWordsOf(sentence, TERMS)].filter((hash) => asked.has(hash)),
    )
    expect(new Set(found).size).toBe(6)
    expect(new Set(found).isSubsetOf(held)).toBe(true)
  })

  it('leave out what the text does not have', () => {
    for (const word of ['missing', 'horse']) expect(held.has(hashTerm(analyze(word)[0]!))).toBe(false)
  })
})
