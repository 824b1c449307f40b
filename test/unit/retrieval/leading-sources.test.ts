import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Told } from '../../lib/labelled-pair.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const note = (itemId: string, title: string, text: string) => ({
  itemId,
  text: `---\ntitle: ${title}\nwhen: 2026-10-0${itemId.length % 9}\n---\n\n# ${title}\n\n${text}\n`,
  fileName: `${itemId}.md`,
  contentType: 'text/markdown',
  sourceType: 'text' as const,
})
const NOTES = [
  note('sailing', 'Packing list for the boat', '- Oilskins\n- Flares, two of them\n- Chart of the sound'),
  note('garden', 'Plants', '## Ordered\n\n- Foxglove\n- Sea holly, blue\n- Hart’s tongue\n\n## Wanted\n\n- Meconopsis'),
]
const CHAT = `---
title: "Mirko Dahl"
when: 2026-10-12T09:10:00Z
---
Mirko Dahl [2026-10-12 09:20]: Last Friday I went to the harbour council meeting. They voted for the longer pier and against the crane.
Tessa Moreau [2026-10-12 09:22]: Good to hear.
Mirko Dahl [2026-10-12 09:40]: No sausages for me, I became vegetarian last spring.
`
const TOLD: readonly Told[] = [
  {
    form: 'chat',
    at: '2026-09-04T09:00Z',
    speaker: 'Oda',
    text: 'Borgen wanted 2,150 euros for the boiler in the mill.',
  },
  {
    form: 'chat',
    at: '2026-09-11T09:00Z',
    speaker: 'Jens',
    text: 'Selma wanted 2,400 euros for the boiler in the mill.',
  },
  { form: 'chat', at: '2026-09-18T09:00Z', speaker: 'Oda', text: 'I painted the boiler in the mill on Sunday.' },
]

describe('the first line of an answer', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(TOLD, [
      ...NOTES,
      { itemId: 'mirko', text: CHAT, fileName: 'mirko.md', contentType: 'text/markdown', sourceType: 'slack' },
    ])
  })
  afterAll(() => memory.close())

  test('lists a note whose title is asked about, and says how many entries it has', async () => {
    const { response, abstained } = await memory.ask('What is on the packing list for the boat?')
    expect(abstained).toBe(false)
    expect(response).toMatch(
      /^Found 3 in “Packing list for the boat”: “Oilskins; Flares, two of them; Chart of the sound” \[1\]/,
    )
  })

  test('lists only the section that is asked about', async () => {
    const { response } = await memory.ask('Which plants did I order?')
    expect(response).toMatch(/^Found 3 in “Plants”: “Foxglove; Sea holly, blue; Hart’s tongue” \[1\]/)
  })

  test('lists no note for somebody whom it does not name', async () => {
    expect((await memory.ask('Which plants did Mirko recommend?')).response).not.toMatch(/^Found/)
  })

  test('goes on behind a sentence that repeats the question', async () => {
    expect((await memory.ask('What happened at the harbour council meeting?')).response).toMatch(
      /^Mirko Dahl .*“Last Friday I went to the harbour council meeting\. They voted for the longer pier/,
    )
  })

  test('has a second candidate for a value', async () => {
    const { response } = await memory.ask('How much was wanted for the boiler in the mill?')
    const [line = ''] = response.split('\n')
    expect(line).toContain('2,150 euros')
    expect(line).toContain('2,400 euros')
    expect(line).not.toContain('painted')
  })

  test('begins with no day of a message that names a season', async () => {
    expect((await memory.ask('When did Mirko become vegetarian?')).response).toMatch(
      /^Mirko Dahl \(12 October 2026\): “.*I became vegetarian last spring/,
    )
  })

  test('has one candidate for a day', async () => {
    const { response } = await memory.ask('When did Oda paint the boiler in the mill?')
    expect(response.split('\n')[0]).not.toContain('euros')
  })
})
