import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerKind, holdsKind } from '../../../src/retrieval/question/answer-kind.ts'
import { amountsIn, askedMeasure, withoutMeasure } from '../../../src/retrieval/question/measure.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const DIARY = `# Diary

## 2026-10-12
Swam 1200 m in 31 minutes. The pool is crowded on Sundays.

## 2026-10-14
Rowed 6 km with Ines, 40 minutes.

## 2026-10-17
Swam 1.5 km, 38 minutes. Shoulder hurts a bit.

## 2026-10-20
Swam 900 m, stopped early.
`
const FLAT = `# The flat

- [x] measure the window (1.62 m)
- the shelf: 2.10 m, oak
- the sofa weighs 48 kg, two people carry it
- Miso is 12 years old

## Quotes for the floor

- Mayer: 3,200 €
- Huber: 2,850 €
- Bodenwelt: 4,100 €
`

describe('a question for a measure', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    const file = { contentType: 'text/markdown', sourceType: 'text' } as const
    memory = await openToldMemory(
      [],
      [
        { itemId: 'diary', text: DIARY, fileName: 'diary.md', ...file },
        { itemId: 'flat', text: FLAT, fileName: 'flat.md', ...file },
      ],
    )
  })
  afterAll(() => memory.close())

  const ask = (text: string) => memory.ask(text, 'Tess Moreau')

  test.each([
    ['How wide is the window?', /^“measure the window \(1\.62 m\)”/],
    ['How long is the shelf?', /^“the shelf: 2\.10 m/],
    ['How heavy is the sofa?', /^“the sofa weighs 48 kg/],
  ])('is answered by an amount with a fitting unit: %s', async (question, answer) => {
    const { response, abstained } = await ask(question)
    expect(abstained, response).toBe(false)
    expect(response).toMatch(answer)
  })

  test('is not answered by an amount of something else', async () => {
    const { response, abstained } = await ask('How deep is the pool?')
    expect(abstained, response).toBe(true)
  })

  test('of the last time is answered by the newest amount', async () => {
    const { response, abstained } = await ask('How far did I swim last time?')
    expect(abstained, response).toBe(false)
    expect(response).toMatch(/^“Swam 900 m/)
  })

  test.each([
    ['What was my longest swim?', /^The longest of 3: “Swam 1\.5 km/],
    ['What was my shortest swim?', /^The shortest of 3: “Swam 900 m/],
    ['What is the cheapest quote for the floor?', /^The cheapest of 3: “Huber: 2,850 €”/],
    ['Which quote for the floor is the most expensive?', /^The most expensive of 3: “Bodenwelt: 4,100 €”/],
  ])('compares the amounts of like statements: %s', async (question, answer) => {
    const { response, abstained } = await ask(question)
    expect(abstained, response).toBe(false)
    expect(response).toMatch(answer)
  })
})

test('amounts are read in the base unit of what they measure', () => {
  expect(amountsIn('Ran 7 km in 41 minutes for 3,200 €').map(({ dimension, value }) => [dimension, value])).toEqual([
    ['length', 7000],
    ['duration', 2460],
    ['money', 3200],
  ])
  expect(amountsIn('2 adults at 9:30 on 3 May 2026')).toEqual([])
})

test.each([
  ['How tall is she?', 'She is 1.75 m tall', true],
  ['How tall is she?', 'She is at school until six', false],
  ['How far is the lake?', 'It is 20 minutes on foot', true],
])('%s is answered by what measures it: %s %s', (question, text, isAnswer) =>
  expect(holdsKind(answerKind(question), text, 0)).toBe(isAnswer),
)

test('words of measure are not searched for', () => {
  expect(withoutMeasure('How wide is the wall?')).toBe('how is the wall?')
  expect(withoutMeasure('What was the biggest challenge?')).toBe('What was the biggest challenge?')
  expect(withoutMeasure('How long have we lived here?')).toBe('How long have we lived here?')
  expect(askedMeasure('How long is the shelf?')).toEqual(['length', 'duration'])
  expect(askedMeasure('How long was the meeting?')).toBeUndefined()
})
