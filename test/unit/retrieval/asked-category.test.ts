import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kindsOf } from '../../../src/lib/word-kinds.ts'
import { askedCategory } from '../../../src/retrieval/question/asked-category.ts'
import type { Told } from '../../lib/labelled-pair.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

test.each([
  ['instrument', 'cello', 'microscope'],
  ['pets', 'hamster', 'table'],
  ['language', 'italian', 'violin'],
  ['sport', 'tennis', 'kettle'],
  ['sport', 'swimming', 'boxing'],
  ['medicine', 'penicillin', 'bicycle'],
])('kinds of %s: %s, but not %s', (category, kind, other) => {
  expect(kindsOf(category).has(kind)).toBe(true)
  expect(kindsOf(category).has(other)).toBe(false)
})

test('no word has no kinds', () => expect(kindsOf('S').size).toBe(0))

test('a category that is too wide has no kinds', () => expect(kindsOf('event').size).toBe(0))

test.each([
  ['Which musical instrument does Zora play?', 'instrument'],
  ["What kinds of medicine mustn't I take?", 'medicin'],
  ['What time does the train leave?', undefined],
  ['Who plays the cello?', undefined],
  ['Which constructor does the parser call?', 'constructor'],
])('%s asks for a kind of %s', (question, term) => expect(askedCategory(question)?.term).toBe(term))

const said = (at: string, speaker: string, text: string): Told => ({ form: 'chat', at, speaker, text })

describe('one of a category is asked for', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [
        said('2026-05-03T18:40Z', 'Zora', 'I have my cello lesson at four, see you after it.'),
        said('2026-05-04T18:40Z', 'Henrik', 'The knife is in the drawer.'),
        said('2026-05-05T18:40Z', 'Amrit', "Our hamster got out again, it's behind the fridge."),
        { form: 'note', at: '2026-06-01T09:00Z', text: 'Allergies of Zora: penicillin (rash in 2019).' },
      ],
      [],
    )
  })
  afterAll(() => memory.close())

  const ask = (text: string) => memory.ask(text, 'Tess Moreau')

  test('a word for one of its kinds answers', async () => {
    expect((await ask('What instrument does Zora play?')).response).toMatch(/^Zora .*cello/)
    expect((await ask('Which pet does Amrit have?')).response).toMatch(/^Amrit .*hamster/)
    expect((await ask('Which medicine is Zora allergic to?')).response).toMatch(/^“?Allergies of Zora: penicillin/)
  })

  test('that of somebody else does not', async () => {
    const { response, abstained } = await ask('What instrument does Henrik play?')
    expect(abstained, response).toBe(true)
  })
})
