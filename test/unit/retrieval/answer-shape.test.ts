import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saysEnded } from '../../../src/retrieval/answer/sentences/ended-state.ts'
import { smallTalkReply } from '../../../src/retrieval/answer/small-talk.ts'
import { answerKind } from '../../../src/retrieval/question/answer-kind.ts'
import type { Told } from '../../lib/labelled-pair.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const note = (at: string, text: string): Told => ({ form: 'note', at, text })
const offer = (at: string, title: string, text: string): Told => ({
  form: 'mail',
  at,
  title,
  speaker: 'Hartmann',
  text,
})
const TOLD: readonly Told[] = [
  note('2026-03-02T19:00Z', 'Dinner at the restaurant Trattoria Lucca with Ben. The gnocchi were great.'),
  note('2026-04-11T19:00Z', 'We had lunch at the restaurant Goldener Hirsch after the hike.'),
  note('2026-05-10T08:00Z', 'Yesterday I took the train to Lille with Ben. We saw the old stock exchange.'),
  note('2026-06-20T19:00Z', 'Went to Sushi Kaito, a tiny restaurant near the station, for my birthday.'),
  note('2026-08-02T19:00Z', 'Ate at Le Petit Zinc with Mum, her favourite restaurant.'),
  note('2026-09-14T19:00Z', 'The new restaurant Pho Saigon was full, so Ben and I went to Bar Nove instead.'),
  offer(
    '2026-02-03T09:00Z',
    'Kitchen',
    'Dear Ms Moreau,\n\nour first offer for the kitchen: 14,200 euros, worktop of granite.',
  ),
  offer(
    '2026-02-17T09:00Z',
    'Kitchen',
    'Dear Ms Moreau,\n\nour second offer for the kitchen: 12,900 euros, worktop of oak.',
  ),
  note('2026-02-20T09:00Z', 'Kitchen: we dropped the granite, the worktop will be oak.'),
]
const MESSAGES = `---
title: "sms Nora Lind"
---
Nora Lind [2026-10-05 09:20]: Have you bought the kayak?
Me [2026-10-05 09:22]: I bought a red kayak for 640 euros.
Nora Lind [2026-10-05 09:24]: A paddle costs 90 euros.
`

describe('an answer', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(TOLD, [
      { itemId: 'sms', text: MESSAGES, fileName: 'sms.md', contentType: 'text/markdown', sourceType: 'slack' },
    ])
  })
  afterAll(() => memory.close())

  const ask = (text: string, userName?: string) => memory.ask(text, userName)

  test('to a question for several things counts what was found, each with its day', async () => {
    const { response, citations } = await ask('Which restaurants did I go to?')
    expect(response).toMatch(/^Found 5: /)
    const [line = ''] = response.split('\n')
    for (const place of ['Trattoria Lucca', 'Goldener Hirsch', 'Sushi Kaito', 'Le Petit Zinc', 'Bar Nove']) {
      expect(line).toContain(place)
    }
    expect(line).toMatch(/Sushi Kaito[^;]*\(20 June 2026\)/)
    expect(citations).toHaveLength(5)
  })

  test('counts where no sentence says how many there are', async () => {
    expect((await ask('How many restaurants did I go to?')).response).toMatch(/^Found 5: /)
  })

  test('resolves yesterday in its first line, whatever is asked', async () => {
    const when = await ask('When did I go to Lille?')
    expect(when.abstained).toBe(false)
    expect(when.response).toMatch(/^9 May 2026 – “Yesterday I took the train to Lille with Ben\./)
    expect((await ask('Who came along to Lille?')).response.split('\n')[0]).toContain('(“Yesterday” is 9 May 2026)')
  })

  test('says No where what is asked about was given up', async () => {
    expect((await ask('Is the granite still planned?')).response).toMatch(/^No: .*we dropped the granite/)
  })

  test('counts the days between two offers', async () => {
    const { response } = await ask('How many days from the first offer to the second offer?')
    expect(response).toMatch(/^14 days, from 3 February 2026 to 17 February 2026\./)
  })

  test('takes Me in an export of messages for the owner of the account', async () => {
    const { response, abstained } = await ask('How much did Tess Moreau pay for the kayak?', 'Tess Moreau')
    expect(abstained).toBe(false)
    expect(response).toMatch(/^Me \(5 October 2026\): “I bought a red kayak for 640 euros\.”/)
  })

  test('has at most three quotations below its first line', async () => {
    const { response } = await ask('What did Ben and I do?')
    const [answer = ''] = response.split('\n\n')
    expect(answer.split('\n').length).toBeLessThanOrEqual(4)
  })
})

test('thanks, greetings and farewells get a reply that needs no memory; other words do not', () => {
  expect(smallTalkReply('thanks!')?.response).toBe('You’re welcome. Ask me anything about your memories.')
  expect(smallTalkReply('Good morning')?.response).toMatch(/^Hello!/)
  expect(smallTalkReply('vielen Dank 🙏')?.response).toMatch(/^You’re welcome/)
  expect(smallTalkReply('bye')).toMatchObject({ abstained: false, citations: [] })
  for (const text of ['thanks to whom?', 'thank you letter', 'Nice', 'hello world program', 'lettuce']) {
    expect(smallTalkReply(text), text).toBeUndefined()
  }
})

test('something ends when it is said to, not when something beside it does', () => {
  expect(saysEnded('Is the granite still planned?', 'We dropped the granite.')).toBe(true)
  expect(saysEnded('Is the trip to Oslo still on?', 'The trip was called off.')).toBe(true)
  expect(saysEnded('Is the bakery still open?', 'The bakery stopped selling rye.')).toBe(false)
  expect(saysEnded('Do I still take iron?', 'Iron: stopped in May.')).toBe(true)
  expect(saysEnded('Is Ana still on the board?', 'Ana resigned from the board.')).toBe(true)
  expect(saysEnded('Do I still take iron?', 'Iron: the rash stopped.')).toBe(false)
  expect(saysEnded('Was the granite planned?', 'We dropped the granite.')).toBe(false)
})

test('what somebody has of something is a list', () => {
  expect(answerKind("What are Kate's hobbies?")).toBe('list')
  expect(answerKind('What are our opening hours?')).toBe('list')
  expect(answerKind('Tell me everything about the move')).toBe('list')
  expect(answerKind('We move on Friday.\nTell me everything about the van')).toBe('list')
  expect(answerKind('How do I delete everything of one source?')).toBe('other')
  expect(answerKind("What is Kate's hobby?")).toBe('other')
  expect(answerKind('What are you up to?')).toBe('other')
})
