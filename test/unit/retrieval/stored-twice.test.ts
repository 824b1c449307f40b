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
