import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askedTalk } from '../../../src/retrieval/question/asked-talk.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const WITH_RAVI = `---
title: "Ravi on 2026-03-14"
---
Ravi Menon [2026-03-14 08:00]: Are you awake?

Edda Holm [2026-03-14 08:01]: Barely. The kettle is on.

Ravi Menon [2026-03-14 08:02]: Good, I'll bring rolls from the bakery on the corner.

Ravi Menon [2026-03-14 19:00]: Have you heard about Sunniva?

Edda Holm [2026-03-14 19:03]: No, what is going on with her?

Ravi Menon [2026-03-14 19:04]: She handed in her notice at the shipyard after eleven years.

Edda Holm [2026-03-14 19:06]: What will she do instead?

Ravi Menon [2026-03-14 19:08]: She wants to build wooden boats with her brother in Risør. The workshop opens in May.

Edda Holm [2026-03-14 19:09]: I have begun to like dark rye far more than white bread lately.
`
const WITH_OLA = `---
title: "Ola on 2026-03-20"
---
Ola Vik [2026-03-20 10:00]: The chimney sweep was here.

Edda Holm [2026-03-20 10:02]: What did he say about the stove?

Ola Vik [2026-03-20 10:04]: The flue is cracked and has to be lined before winter.
`

describe('a question about a conversation', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [],
      [
        { itemId: 'ravi', text: WITH_RAVI, fileName: 'r.md', contentType: 'text/markdown', sourceType: 'slack' },
        { itemId: 'ola', text: WITH_OLA, fileName: 'o.md', contentType: 'text/markdown', sourceType: 'slack' },
      ],
    )
  })
  afterAll(() => memory.close())

  const ask = (text: string) => memory.ask(text, 'Edda Holm')

  test('is answered with what the other said, in its order and without the questions', async () => {
    const { response } = await ask('In March 2026, while talking with Ravi Menon, what did I learn about Sunniva?')
    const [first] = response.split('\n')
    expect(first).toMatch(/handed in her notice at the shipyard.*wooden boats with her brother/)
    expect(first).not.toContain('What will she do')
    expect(first).not.toContain('rye')
  })

  test('is answered with what the asker said, where that is asked for', async () => {
    const { response } = await ask('During a conversation with Ravi in March, which bread did I mention?')
    expect(response.split('\n')[0]).toContain('dark rye')
    expect(response.split('\n')[0]).not.toContain('shipyard')
  })

  test('is answered from the conversation with the person who is named', async () => {
    const { response } = await ask('In March 2026, what did I find out when I spoke with Ola Vik about the stove?')
    expect(response.split('\n')[0]).toContain('The flue is cracked')
  })

  test.each([
    ['names somebody of whom nobody spoke', 'In my chat with Ravi Menon in March, what did I learn about Torunn?'],
    [
      'asks about what was never mentioned',
      'What did I learn about the divorce in my call with Ravi Menon in March 2026?',
    ],
    ['is about something of which nobody spoke', 'What did I learn about the tax audit in my call with the bank?'],
  ])('has no answer where it %s', async (_, question) => {
    expect((await ask(question)).abstained).toBe(true)
  })

  test('is answered with the one sentence that has nearly all of it', async () => {
    const { response } = await ask('In my chat with Ravi Menon, where will she build wooden boats?')
    expect(response.split('\n')[0]).toContain('Risør')
    expect(response.split('\n')[0]).not.toContain('notice at the shipyard')
  })

  test('keeps to the value where one is asked for', async () => {
    const { response } = await ask('When does the workshop open, according to my talk with Ravi?')
    expect(response.split('\n')[0]).toContain('May')
  })
})

describe('whose words of a conversation are asked for', () => {
  test.each([
    ['What did I learn in the call with Ann?', 'others'],
    ['In my chat with Ann, she mentioned a new job. Which one?', 'others'],
    ['What did I tell Ann when we talked with Bo?', 'owner'],
    ['While chatting with Ann, Edda Holm shared a wish. Which?', 'owner'],
    ['What did we discuss with the landlord?', undefined],
  ] as const)('%s', (question, by) => {
    expect(askedTalk(question, 'Edda Holm')?.by).toBe(by)
    expect(askedTalk(question, 'Edda Holm')).toBeDefined()
  })

  test.each(['Who did I talk to about the roof?', 'When is the call?', 'What is the text of the song?'])(
    'of none in %s',
    (question) => {
      expect(askedTalk(question)).toBeUndefined()
    },
  )
})
