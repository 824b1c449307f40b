import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { relatedStems } from '../../../src/retrieval/question/word-families.ts'
import type { Told } from '../../lib/labelled-pair.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const stemsOf = (stem: string) => relatedStems(stem).map((one) => one.stem)
const shareOf = (stem: string, other: string) => relatedStems(stem).find((one) => one.stem === other)?.share

test.each([
  ['sell', 'sold'],
  ['sold', 'sell'],
  ['child', 'children'],
  ['marri', 'marriag'],
  ['deliv', 'deliveri'],
  ['seven', '7'],
])('%s and %s are forms of one word, which count fully', (stem, other) => expect(shareOf(stem, other)).toBe(1))

test.each([
  ['surgeri', 'oper'],
  ['movi', 'film'],
  ['doctor', 'gp'],
  ['vacat', 'holidai'],
])('%s and %s mean the same, which counts half', (stem, other) => expect(shareOf(stem, other)).toBe(0.5))

test.each([
  ['present', 'gift'],
  ['partner', 'wife'],
  ['second', 'two'],
  ['issu', 'problem'],
  ['store', 'shop'],
  ['tablet', 'pill'],
  ['imag', 'photo'],
  ['seen', 'see'],
  ['one', 'first'],
])('%s is not taken for %s, which it seldom means', (stem, other) => expect(stemsOf(stem)).not.toContain(other))

const said = (at: string, speaker: string, text: string): Told => ({ form: 'chat', at, speaker, text })

describe('questions in other words than the texts', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [
        said('2026-05-03T18:40Z', 'Ilse', 'The surgery on my shoulder went well, I am home again.'),
        said('2026-05-04T18:40Z', 'Henrik', 'The plumber comes on Monday at ten.'),
        said('2026-05-05T18:40Z', 'Amrit', 'Rose waters the tomatoes while we are away.'),
        { form: 'note', at: '2026-06-01T09:00Z', text: 'Sold the trailer to Mr. Brandvold for 1,200 euros.' },
        { form: 'note', at: '2026-06-02T09:00Z', text: 'The price of copper rises again, says the news.' },
        said('2026-06-03T18:40Z', 'Ilse', 'The yoga class starts at nine now, and the gym closes at eight.'),
        said('2026-06-04T18:40Z', 'Henrik', 'My wife is reading a film magazine on the train.'),
        said('2026-06-05T18:40Z', 'Amrit', 'I rented a van for Saturday, the lease of the office ends in May.'),
        { form: 'note', at: '2026-06-06T09:00Z', text: 'Paid the bill of the garage: 310 euros for the brakes.' },
        said('2026-06-07T18:40Z', 'Ilse', 'Seven people came to the picnic.'),
      ],
      [],
    )
  })
  afterAll(() => memory.close())

  const ask = (text: string) => memory.ask(text, 'Tess Moreau')

  test('a past form and a synonym answer', async () => {
    expect((await ask('Who did I sell the trailer to?')).response).toMatch(/^“Sold the trailer to Mr. Brandvold/)
    expect((await ask('How did the operation on Ilse’s shoulder go?')).response).toMatch(/^Ilse .*surgery/)
  })

  test('a name is no form of a verb', async () => {
    expect((await ask('What does our neighbor Rose water?')).response).toMatch(/Rose waters the tomatoes/)
  })

  test.each([
    'When did I sell the caravan?',
    'How much did the operation on Henrik’s knee cost?',
    'What did I pay for the purchase of the copper lamp?',
    'Which movie did Henrik see in May?',
    'How much was the invoice of the dentist?',
    'Which spouse of Amrit is a teacher?',
    'When does the lesson in pottery begin?',
    'What did Ilse buy for the wedding?',
  ])('%s finds no answer in the verb or its synonym alone', async (question) => {
    const { response, abstained } = await ask(question)
    expect(abstained, response).toBe(true)
  })

  test.each([
    'Does the operation start at nine?',
    'Did Henrik sell the trailer?',
    'Is the flat rented for Saturday?',
    'Did seven children come to the picnic?',
    'Was the lease of the van paid?',
    'Is the movie on Saturday?',
  ])('%s is no yes for words that only mean the same', async (question) => {
    expect((await ask(question)).response).not.toMatch(/^Yes\b/)
  })
})
