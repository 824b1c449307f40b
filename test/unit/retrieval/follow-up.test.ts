import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const CHAT = `[02/03/2026, 18:00:00] Lena: We finally signed the lease for the bakery! I'm so relieved.
[02/03/2026, 18:01:00] Omar: Wow, congratulations! Where is the bakery, and how big is it?
[02/03/2026, 18:03:00] Lena: Thanks! It's on Kantstrasse, right behind the old cinema. The oven arrives in May.
[02/03/2026, 18:04:00] Omar: Sounds lovely. What are you going to bake there?
[02/03/2026, 18:06:00] Lena: Mostly rye loaves and cardamom buns.
[09/03/2026, 20:00:00] Omar: I've started swimming before work. It clears my head for the day.
[09/03/2026, 20:02:00] Lena: Good for you! Did you hear about the storm?
[09/03/2026, 20:05:00] Omar: Yes, it took two tiles off our roof.
[15/03/2026, 10:00:00] Lena: My grandmother taught me to knead by hand. That is how I learned to be patient.
`

describe('the first line of an answer from a chat', () => {
  let memory: ToldMemory
  const ask = async (text: string) => (await memory.ask(text, 'Lena Voss')).text.split('\n')[0]

  beforeAll(async () => {
    memory = await openToldMemory(
      [],
      [{ itemId: 'chat', text: CHAT, fileName: 'chat.txt', contentType: 'text/plain', sourceType: 'text' }],
    )
  })
  afterAll(() => memory.close())

  test('has the reply to somebody who asked the same about a statement', async () => {
    expect(await ask('Where is the bakery for which Lena signed the lease?')).toMatch(
      /signed the lease.*on Kantstrasse/,
    )
  })

  test('has the reply to a later question about the same', async () => {
    expect(await ask('What will Lena bake in the bakery for which she signed the lease?')).toMatch(
      /rye loaves and cardamom buns/,
    )
  })

  test('has no reply to a question about something else', async () => {
    expect(await ask('Why did Omar start swimming before work?')).not.toContain('tiles')
  })

  test('has the sentence that a pronoun refers to', async () => {
    expect(await ask('How did Lena learn to be patient?')).toMatch(/taught me to knead by hand\. That is how/)
  })
})
