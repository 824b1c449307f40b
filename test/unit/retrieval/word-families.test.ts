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
  ['tooth', 'teeth'],
  ['marri', 'marriag'],
  ['deliv', 'deliveri'],
])('%s and %s are forms of one word, which count fully', (stem, other) => expect(shareOf(stem, other)).toBe(1))

test.each([
  ['surgeri', 'oper'],
  ['movi', 'film'],
  ['doctor', 'gp'],
  ['seven', '7'],
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
  ['shoot', 'shot'],
  ['life', 'live'],
  ['break', 'broken'],
  ['sit', 'sat'],
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

const note = (text: string): Told => ({ form: 'note', at: '2026-06-01T09:00Z', text })

describe('words that also mean something else', () => {
  test.each([
    ['Flu shot on 9 November', 'When is the photo shoot?'],
    ['Dish washer repair on 9 May', 'When was the meal?'],
    ['Annual leave from 20 December', 'When do I depart?'],
    ['The phone company moved to Lund', 'Where did my employer relocate?'],
    ['The work on the roof begins on 5 May', 'When does my job start?'],
    ['Mother of pearl buttons cost 40 euros', 'How much does my mom get?'],
    ['The wood for the stove costs 300', 'How much is the forest?'],
    ['The course of antibiotics takes 10 days', 'How long is the lesson?'],
    ['Party conference on 12 May', 'When is our celebration?'],
    ['Prize for the best jam: 50', 'How much is the award?'],
    ['My credit at the library is 20', 'How much is my loan?'],
    ['Fire exercise on 5 May', 'When is my training?'],
    ['The mobile library comes on Tuesdays', 'Which phone do I have?'],
    ['The manager of the apartment building comes on 4 May', 'When does my boss come?'],
    ['The flat tire was fixed on 5 May', 'When was the apartment fixed?'],
    ['Fly screen for the window costs 30', 'How much was the flight?'],
    ['The fixed price is 300 euros', 'What is the price of the repair?'],
    ['Dentist on 5 May', 'When do the five of us travel?'],
    ['The operating system was updated on 5 May', 'When is the surgery?'],
  ])('%s doesn’t answer: %s', async (text, question) => {
    const memory = await openToldMemory([note(text)], [])
    const { response, abstained } = await memory.ask(question, 'Tess Moreau')
    await memory.close()
    expect(abstained, response).toBe(true)
  })

  test('a life insurance isn’t where somebody lives, and a purse is no wallet', async () => {
    const memory = await openToldMemory(
      [
        note('My parents signed a life insurance in Basel'),
        note('My parents live in Olten'),
        note('The wallet was 40 euros.'),
        note('The purse was 90 euros.'),
      ],
      [],
    )
    const home = await memory.ask('Where do my parents live?', 'Tess Moreau')
    const wallet = await memory.ask('How much was the wallet?', 'Tess Moreau')
    await memory.close()
    expect(home.response).toMatch(/^“My parents live in Olten/)
    expect(wallet.response).toMatch(/^“The wallet was 40 euros/)
    expect(wallet.response).not.toMatch(/purse/)
  })

  test('what only means the same is shown as the closest, unless the person asked about says it', async () => {
    const memory = await openToldMemory(
      [
        note('Mother of pearl buttons cost 40 euros'),
        said('2026-05-03T18:40Z', 'Ilse', 'I enjoy sailing most of all.'),
      ],
      [],
    )
    const paid = await memory.ask('How much does my mom get?', 'Tess Moreau')
    const loved = await memory.ask('What does Ilse love?', 'Tess Moreau')
    await memory.close()
    expect(paid.abstained, paid.response).toBe(true)
    expect(paid.response).toMatch(/Mother of pearl/)
    expect(loved.response).toMatch(/^Ilse .*sailing/)
  })
})
