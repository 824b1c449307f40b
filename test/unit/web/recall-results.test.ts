import { describe, expect, test } from 'vitest'
import type { FoundMemory } from '../../../src/http/app/schemas/recall.ts'
import { citationText, quotedText } from '../../../src/web/pages/reading/citation.ts'
import { answerParts, statedList } from '../../../src/web/pages/recall/answer-parts.ts'
import { resultRows } from '../../../src/web/pages/recall/result-rows.ts'
import { matchStrength } from '../../../src/web/pages/recall/scores.ts'

const found = (item_id: string, custom_id: string, at: string | null = null): FoundMemory => ({
  custom_id,
  item_id,
  source: 'slack',
  connector: null,
  item_tags: [],
  score: 0.5,
  title: null,
  headline: null,
  narrative: null,
  body: null,
  participants: [],
  when: null,
  at,
  where: null,
  tags: [],
  other_entities: [],
  url: null,
  also_in: [],
  superseded_by: null,
  supersedes: [],
  correction: null,
  notes: [],
  note_on: null,
  pin: null,
  hit: null,
  first_chunk: 0,
  last_chunk: 0,
  matches: { headline: [], narrative: [], body: [] },
  why: { parts: [], words: [] },
})

describe('the rows of the results', () => {
  const results = [found('a', 'a1', '2026-03-01'), found('b', 'b1', '2026-03-04'), found('a', 'a2', '2026-03-05')]
  const rows = (...shown: Parameters<typeof resultRows>) => resultRows(...shown).map(({ key, more }) => [key, more])

  test('hold the results of an item together, where its first one is', () => {
    expect(rows(results, 'relevance', new Set())).toEqual([
      ['slack/a1', 1],
      ['slack/b1', 0],
    ])
    expect(rows(results, 'relevance', new Set(['slack/a']))).toEqual([
      ['slack/a1', 1],
      ['slack/a2', 0],
      ['slack/b1', 0],
    ])
  })

  test('by time begin with the item of the newest result; undated ones are last', () => {
    expect(rows([found('c', 'c1'), ...results], 'time', new Set())).toEqual([
      ['slack/a2', 1],
      ['slack/b1', 0],
      ['slack/c1', 0],
    ])
  })
})

describe('the statements of an answer', () => {
  test('are its lines, without the marks of their citations, and with earlier ones last', () => {
    const response = 'Earlier: Mara: “On 17 March.” [2]\nElif: “On 24 March.” [1] [3] (dated 13 March)\nSee [9].'
    expect(answerParts(response, [1, 2, 3])).toEqual([
      { text: 'Elif: “On 24 March.” (dated 13 March)', citations: [1, 3], isEarlier: false },
      { text: 'See [9].', citations: [], isEarlier: false },
      { text: 'Mara: “On 17 March.”', citations: [2], isEarlier: true },
    ])
  })

  test('have their code below them, unchanged', () => {
    expect(answerParts('“Restart it.” [1]\n```\n# now [1]\n\n  tidepool up\n```\n“Done.” [2]', [1, 2])).toEqual([
      { text: '“Restart it.”', citations: [1], isEarlier: false, code: '# now [1]\n\n  tidepool up' },
      { text: '“Done.”', citations: [2], isEarlier: false },
    ])
  })

  test('are lists where they have the entries of a note, or quotations of several sources', () => {
    expect(statedList('Found 3 still open in “Oslo”: “Book the train; pack; pay 240 euros”')).toEqual({
      opening: 'Found 3 still open in “Oslo”:',
      entries: ['Book the train', 'pack', 'pay 240 euros'],
    })
    expect(statedList('Priya (23 July): “We start; soon.”; Jonas (3 May): “No.”')?.entries).toEqual([
      'Priya (23 July): “We start; soon.”',
      'Jonas (3 May): “No.”',
    ])
    expect(statedList('Priya (23 July): “We start; soon; today.”')).toBeUndefined()
  })

  test('are earlier when a newer statement replaced all that they cite, unless all are', () => {
    const isOutdated = (n: number) => n > 1
    const shown = (response: string) =>
      answerParts(response, [1, 2, 3], isOutdated).map(({ text, isEarlier }) => [text, isEarlier])
    expect(shown('Old. [2]\nNew. [1]\nBoth. [1] [2]')).toEqual([
      ['New.', false],
      ['Both.', false],
      ['Old.', true],
    ])
    expect(shown('Old. [2]\nOlder. [3]')).toEqual([
      ['Old.', false],
      ['Older.', false],
    ])
  })
})

test('a score is worth a word only where it is clear', () => {
  expect([0.97, 0.5, 0.1].map(matchStrength)).toEqual(['strong', undefined, 'weak'])
})

test('a citation names who, where, when and the place of the original', () => {
  const source = { title: 'Checkout weekly', person: 'Jonas Weber', at: '2026-03-03T13:00:00Z', when: null }
  expect(citationText({ ...source, location: 'https://meet.test/1' })).toBe(
    'Jonas Weber, “Checkout weekly”, 3 March 2026, https://meet.test/1',
  )
  expect(citationText({ ...source, person: null, at: null, when: 'in spring', location: 'notes.md' })).toBe(
    '“Checkout weekly”, in spring, notes.md',
  )
})

test('the text of an item is quoted with its speakers and citation, and cut after a passage', () => {
  const say = (text: string) => ({ text, speaker: 'Jonas' })
  expect(quotedText([say('Hello. '), { text: 'A note.', speaker: null }], 'Weekly', 2)).toBe(
    'Jonas: Hello.\n\nA note.\n\n— Weekly',
  )
  const long = [say('a'.repeat(3_900)), say('b'.repeat(200))]
  expect(quotedText(long, 'Weekly', 2)).toBe(`Jonas: ${'a'.repeat(3_900)}\n\n…\n\n— Weekly`)
  const [only, citation] = quotedText([say('c'.repeat(9_000))], 'Weekly', 1).split('\n\n')
  expect(only).toHaveLength(4_001)
  expect([only?.at(-1), citation]).toEqual(['…', '— Weekly'])
})
