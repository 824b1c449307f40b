import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saysChanged } from '../../../src/retrieval/answer/evidence/changed-appointment.ts'
import type { Told } from '../../lib/labelled-pair.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const mail = (at: string, speaker: string, title: string, text: string): Told => ({
  form: 'mail',
  at,
  speaker,
  title,
  text,
})
const TOLD: readonly Told[] = [
  mail(
    '2026-11-16T09:12Z',
    'Pascal',
    'Boiler service on Wednesday',
    'The fitter from Rauh will come on Wednesday, 25 November, between 8 and 10 am to change the pump.\n\nThe bill is due on 9 December.',
  ),
  mail(
    '2026-11-18T16:40Z',
    'Pascal',
    'Re: Boiler service on Wednesday',
    'Rauh just rang: the pump has not arrived. The appointment moves to Monday, 30 November, same time. Sorry.',
  ),
  mail('2026-11-09T08:00Z', 'Priya', 'Norvik', 'The call with Norvik is on Thursday, 19 November at 14:00.'),
  mail('2026-11-12T08:00Z', 'Priya', 'Re: Norvik', 'The call is off, they signed with somebody else.'),
  mail('2026-11-02T08:00Z', 'Holzhaus', 'Your oak table', 'Our driver brings the table on Tuesday, 24 November.'),
  mail(
    '2026-11-06T08:00Z',
    'Holzhaus',
    'Re: Your oak table',
    'A truck broke down. We have to put you off until Friday, 27 November.',
  ),
  mail('2026-11-04T08:00Z', 'Otto', 'Rehearsal', 'The rehearsal is on Saturday, 28 November.'),
  mail('2026-11-06T08:00Z', 'Otto', 'Re: Rehearsal', 'Could we maybe move it to Sunday, 29 November?'),
]
const CHAT = `[18.11.26, 18:00:10] Lea: shall we have dinner on Friday?
[18.11.26, 18:03:40] Bo: yes, dinner on Friday at 7 at Luigi's
[19.11.26, 09:12:00] Bo: I have to push dinner to Saturday, my mother is here
[19.11.26, 11:00:00] Kim: the Training is on Tuesday, 24 November
[19.11.26, 21:00:00] Kim: Training verschoben auf Donnerstag, 26. November
`

describe('when an appointment is', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(TOLD, [
      { itemId: 'chat', text: CHAT, fileName: 'chat.txt', contentType: 'text/plain', sourceType: 'text' },
    ])
  })
  afterAll(() => memory.close())

  const ask = (text: string) => memory.ask(text, 'Tess Moreau')

  test('is what a later mail of the thread says, with what held before below', async () => {
    const { response } = await ask('When does the boiler fitter come?')
    expect(response).toMatch(/^Pascal .*“The appointment moves to Monday, 30 November, same time\.”/)
    expect(response).toMatch(/\nEarlier: Pascal .*25 November, between 8 and 10 am to change the pump\.” \[2\]/)
  })

  test('is what was said at first where that is asked', async () => {
    const { response } = await ask('When was the boiler fitter supposed to come originally?')
    expect(response).toMatch(/^Pascal .*25 November/)
  })

  test('is that it is off, without the day of the mail as its day', async () => {
    const { response } = await ask('When is the call with Norvik?')
    expect(response).toMatch(/^Priya \(12 November 2026\): “The call is off/)
    expect(response).toMatch(/\nEarlier: Priya .*19 November at 14:00/)
  })

  test('is the day until which it is put off', async () => {
    expect((await ask('When does the driver bring the table?')).response).toMatch(/^Holzhaus .*27 November/)
  })

  test('is not a proposal', async () => {
    expect((await ask('When is the rehearsal?')).response).toMatch(/^Otto .*28 November/)
  })

  test('is the newer day in a chat, also where a question asked for the older one', async () => {
    const { response } = await ask('When is dinner?')
    expect(response).toMatch(/^Bo .*push dinner to Saturday/)
    expect(response).toMatch(/\nEarlier: Bo .*dinner on Friday at 7/)
  })

  test('is the newer day in German', async () => {
    expect((await ask('When is the Training?')).response).toMatch(/^Kim .*26\. November/)
  })
})

test.each([
  ['We now meet at 4 instead', true],
  ['The lesson is postponed to 3 December', true],
  ['The visit is called off', true],
  ['The date does not change: 3 December', false],
  ['If it rains, we move it to Sunday', false],
  ['She is off to Rome on Monday', false],
])('a text that changes an appointment: %s %s', (text, isChange) => expect(saysChanged(text)).toBe(isChange))
