import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { spellingVariants } from '../../../src/retrieval/question/spelling-variants.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const NOTES = `# House

- The licence of the heating app expires in March
- To roll back a release run \`ship undo\`
- Log in to the router with the password on its sticker
- The colour of the hall: sage green
- Set up the printer: hold both buttons for 5 seconds
- Organization of the shed: hooks on the left wall
- The centre of the plot is marked by a pole
`

describe('a word in another spelling', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    const file = { fileName: 'house.md', contentType: 'text/markdown', sourceType: 'text' } as const
    memory = await openToldMemory([], [{ itemId: 'house', text: NOTES, ...file }])
  })
  afterAll(() => memory.close())

  test.each([
    ['When does the license of the heating app expire?', /^“The licence/],
    ['How do I do a rollback of a release?', /^“To roll back a release/],
    ['How do I login to the router?', /^“Log in to the router/],
    ['What color is the hall?', /^“The colour of the hall: sage green/],
    ['What about the organisation of the shed?', /^“Organization of the shed/],
    ['What marks the center of the plot?', /^“The centre of the plot/],
  ])('is found: %s', async (question, answer) => {
    const { response, abstained } = await memory.ask(question)
    expect(abstained, response).toBe(false)
    expect(response).toMatch(answer)
  })
})

test.each([
  ['license', 'licenc'],
  ['colours', 'color'],
  ['center', 'centr'],
  ['organised', 'organ'],
  ['rollback', 'roll'],
  ['setup', 'set'],
  ['login', 'log'],
])('%s may be spelt %s', (word, stem) => expect([...spellingVariants(word).values()].flat()).toContain(stem))

test('a verb and its particle may be one word', () =>
  expect([...spellingVariants('How do we roll back?').values()].flat()).toContain('rollback'))

test.each(['cabin', 'button', 'cup', 'person'])('%s is no verb with a particle', (word) =>
  expect(spellingVariants(word).size).toBe(0),
)
