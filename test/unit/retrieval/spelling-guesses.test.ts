import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analyze } from '../../../src/lib/analyze.ts'
import { isEnglishStem } from '../../../src/lib/english-words.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const NOTES = `# House

- The stair carpet was cleaned on 3 March
- The plumber repaired the boiler valve
- The bakery on Mill Lane closes at four
- Brian has the spare key of the shed
- The fence panels were painted green
- The kettle was descaled with vinegar
`

describe('a word that is stored nowhere', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    const file = { fileName: 'house.md', contentType: 'text/markdown', sourceType: 'text' } as const
    memory = await openToldMemory([], [{ itemId: 'house', text: NOTES, ...file }])
  })
  afterAll(() => memory.close())

  test.each([
    ['How long was the stay?', /stair/],
    ['What did I say about the fees?', /fence/],
    ['Which bottle did we buy?', /kettle/],
    ['Who settled it?', /kettle/],
  ])('is not taken for another one where it is an English word: %s', async (question, wrong) => {
    const { response } = await memory.ask(question)
    expect(response).not.toMatch(wrong)
  })

  test.each([
    ['What did the plumbr repair?', /boiler valve/],
    ['When does the bakrey on Mill Lane close?', /closes at four/],
    ['Who repaired the boilar valve?', /plumber/],
    ['What did the baker on Mill Lane say about closing?', /closes at four/],
  ])('is looked for as it should be spelt, or by its root: %s', async (question, answer) => {
    const { response, abstained } = await memory.ask(question)
    expect(abstained, response).toBe(false)
    expect(response).toMatch(answer)
  })
})

const isWord = (word: string) => analyze(word).every(isEnglishStem)

test.each(['stay', 'decided', 'happily', 'quickly', 'batteries', 'invoices', 'agreeing'])('%s is a word', (word) =>
  expect(isWord(word)).toBe(true),
)
test.each(['recieve', 'seperate', 'becuase', 'boilr', 'calender', 'Krause'])('%s is no word', (word) =>
  expect(isWord(word)).toBe(false),
)
