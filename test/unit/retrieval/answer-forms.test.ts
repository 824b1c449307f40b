import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isNamesake } from '../../../src/retrieval/answer/sentences/named-people.ts'
import { answerKind, holdsKind } from '../../../src/retrieval/question/answer-kind.ts'
import { endsWithQuestion, isQuestion } from '../../../src/retrieval/question/question-form.ts'
import { eventWords, mailWords } from '../../../src/retrieval/recall/quote-text.ts'
import type { Told } from '../../lib/labelled-pair.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const EVENT = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:visit@example
DTSTAMP:20260901T080000Z
DTSTART:20261117T080000Z
DTEND:20261117T110000Z
SUMMARY:Site visit Quay Park
LOCATION:Gate 4
ATTENDEE;CN=Imre Novak:mailto:imre@example.org
END:VEVENT
END:VCALENDAR
`
const TALK = `---
title: "#allotment"
when: 2026-10-05T09:10:00Z
---
Hanne Brandt [2026-10-05 09:20]: I take Thursday and Friday. Where is the key for the shed now?
Tessa Moreau [2026-10-05 09:22]: Under the blue pot, not in the letterbox any more.
Gil Okafor [2026-10-05 09:30]: The slugs got all of the lettuce.
`
const BOOKING = `Dear Tessa Moreau,

Your booking is confirmed.
Booking number: AV-88213
Check-in: Thursday, 19 November 2026, from 15:00
Check-out: Sunday, 22 November 2026, until 11:00
Total: 412.50 EUR, payable at the hotel
Address: Rua da Prata 81, 1100-415 Lisboa, Lisbon, Portugal`
const TWO_EVENTS = EVENT.replace('UID:visit@example', 'UID:dentist@example')
  .replaceAll('20261117T', '20270105T')
  .replace('Site visit Quay Park', 'Dentist with Milo')
  .replace(
    'END:VEVENT\n',
    (end) => `${end}BEGIN:VEVENT\nUID:ghent@example\nDTSTART;VALUE=DATE:20270111\nSUMMARY:Ghent\n${end}`,
  )
const DATED_TURNS = `[2027-02-20 17:02] Noor: Are you coming to the harbour festival?
[2027-02-20 17:05] Tessa: Yes! I bring the lemon cake for all of us.
[2027-02-28 17:06] Noor: The harbour festival was moved to April.
`
const STANDUP = `---
title: "#billing"
when: 2026-11-24T09:10:00Z
---
Teun [2026-11-24 09:20]: Today I finish the invoice export; Jonas, can you review it?
Jonas [2026-11-24 09:22]: Sure, after lunch. I still wait for the keys from Nordwind.
`
const REQUEST = `From: Priya Raman <priya@fernhill.example>
To: Evaluation <me@fernhill.example>
Subject: Statement of work
Date: Tue, 10 Nov 2026 09:12:00 +0000

Could you send the customer the revised statement of work by Friday?

Best,
Priya
`
const TRAIN = `Thank you for your booking.

Order number: 7KX2QP
Outward: Monday, 30 November 2026, ICE 702, Berlin Hbf 08:05, seat 41
Return: Tuesday, 1 December 2026, ICE 709, Hamburg Hbf 18:06`
const TOLD: readonly Told[] = [
  { form: 'mail', at: '2026-11-20T09:00Z', title: 'Your ticket', speaker: 'Bahn', text: TRAIN },
  { form: 'mail', at: '2026-11-02T09:00Z', title: 'Your booking', speaker: 'Hotel Avenida', text: BOOKING },
  {
    form: 'mail',
    at: '2026-11-10T09:00Z',
    title: 'Pilot',
    speaker: 'Priya',
    text: "Nordwind can't start the pilot in December because their warehouse moves. New start is 12 January 2027.",
  },
  {
    form: 'mail',
    at: '2026-10-27T09:00Z',
    title: 'Heating',
    speaker: 'Viktor',
    text: 'Dear Ms Moreau,\n\nthe heating is serviced on 6 November. The technician is Mr Aydin.\n\nKind regards\nViktor Sand',
  },
  { form: 'note', at: '2026-11-23T09:00Z', text: 'The invoice export fails for customers without a VAT number.' },
  {
    form: 'chat',
    at: '2026-11-24T08:00Z',
    speaker: 'Anna',
    text: 'btw my new number is 0151 5550177, the old one stops working in December',
  },
  { form: 'note', at: '2026-11-15T09:00Z', text: 'Ran 14 km along the canal. The left knee hurts a little.' },
  { form: 'note', at: '2026-11-20T09:00Z', text: 'Lucia may leave the studio in spring, which is not public yet.' },
]

describe('an answer', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(TOLD, [
      { itemId: 'talk', text: TALK, fileName: 'talk.md', contentType: 'text/markdown', sourceType: 'slack' },
      { itemId: 'standup', text: STANDUP, fileName: 'standup.md', contentType: 'text/markdown', sourceType: 'slack' },
      { itemId: 'sow', text: REQUEST, fileName: 'sow.eml', contentType: 'message/rfc822', sourceType: 'email' },
      { itemId: 'turns', text: DATED_TURNS, fileName: 'turns.txt', contentType: 'text/plain', sourceType: 'text' },
      { itemId: 'two', text: TWO_EVENTS, fileName: 'two.ics', contentType: 'text/calendar', sourceType: 'calendar' },
      { itemId: 'visit', text: EVENT, fileName: 'visit.ics', contentType: 'text/calendar', sourceType: 'calendar' },
    ])
  })
  afterAll(() => memory.close())

  const ask = (text: string) => memory.ask(text)

  test('to a question that somebody asked before is the reply, not the question', async () => {
    const { response, abstained } = await ask('Where is the key for the shed?')
    expect(abstained).toBe(false)
    expect(response).toMatch(/Tessa Moreau(?: \(5 October 2026\))?: “Under the blue pot/)
  })

  test('has the sentence beside the best one, where only that holds what is asked for', async () => {
    expect((await ask('Who services the heating?')).response).toMatch(
      /^Viktor .*“the heating is serviced on 6 November\. The technician is Mr Aydin\.” \[1\]/,
    )
  })

  test('has the sentence beside one that denies what is asked for', async () => {
    expect((await ask('When does the Nordwind pilot start?')).response).toMatch(/New start is 12 January 2027\.” \[1\]/)
  })

  test('is the line of a confirmation that holds it', async () => {
    expect((await ask('How much was the hotel?')).response).toMatch(
      /^Hotel Avenida .*“Total: 412\.50 EUR, payable at the hotel” \[1\]/,
    )
  })

  test('is about the coming Monday where the question looks ahead', async () => {
    expect((await ask('What time does my train leave on Monday?')).response).toMatch(
      /Outward: Monday, 30 November 2026/,
    )
  })

  test('lists what is still to do for a person', async () => {
    const { response, abstained } = await memory.ask('What do I have to do for Priya?', 'Tessa Moreau')
    expect(abstained).toBe(false)
    expect(response).toMatch(
      /^Found 1 .*\n- Priya asked me to send the customer the revised statement of work .* \[1\]\n\n\[1\] “/,
    )
    expect((await memory.ask('What do I have to do for Gil?', 'Tessa Moreau')).response).not.toMatch(/^Found/)
  })

  test('names whom somebody asked to do it, with the reply', async () => {
    expect((await ask('Who reviews the invoice export?')).response).toMatch(
      /^Teun .*Jonas, can you review it\?.*Jonas: “Sure, after lunch\./,
    )
  })

  test('that was not found says what was looked for, and quotes the two passages that come closest', async () => {
    const { response, citations } = await ask('Why was the flight to Madeira cancelled on 3 May?')
    expect(response).toMatch(
      /^I found no clear answer \(looked for: flight, Madeira, cancelled, 3 May 2026\); the closest are:\n/,
    )
    expect(new Set(citations.map(({ itemId }) => itemId)).size).toBe(2)
  })

  test('has no earlier value of something else', async () => {
    const { response } = await ask("What is Anna's number?")
    expect(response).toMatch(/^Anna .*0151 5550177/)
    expect(response).not.toContain('VAT')
  })

  test('takes a past form for its verb', async () => {
    expect((await ask('How far did I run along the canal?')).response).toMatch(/^“Ran 14 km along the canal/)
  })

  test('does not begin with No because something else is denied', async () => {
    expect((await ask('Does Lucia leave the studio?')).response).not.toMatch(/^No/)
  })

  test('shows what holds a keyword, and cites nothing for thanks', async () => {
    const lettuce = await ask('lettuce')
    expect(lettuce.abstained).toBe(false)
    expect(lettuce.response).toMatch(/^Gil Okafor .*“The slugs got all of the lettuce/)
    for (const text of ['thanks!', 'Hello there', 'ok, thank you']) {
      const answer = await ask(text)
      expect(answer.abstained, text).toBe(false)
      expect(answer.response, text).toMatch(/Ask me anything/)
      expect(answer.citations, text).toEqual([])
    }
  })

  test('cites what happened by title, source and day, and tells an event by its place and people', async () => {
    const { response } = await ask('What happened on 17 November 2026?')
    expect(response).toContain('- 08:00 Site visit Quay Park, Gate 4, with Imre Novak (calendar) [1]')
    expect(response).toMatch(/\n\n\[1\] “Site visit Quay Park”, calendar, 17 November 2026, visit\.ics$/)
  })

  test('lists what happened in a chat or a calendar file that has no day of its own', async () => {
    expect((await ask('What happened on 20 February 2027?')).text).toMatch(/^Found 1 .*\n- .*harbour festival/)
    expect((await ask('What is on in January 2027?')).text).toMatch(/Dentist with Milo[\s\S]*Ghent/)
    expect((await ask('When is the dentist?')).response).toMatch(
      /\n\[1\] “Dentist with Milo”, calendar, 5 January 2027/,
    )
  })
})

test('a mail is quoted without greeting and signature, an event without the names of its fields', () => {
  expect(mailWords('Hi Tess,\n\nit went well. She can go home.\n\nLove\nCamille')).toBe(
    'it went well. She can go home.',
  )
  expect(mailWords('Thanks')).toBe('Thanks')
  expect(eventWords('What: Yoga\nWhen: Monday\nWhere: Lotus\nWith: Ida')).toBe('Yoga\nMonday\nLotus, with Ida')
})

test('somebody of the same first name is somebody else', () => {
  expect(isNamesake('Which boat did Lars Bakken sell?', 'Lars Halvorsen')).toBe(true)
  expect(isNamesake('Which boat did Lars Bakken sell?', 'Lars Bakken')).toBe(false)
  expect(isNamesake('Which boat did Lars Bakken sell?', 'Lars')).toBe(false)
  expect(isNamesake('Which boat did Lars sell?', 'Lars Halvorsen')).toBe(false)
})

test('ages and decisions are told by their words', () => {
  expect(answerKind('How old will mum be?')).toBe('age')
  expect(holdsKind('age', 'She turns 70.', 0)).toBe(true)
  expect(holdsKind('age', 'No stairs for six weeks.', 0)).toBe(false)
  expect(answerKind('What paving did we decide on?')).toBe('decision')
  expect(holdsKind('decision', 'OK. Decision: clinker everywhere.', 0)).toBe(true)
})

describe('a question of a chat', () => {
  test.each([
    'who else is coming',
    'Priya, can you tell me what the code is?',
    'great, who else is coming',
    'ok where are you',
    'What is left?',
    '何時ですか？',
  ])('is one: %s', (sentence) => {
    expect(isQuestion(sentence)).toBe(true)
    expect(endsWithQuestion(sentence, 0)).toBe(true)
  })

  test.each([
    'When I was young we lived there',
    'What matters is the price',
    'Jonas, can you review it?',
    'I changed it to `customer.vat?.trim()`',
    'I know where it is.',
    'I booked the blue room, which has a projector',
  ])('is none: %s', (sentence) => expect(isQuestion(sentence)).toBe(false))
})
