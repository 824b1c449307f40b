import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const CHAT = `[14.11.26, 18:02:11] Ruth: did you book the cabin?
[14.11.26, 18:05:40] Noor: yes, Alm cabin, 4 beds, 11 to 13 December. 38 euros per person and night
[14.11.26, 18:07:15] Gil: can I bring Pepper?
[14.11.26, 18:09:30] Noor: dogs are allowed in the winter room only
[15.11.26, 09:20:00] Ruth: who drives?
[15.11.26, 09:22:12] Gil: I can take my bus, picks everyone up at 2pm on Friday
[16.11.26, 20:00:00] Ruth: what about the concert tickets
[16.11.26, 20:02:00] Ruth: where do we park?
[16.11.26, 20:03:00] Gil: behind the church, it's free after 6
[20.11.26, 20:11:00] Ruth: bad news, I have to work on the 11th. I'll come by train on Saturday morning
[20.11.26, 20:15:32] Noor: ok! then I give your bed for the first night back
[21.11.26, 09:00:00] Noor: the car failed its inspection. I take the bus on Monday then
`

describe('a chat answers', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [],
      [{ itemId: 'chat', text: CHAT, fileName: 'chat.txt', contentType: 'text/plain', sourceType: 'text' }],
    )
  })
  afterAll(() => memory.close())

  const ask = (text: string) => memory.ask(text, 'Noor Haddad')

  test('a question that somebody asked in fewer words with the reply to that', async () => {
    expect((await ask('Who drives to the cabin?')).response).toMatch(/^Gil .*“I can take my bus/)
    const { response, abstained } = await ask('Where do we park at the concert?')
    expect(abstained, response).toBe(false)
    expect(response).toMatch(/^Gil .*“behind the church/)
  })

  test('no question about something that nobody mentioned', async () => {
    const { response } = await ask('Where do we park at the airport?')
    expect(response).not.toMatch(/^Gil .*“behind the church/)
  })

  test('a question for a reason with the obligation before what follows from it', async () => {
    expect((await ask("Why can't Ruth come on Friday?")).response).toMatch(
      /^Ruth .*“bad news, I have to work on the 11th\. I'll come by train/,
    )
    expect((await ask('Why does Noor take the bus on Monday?')).response).toMatch(
      /^Noor .*“the car failed its inspection\. I take the bus/,
    )
  })
})
