import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdsKind } from '../../../src/retrieval/question/answer-kind.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const event = (uid: string, day: string, summary: string, more = '') => `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:${uid}@example
DTSTAMP:20260901T080000Z
DTSTART:${day}T080000Z
DTEND:${day}T093000Z
SUMMARY:${summary}
${more}END:VEVENT
END:VCALENDAR
`
const calendar = (itemId: string, text: string) => ({
  itemId,
  text,
  fileName: `${itemId}.ics`,
  contentType: 'text/calendar',
  sourceType: 'calendar' as const,
})
const SESSION = `${[
  {
    type: 'user',
    timestamp: '2026-11-09T09:10:00.000Z',
    message: {
      role: 'user',
      content:
        'The importer writes every customer twice since Monday. Find out why the importer writes customers twice.',
    },
  },
  {
    type: 'assistant',
    timestamp: '2026-11-09T09:19:00.000Z',
    message: {
      role: 'assistant',
      model: 'claude',
      content: [
        { type: 'text', text: 'The cause is the retry after a timeout: the first attempt had been stored already.' },
      ],
    },
  },
]
  .map((line, i) => JSON.stringify({ ...line, uuid: `u${i}`, sessionId: 's1', cwd: '/home/tess/importer' }))
  .join('\n')}\n`

describe('what can have the answer comes first', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [
        {
          form: 'mail',
          at: '2026-06-14T09:00Z',
          speaker: 'Sten',
          title: 'Papers for your heat pump',
          text: 'The heat pump runs since Friday, 12 June. Attached is the invoice over 8,990 euros.',
        },
        {
          form: 'chat',
          at: '2026-11-17T19:40Z',
          speaker: 'Joost',
          text: 'The concert on 12 December begins at 19:30 now, not at 8:00.',
        },
        {
          form: 'chat',
          at: '2026-11-18T09:40Z',
          speaker: 'Ben',
          text: 'Instead of 3 December, the demo for Harbourline is on 10 December.',
        },
        {
          form: 'chat',
          at: '2026-11-14T09:00Z',
          speaker: 'Imke',
          text: 'The lantern walk is on 26 November now.',
        },
        {
          form: 'chat',
          at: '2026-11-16T09:00Z',
          speaker: 'Oda',
          text: 'No storm after all: 25 November for the walk, as planned.',
        },
        {
          form: 'chat',
          at: '2026-10-12T10:34Z',
          speaker: 'Femke',
          text: 'Robinia lasts longest, I would take robinia.',
        },
        { form: 'chat', at: '2026-10-12T10:41Z', speaker: 'Tess Moreau', text: 'Robinia is too expensive for me.' },
        {
          form: 'note',
          at: '2026-06-20T09:00Z',
          text: 'Kolibri is the cargo bike with the longest range, says the test.',
        },
      ],
      [
        calendar('service', event('service', '20261117', 'Heat pump: service', 'LOCATION:Home\n')),
        calendar('concert', event('concert', '20261212', 'Winter concert', 'LOCATION:Geerte church\n')),
        calendar('demo', event('demo', '20261210', 'Demo for Harbourline')),
        calendar('walk', event('walk', '20261125', 'Lantern walk', 'LOCATION:North gate\n')),
        calendar('eyes', event('eyes', '20261112', 'Eye test', 'LOCATION:Optician Blikk\n')),
        calendar('band', event('band', '20261109', 'Brass band rehearsal', 'LOCATION:Cereol church\n')),
        {
          itemId: 'session',
          text: SESSION,
          fileName: 'session.jsonl',
          contentType: 'application/jsonl',
          sourceType: 'claude_code',
        },
      ],
    )
  })
  afterAll(() => memory.close())

  const ask = (text: string) => memory.ask(text, 'Tess Moreau')

  test('not the day of another event with the same thing', async () => {
    expect((await ask('When was the heat pump installed?')).response).toMatch(/^Sten .*12 June/)
    expect((await ask('When is the heat pump serviced?')).response).toMatch(/^“Heat pump: service/)
  })

  test('what moves an event that the calendar still has at its old time', async () => {
    const { response } = await ask('When does the winter concert begin?')
    expect(response).toMatch(/^Joost .*begins at 19:30 now/)
    expect(response).toMatch(/\n“Winter concert; Saturday, 12 December 2026, 08:00/)
    expect((await ask('When is the demo for Harbourline?')).response).toMatch(/^“Demo for Harbourline; Thursday, 10/)
  })

  test('no older statement that moves an event where a newer one states its time again', async () => {
    expect((await ask('When is the lantern walk?')).response).not.toMatch(/^Imke/)
  })

  test('a sentence with an amount, where an amount is asked for', async () => {
    expect((await ask('What did we pay for the heat pump?')).response.split('\n')).toContainEqual(
      expect.stringMatching(/Sten .*8,990 euros/),
    )
  })

  test.each([
    'Did I quit the brass band?',
    'Why did Sten break the heat exchanger of the Kolibri?',
    'What did the eye test cost?',
    'Who is the conductor of the brass band?',
    'How long is the range of the Kolibri?',
  ])('and nothing answers without what is asked for: %s', async (question) =>
    expect((await ask(question)).abstained).toBe(true),
  )

  test('what the asked one said, for a question about their words', async () => {
    expect((await ask('What did I say about robinia?')).response).toMatch(/^Tess Moreau .*too expensive for me/)
    expect((await ask('What did you say about the importer?')).response).toMatch(/Claude .*“The cause is the retry/)
    const { response, abstained } = await ask('What did you say about robinia?')
    expect(abstained, response).toBe(true)
  })

  test('the reply of an agent says why, its prompt only what', async () => {
    expect((await ask('Why does the importer write customers twice?')).response).toMatch(
      /^Claude .*“The cause is the retry after a timeout/,
    )
  })
})

test('a time after since is no reason', () => {
  expect(holdsKind('reason', 'The alarm rings since Monday.', 0)).toBe(false)
  expect(holdsKind('reason', 'We walked, since nobody had a car.', 0)).toBe(true)
})
