import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const CHAT = `[02/03/2026, 18:00:00] Lena: I just joined a choir in Wedding, we sing Bach and Mozart every Monday.
[02/03/2026, 18:01:00] Omar: Nice! Your choir sounds wonderful.
[03/03/2026, 09:00:00] Omar: I chose the green color for my kitchen because it is calm.
[03/03/2026, 09:05:00] Lena: Your new kitchen color looks amazing!
[04/03/2026, 12:00:00] Lena: I work as a baker now.
`

describe('a question about one of two people who write', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [],
      [{ itemId: 'chat', text: CHAT, fileName: 'chat.txt', contentType: 'text/plain', sourceType: 'text' }],
    )
  })
  afterAll(() => memory.close())

  const ask = (text: string) => memory.ask(text, 'Lena Voss')

  test('is answered by what they say of themselves', async () => {
    expect((await ask('Which choir did Lena join?')).text).toMatch(
      /^(?:Found \d: )?Lena .*“I just joined a choir in Wedding/,
    )
    expect((await ask('Why did Omar choose the green color for his kitchen?')).text).toMatch(
      /^Omar .*because it is calm/,
    )
  })

  test('is not answered by what the other one says of themselves', async () => {
    const { abstained, response } = await ask('What kind of choir did Omar join to sing Bach and Mozart every Monday?')
    expect(abstained, response).toBe(true)
  })

  test('is not answered by what they say of what belongs to the other one', async () => {
    const { abstained, response } = await ask('Why did Lena choose the new kitchen color?')
    expect(abstained, response).toBe(true)
  })
})
