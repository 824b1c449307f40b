import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { analyze } from '../../../src/lib/analyze.ts'
import { joinsWords, sentencesOf } from '../../../src/lib/sentences.ts'
import { withinProcessorTime } from '../../lib/processor-time.ts'

const PIECES =
  'data base 数据 库 猫 é v1 2 \n * ** _base_ _库_ __base__ [ [[ ] ]] ](https://a.example) | - . , : / ( ) <@U02BOB> <#C04ABC|general> <https://a.example|x> <https://a.example> <b> </b>'.split(
    ' ',
  )

describe('marks within words', () => {
  test('are the only reason why sentences have words that their text lacks', () => {
    const text = fc.array(fc.constantFrom(...PIECES, ' ', '. '), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(text, (pieces) => {
        const written = pieces.join('')
        const held = new Set(analyze(written))
        const lacking = sentencesOf(written, 'joined')
          .flatMap(analyze)
          .filter((term) => !held.has(term))
        expect(lacking.length === 0 || joinsWords(written), `${written}: ${lacking.join(' ')}`).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })

  test.each([
    'Set **max_uploads** to 20, then _restart_ it.',
    '**Note:** see [the guide](https://a.example/b), or (*briefly*) below.',
    '- [x] **Back up**: weekly\n- [ ] restore\n\n| **what** | when |\n|---|---|\n| `a_b` | 3 * 4 |',
    'Run `npm run build`, see https://a.example/x_y.',
  ])('are not those around words: %s', (text) => {
    expect(joinsWords(text)).toBe(false)
  })

  test.each(['data**base**', 'data::__base__', 'data[[. |base]]'])('are those within words: %s', (text) => {
    expect(joinsWords(text)).toBe(true)
  })

  test.each(['a**', 'a](', 'a](b', 'a_', 'a<https:', 'a.*', 'a['])('are found in linear time among %s', async (run) => {
    await withinProcessorTime(3, () => joinsWords(run.repeat(100_000)))
  })
})
