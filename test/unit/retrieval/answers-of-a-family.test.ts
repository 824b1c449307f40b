import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerKind, holdsKind } from '../../../src/retrieval/question/answer-kind.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const OWNER = 'Kaja Brandvold'
const CHAT = `[02/09/2026, 18:29:15] Samir: sure, thursday after 5? door code is 4471#
[02/09/2026, 18:30:00] Kaja Brandvold: perfect, I'll bring cake
[26/09/2026, 14:12:10] Ruth Brandvold: I booked the cabin in Lofoten for the holidays, 10 to 17 October. Code for the key box is 2907
[26/09/2026, 14:15:31] Kaja Brandvold: wonderful! I'll take the days off
[04/10/2026, 21:22:10] Ruth Brandvold: then I drive with the kids
`
const EVENT = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Example//EN
BEGIN:VEVENT
UID:1@example
DTSTAMP:20260901T080000Z
DTSTART;VALUE=DATE:20261114
SUMMARY:Ruth turns 70
DESCRIPTION:Dinner at the harbor
END:VEVENT
END:VCALENDAR
`
const DOCTOR = `Practice Dr. Haddad

Emil Brandvold, born 14 March 2017
Findings: allergy test positive for birch and hazelnut, negative for milk and egg.
Recommendation: cetirizine 5 mg once a day from February to May.
Vision: left eye 0.6. Please make an appointment with an eye specialist.
`
const HOUSE = `# House

- Fuse for the dishwasher: F7

## To do

- [ ] repair the gutter above the garage
- [ ] order firewood
`
const ROLLS = `# Cinnamon rolls

- let the dough rise for 45 minutes
- bake at 225 degrees for 8 to 10 minutes
`
const WORK = `# Plans for the workshop

- raise my hourly rate to 95 in July, tell the old clients in June
- stop taking jobs below 1,500 euros
`
const TAX = `From: Ulrich Banse <ulrich@example.org>
To: Kaja Brandvold <kaja@example.org>
Subject: Documents for 2025
Date: Thu, 05 Mar 2026 08:30:00 +0100
Message-ID: <tax@example.org>
Content-Type: text/plain; charset=utf-8

Dear Kaja,

for your tax return I still need the mileage log. Please send it by 31 March; the deadline at the tax office is 31 July.
You'll probably get about 740 euros back. My fee will be 520 euros, as last year.

Ulrich Banse
`
const CAR = `---
date: 2026-03-05
---

# Accidents

On the morning of March 3rd, the car broke down on the way to school.
`
const RUN = `---
date: 2026-03-31
---

# Sports

I ran for the first time again on 30 March 2026, along the river.
`

describe('questions about the files of a family', () => {
  let memory: ToldMemory
  const ask = (text: string) => memory.ask(text, OWNER)
  const response = async (text: string) => (await ask(text)).response

  beforeAll(async () => {
    const note = { sourceType: 'text' as const, userName: OWNER, contentType: 'text/plain' }
    const page = { ...note, contentType: 'text/markdown' }
    memory = await openToldMemory(
      [],
      [
        { ...note, itemId: 'chat', text: CHAT, fileName: 'chat.txt' },
        { ...note, itemId: 'doctor', text: DOCTOR, fileName: 'doctor.txt' },
        { ...page, itemId: 'house', text: HOUSE, fileName: 'house.md' },
        { ...page, itemId: 'rolls', text: ROLLS, fileName: 'rolls.md' },
        { ...page, itemId: 'work', text: WORK, fileName: 'work.md' },
        { ...page, itemId: 'car', text: CAR, fileName: 'car.md' },
        { ...page, itemId: 'run', text: RUN, fileName: 'run.md' },
        { ...note, itemId: 'tax', text: TAX, fileName: 'tax.eml', contentType: 'message/rfc822', sourceType: 'email' },
        {
          ...note,
          itemId: 'event',
          text: EVENT,
          fileName: 'e.ics',
          contentType: 'text/calendar',
          sourceType: 'calendar',
        },
      ],
    )
  })
  afterAll(() => memory.close())

  test('a quoted statement has no reply to a question that is not quoted', async () => {
    expect(await response('What is the door code?')).not.toContain('cake')
  })

  test('an event answers about somebody who also writes in a chat', async () => {
    const answer = await ask('When does Ruth turn 70?')
    expect(answer.abstained).toBe(false)
    expect(answer.response).toContain('14 November 2026')
  })

  test('the code of a box is no price', async () => {
    expect((await ask('How much was the cabin in Lofoten?')).abstained).toBe(true)
  })

  test('a day of something else is none of what is stored nowhere', async () => {
    expect((await ask('When is the dentist appointment?')).abstained).toBe(true)
  })

  test('a birthday is a day', async () => {
    expect((await ask("What is Samir's birthday?")).abstained).toBe(true)
  })

  test('a task names nobody who has done it', async () => {
    expect((await ask('Who repaired the gutter?')).abstained).toBe(true)
  })

  test('a test that is negative for something is a no', async () => {
    expect(await response('Is Emil allergic to milk?')).toMatch(/^No: /)
  })

  test('a sentence with the time span that is asked for is quoted alone', async () => {
    expect(await response('How long do I bake cinnamon rolls?')).toMatch(/^“bake at 225 degrees for 8 to 10 minutes”/)
  })

  test('a sentence of a mail with the amount that is asked for is quoted alone', async () => {
    expect(await response('How much will I get back from the tax office?')).toMatch(
      /^Ulrich Banse \(5 March 2026\): “You'll probably get about 740 euros back\.” \[1\]/,
    )
  })

  test('a rate without a currency is an amount', async () => {
    expect(await response('What will my hourly rate be?')).toMatch(/^“raise my hourly rate to 95 in July/)
  })

  test('the days between two events are counted from a day with its part', async () => {
    const answer = await response(
      'How many days between the car that broke down on the way to school and the first time I ran along the river?',
    )
    expect(answer).toMatch(/^27 days, from 3 March 2026 to 30 March 2026/)
  })
})

test.each([
  ['How much did I offer the museum?', 'money'],
  ['How much do they charge for the repair?', 'money'],
  ['How much flour do I need?', 'number'],
  ["What is Samir's birthday?", 'time'],
  ['What was the deadline?', 'time'],
  ["What is a good gift for Samir's birthday?", 'other'],
])('%s asks for %s', (question, kind) => expect(answerKind(question)).toBe(kind))

test.each([
  ['Code for the key box is 2907', false],
  ['The rent is 205 from June', true],
  ['The room is 205 from June', false],
  ['The rent went up to 205 in June', true],
  ['It was 145, paid by card', true],
])('an amount without its currency: %s %s', (text, isMoney) => expect(holdsKind('money', text, 0)).toBe(isMoney))
