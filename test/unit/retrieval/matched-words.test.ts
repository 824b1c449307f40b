import { describe, expect, it } from 'vitest'
import { analyze } from '../../../src/lib/analyze.ts'
import { matchedSpans, typedWords, wordForTerm } from '../../../src/retrieval/recall/explain-recall.ts'

/** The words of a text that a question finds. */
function marked(question: string, text: string): string[] {
  return matchedSpans(text, new Set(analyze(question))).map(([start, end]) => text.slice(start, end))
}

describe('the words of a question in a text', () => {
  it('are found in any form', () => {
    expect(marked('migrate the databases', 'We migrated; the database migration is done.')).toEqual([
      'migrated',
      'database',
      'migration',
    ])
  })

  it('leave out what every text holds', () => {
    expect(marked('what is the plan', 'What is the plan?')).toEqual(['plan'])
  })

  it('are the parts of an identifier that match, or all of it', () => {
    expect(marked('checkout', 'see src/checkout/cart.ts')).toEqual(['checkout'])
    expect(marked('OPS-1423', 'Closed ops-1423 today, and OPS-99')).toEqual(['ops', '1423', 'OPS'])
    expect(marked('1.2.3', 'released 1.2.3, not 1.2.4')).toEqual(['1.2.3'])
  })

  it('are found under accents, in other scripts and in text without spaces', () => {
    expect(marked('cafe', 'Das Café am See')).toEqual(['Café'])
    expect(marked('квартиру', 'Мы переехали в новую квартиру.')).toEqual(['квартиру'])
    expect(marked('机器学习', '我们决定下周开始学习机器学习')).toEqual(['学习机器学习'])
  })

  it('are places in UTF-16 units that do not overlap', () => {
    expect(matchedSpans('🐶🐶 puppy', new Set(analyze('puppies')))).toEqual([[5, 10]])
    expect(matchedSpans('', new Set(['x']))).toEqual([])
  })

  it('are told as they are typed and as they are written', () => {
    const [term] = analyze('migrations')
    expect(typedWords('Which migrations failed?').get(term!)).toBe('migrations')
    expect(wordForTerm(term!, ['nothing', 'the Migration of 2025'])).toBe('Migration')
    expect(wordForTerm(term!, ['nothing'])).toBeUndefined()
  })
})
