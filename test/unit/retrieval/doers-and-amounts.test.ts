import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdsKind } from '../../../src/retrieval/question/answer-kind.ts'
import type { Told } from '../../lib/labelled-pair.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const said = (at: string, speaker: string, text: string): Told => ({ form: 'chat', at, speaker, text })

describe('what people say without naming it', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [
        said('2026-10-20T07:41Z', 'Dylan', 'The extractor makes a grinding noise since yesterday.'),
        said('2026-10-20T07:44Z', 'Aoife', 'I had the extractor open in March and the bearing was worn then.'),
        said('2026-10-25T11:31Z', 'Nora', 'Can I get a kayak lesson for my birthday'),
        said('2026-10-25T11:40Z', 'Grainne', 'I rang them, the kayak course is 165 and starts on 29 March'),
        { form: 'note', at: '2026-09-01T09:00Z', text: 'Table of wood: oak 250 mm, ash 180 mm.' },
      ],
      [
        {
          itemId: 'pages',
          text: '21:10 Table saw Kranz TS 315, 2,390 euros\n\n21:25 Table saw Voss 250 with scoring blade, 3,150 euros',
          fileName: 'pages.md',
          contentType: 'text/markdown',
          sourceType: 'browser',
        },
      ],
    )
  })
  afterAll(() => memory.close())

  const ask = (text: string) => memory.ask(text, 'Tess Moreau')

  test('who did it is who says I', async () => {
    const { response, abstained } = await ask('Who opened the extractor in March?')
    expect(abstained, response).toBe(false)
    expect(response).toMatch(/^Aoife .*had the extractor open/)
  })

  test('an amount in a chat needs no currency', async () => {
    const { response, abstained } = await ask("How much did Nora's kayak course cost?")
    expect(abstained, response).toBe(false)
    expect(response).toMatch(/^Grainne .*165/)
  })

  test('a visited page does not say when something was bought', async () => {
    const { response, abstained } = await ask('When did we buy the Voss 250?')
    expect(abstained, response).toBe(true)
  })
})

test.each([
  ['It was 52 each.', true],
  ['We paid 1,250 altogether', true],
  ['The grant is 7,500 for now', false],
  ['The course is 12 weeks long', false],
  ['It was 2019, I think', false],
  ['She is 1.75 metres tall', false],
])('an amount without a currency: %s %s', (text, isAmount) => expect(holdsKind('money', text, 0)).toBe(isAmount))
