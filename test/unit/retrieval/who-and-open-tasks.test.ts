import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const note = (itemId: string, text: string, sourceType: 'text' | 'github' = 'text') => ({
  itemId,
  text,
  fileName: `${itemId}.md`,
  contentType: 'text/markdown',
  sourceType,
})
const KITCHEN = `# Kitchen

Ready before the feast. Electrics by Farid Rahmani, quoted 1,840 pounds.

- [x] Measure the walls
- [ ] Order the sink from Pellworth
- [ ] Paint the ceiling
`
const WARD = `# The ward

Delphine Marchetti is our new manager, she came from Exeter.

My sister Sunniva expects her second child in October.
`
const TEMPLATE = `# Pull request

- [ ] Add a changelog entry
`

describe('an answer', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [
        {
          form: 'mail',
          at: '2026-04-20T08:30Z',
          speaker: 'Farid Rahmani',
          title: 'Start',
          text: 'I can start on 11 May. The fuse box has to be replaced too.',
        },
        {
          form: 'mail',
          at: '2026-05-02T08:30Z',
          speaker: 'Torvald Nilsen',
          title: 'Boat in August',
          text: 'bad news, the Lomvi needs a new engine. You get the other one instead, from 17 to 28 August, same price.',
        },
        {
          form: 'mail',
          at: '2026-04-14T08:30Z',
          speaker: 'Hive Shop',
          title: 'Order 20418 confirmed',
          text: 'Thank you for your order. We send a new honey extractor, 4 frames, within three working days.',
        },
      ],
      [note('kitchen', KITCHEN), note('ward', WARD), note('template', TEMPLATE, 'github')],
    )
  })
  afterAll(() => memory.close())

  const ask = (text: string) => memory.ask(text, 'Tess Moreau')

  test.each(['Who is Farid?', "who's farid rahmani", 'Wer ist Farid?'])(
    'says who somebody is: %s',
    async (question) => {
      const { response, abstained, citations } = await ask(question)
      expect(abstained).toBe(false)
      expect(response).toMatch(/^Farid Rahmani: “Electrics by Farid Rahmani, quoted 1,840 pounds\.” \[1\]; “Farid /)
      expect(response).toMatch(/\n\[1\] .*kitchen\.md\n/)
      expect(citations[0]?.quote).toBe('Electrics by Farid Rahmani, quoted 1,840 pounds.')
    },
  )

  test('says first what others say that somebody is', async () => {
    expect((await ask('Who is Delphine?')).response).toMatch(
      /^Delphine Marchetti: “Delphine Marchetti is our new manager/,
    )
    expect((await ask('Who is Sunniva?')).response).toMatch(/“My sister Sunniva expects her second child/)
  })

  test('abstains about somebody of whom only mails are known, and about nobody', async () => {
    const { response, abstained } = await ask('Who is Torvald?')
    expect(abstained).toBe(true)
    expect(response).toMatch(/^Torvald Nilsen appears in one memory, last on 2 May 2026, but none says who that is/)
    expect((await ask('Who is Percival?')).response).not.toMatch(/Percival:|appears in/)
  })

  test.each(['What still has to be done for the kitchen?', 'What is left to do in the kitchen?'])(
    'lists what a note has not checked off: %s',
    async (question) => {
      const { response, abstained } = await ask(question)
      expect(abstained).toBe(false)
      expect(response).toMatch(
        /^Found 2 still open in “Kitchen”: “Order the sink from Pellworth; Paint the ceiling” \[1\]/,
      )
    },
  )

  test('has open tasks of notes among what is to be done, and none of a template', async () => {
    const { response } = await ask('What do I still have to do?')
    expect(response).toMatch(/- Paint the ceiling \[/)
    expect(response).not.toMatch(/Measure the walls|changelog entry/)
  })

  test('does not begin with the day of a message that names a day in May', async () => {
    const { response } = await ask('When does Farid start?')
    expect(response).toMatch(/^Farid Rahmani .*“I can start on 11 May/)
  })

  test('abstains about a deed whose object no passage names', async () => {
    const { response, abstained } = await ask('Did I order a new fridge?')
    expect(abstained, response).toBe(true)
    expect((await ask('Did I order a honey extractor?')).abstained).toBe(false)
  })

  test('does not take a task that is not checked off for done', async () => {
    expect((await ask('Did I paint the ceiling?')).response).toMatch(/^Not checked off: “Paint the ceiling/)
    expect((await ask('Did I measure the walls?')).response).toMatch(/^Yes: “Measure the walls/)
  })
})
