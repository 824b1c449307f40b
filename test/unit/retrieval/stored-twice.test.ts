import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewText } from '../../eval/evaluation-store.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const CHAT = `[18/11/2026, 19:02:11] Theo Marsh: is my wheel done?
[18/11/2026, 19:10:45] Ines: Tomorrow evening, promise
[19/11/2026, 18:34:10] Theo Marsh: how long is the ride again?
[19/11/2026, 18:36:00] Ines: 208 km, start 6 am at Aztec West
`

/** The same file in a folder that two connectors read. */
const stored = (itemId: string, sourceType: NewText['sourceType']): NewText => ({
  itemId,
  text: CHAT,
  fileName: 'chat.txt',
  contentType: 'text/plain',
  sourceType,
})

describe('a text that two sources have', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory([], [stored('notes', 'text'), stored('docs', 'technical_docs')])
  })
  afterAll(() => memory.close())

  test('is quoted once in an answer', async () => {
    const { text } = await memory.ask('How long is the ride?', 'Ines')
    expect(text.split('how long is the ride again?')).toHaveLength(2)
  })

  test('is one entry of the list of a day', async () => {
    const { text } = await memory.ask('What happened on 18 November 2026?', 'Ines')
    expect(text).toContain('Found 1 dated 18 November 2026:')
    expect(text.split('is my wheel done?')).toHaveLength(2)
  })
})

describe('texts with the same words about different things', () => {
  const deposit = { at: '2026-11-18T09:00:00Z', form: 'note', text: 'The deposit is 900 euros.' } as const
  const pill = { form: 'chat', speaker: 'Ann', text: 'I took the antibiotic.' } as const
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [
        { ...deposit, title: 'Flat in Elm Street' },
        { ...deposit, title: 'Flat in Oak Street' },
        { ...pill, at: '2026-11-20T08:00:00Z' },
        { ...pill, at: '2026-11-20T20:00:00Z' },
      ],
      [],
    )
  })
  afterAll(() => memory.close())

  test('are all quoted if their titles or times differ', async () => {
    const { citations } = await memory.ask('How much is the deposit?', 'Ines')
    expect(citations.map(({ title }) => title).toSorted()).toEqual(['Flat in Elm Street', 'Flat in Oak Street'])
    const { citations: taken } = await memory.ask('When did Ann take the antibiotic?', 'Ines')
    expect(taken.map(({ when }) => when)).toEqual(
      expect.arrayContaining(['20 November 2026, 08:00', '20 November 2026, 20:00']),
    )
  })

  test('are all in the list of a day if their titles differ', async () => {
    const { text } = await memory.ask('What happened on 18 November 2026?', 'Ines')
    for (const street of ['Elm Street', 'Oak Street']) expect(text).toContain(street)
  })
})

describe('copies of what somebody said', () => {
  const said = {
    at: '2026-11-19T18:36:00Z',
    form: 'minutes',
    speaker: 'Ines',
    text: 'The ride is 208 km long.',
  } as const
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [
        ...['Bikes', 'Plans', 'Summer', 'Friends'].map((title) => ({ ...said, title })),
        { at: '2026-11-20T09:00:00Z', form: 'note', title: 'Route', text: 'The ride over the passes is 190 km long.' },
        { at: '2026-11-21T09:00:00Z', form: 'note', title: 'Lake', text: 'We had a ride along the lake, too.' },
      ],
      [],
    )
  })
  afterAll(() => memory.close())

  test('leave room for another source in an answer', async () => {
    const { citations } = await memory.ask('How long is the ride?', 'Theo Marsh')
    expect(citations.filter(({ quote }) => quote === 'The ride is 208 km long.')).toHaveLength(1)
    expect(citations.map(({ title }) => title)).toContain('Lake')
  })
})
