import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const CHAT = `[12/10/2026, 18:06:30] Ben: ok. is the garden gate still broken?
[12/10/2026, 18:07:01] Marta: fixed it last week, use the back entrance
[02/11/2026, 21:00:05] Marta: the boiler man says he can't do the 9th, he comes on the 11th between 8 and 10
[02/11/2026, 21:03:11] Ben: fine, I can let him in, I work from home that day
`
const JOURNAL = `# Journal

## 2026-11-23

Priya moves the release to 8 December because the audit isn't finished. I have to write the migration notes by Friday.
`

describe('questions about a chat and a journal', () => {
  let memory: ToldMemory
  const ask = async (text: string) => (await memory.ask(text, 'Ben Carter')).response

  beforeAll(async () => {
    const text = { sourceType: 'text' as const, userName: 'Ben Carter' }
    memory = await openToldMemory(
      [],
      [
        { ...text, itemId: 'chat', text: CHAT, fileName: 'chat.txt', contentType: 'text/plain' },
        { ...text, itemId: 'journal', text: JOURNAL, fileName: 'journal.md', contentType: 'text/markdown' },
      ],
    )
  })
  afterAll(() => memory.close())

  test('what was mended is no longer broken', async () => {
    expect(await ask('Is the garden gate still broken?')).toMatch(/^No: .*“fixed it last week/s)
  })

  test('the day on which somebody wrote is not the day that they name by its number', async () => {
    expect(await ask('When does the boiler man come?')).toMatch(/^Marta .*he comes on the 11th between 8 and 10/)
  })

  test('what is to be done by a day is not all that was before', async () => {
    const response = await ask('What do I have to do by Friday?')
    expect(response).not.toContain('Found')
    expect(response).not.toContain('1970')
  })

  test('what happens until a day begins today', async () => {
    expect(await ask('What happens until Friday?')).not.toContain('1970')
  })
})
