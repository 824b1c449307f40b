import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Told } from '../../lib/labelled-pair.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const mail = (at: string, speaker: string, title: string, text: string): Told => ({
  form: 'mail',
  at,
  speaker,
  title,
  text,
})
const WELCOME = `Greetings from SpeedLink Fiber! Your connection has been activated.

Customer ID: 30118842
Plan: Turbo 150 Mbps unlimited, Rs. 799 per month (6 months paid in advance: Rs. 5,657)
Installation address: B-604, Nilgiri Heights, Pune
Router: Netlink HG323, serial NL23A90517
`
const TOLD: readonly Told[] = [
  mail('2026-02-08T09:12Z', 'Gerda Voss', 'The lodge', 'Price for the week at the lodge: 940 euros.'),
  mail(
    '2026-05-12T09:12Z',
    'Gerda Voss',
    'Re: The lodge',
    "No bother, the week after is free. It's the dearer week, so the week at the lodge comes to 990 euros.",
  ),
  mail('2026-04-04T09:12Z', 'SpeedLink Fiber', 'Welcome', WELCOME),
]
const CHAT = `[13/09/2026, 18:02:00] Jonas: Booked!! Landing in Hamburg Sat 19th Dec in the morning.
[13/09/2026, 18:04:00] Mara: Who collects you?
[15/11/2026, 20:10:00] Jonas: The airline changed us. Now leaving Sun 20th and landing Mon 21st Dec 08.55, same flight
[02/12/2025, 08:10:00] Jonas: HAPPY BIRTHDAY ADA 79 and not a bother on you
`
const text = (itemId: string, words: string) => ({
  itemId,
  text: words,
  fileName: `${itemId}.md`,
  contentType: 'text/markdown',
  sourceType: 'text' as const,
})

const CARPOOL = `[25/08/2026, 11:41:00] Karo: who is in for the carpool? I can take 2 on mornings, Mon Wed
[25/08/2026, 11:44:00] Mara: Declan can do Tues + Thurs mornings. Fridays?
[25/08/2026, 11:50:00] Sina: Noel will do Friday he has to do something
`
const CARD = `BEGIN:VCARD
VERSION:3.0
FN:Otto Brix
TEL:0151 5550123
NOTE:neighbor, has the spare key to the cabin
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:Vera Holm
TEL:030 5550177
END:VCARD
`
const BREAD = `# Brown bread

- 110 g plain flour
- 500 ml buttermilk, and not a pint of it
- 1 egg

For Kay: no buttermilk -> 480 ml oat milk with lemon.
`
const SLIP = `Please note any allergies below.

Child: Nela Lind
Allergies: Kiwi (mouth swelling, no injector, carries tablets)
I give permission: Mara Lind
`

describe('an answer about a household', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(TOLD, [
      { ...text('chat', CHAT), fileName: 'chat.txt', contentType: 'text/plain' },
      text('slip', SLIP),
      text('bread', BREAD),
      { ...text('carpool', CARPOOL), fileName: 'carpool.txt', contentType: 'text/plain' },
      { ...text('people', CARD), fileName: 'people.vcf', contentType: 'text/vcard' },
    ])
  })
  afterAll(() => memory.close())

  const ask = async (question: string) => (await memory.ask(question, 'Mara Lind')).response

  test('has the newest of two days, also with short names of days and months', async () => {
    const response = await ask('What day is Jonas landing now?')
    expect(response).toMatch(/“Now leaving Sun 20th and landing Mon 21st Dec 08\.55, same flight” \[1\]/)
    expect(response).toMatch(/\nEarlier: Jonas .*19th Dec/)
  })

  test('has the value after a change, where that is asked of something past', async () => {
    const response = await ask('How much did the week at the lodge cost after the swap?')
    expect(response.split('\n')[0]).toMatch(/990 euros/)
  })

  test('is the line of a form that has more than the name, also in another form of the word', async () => {
    expect(await ask("What's Nela allergic to?")).toMatch(
      /^“Allergies: Kiwi \(mouth swelling, no injector, carries tablets\)” \[1\]/,
    )
  })

  test('is of the weekday that is asked for, and not of others', async () => {
    expect(await ask('Who drives the carpool on Fridays?')).toMatch(
      /^Sina .*“Noel will do Friday he has to do something” \[1\]/,
    )
  })

  test('from a contact names whose it is', async () => {
    expect(await ask('Who has a spare key to the cabin?')).toMatch(
      /^“Otto Brix”: “Notes: neighbor, has the spare key to the cabin” \[1\]/,
    )
    expect(await ask("What is Vera's phone number?")).toMatch(/Vera Holm.*030 5550177/)
  })

  test('is the amount of the ingredient that is asked for, and not of what replaces it', async () => {
    expect(await ask('How much buttermilk for the brown bread?')).toMatch(/^“500 ml buttermilk, and not a pint of it/)
  })

  test('to when a birthday is comes from the wishes, of the same person only', async () => {
    expect(await ask("When is Ada's birthday?")).toMatch(/^2 December 2025 – Jonas: “HAPPY BIRTHDAY ADA/)
    expect((await memory.ask("When is Karo's birthday?", 'Mara Lind')).abstained).toBe(true)
  })

  test('is the whole line of a form, also with a label of two words', async () => {
    expect(await ask('customer id for SpeedLink')).toMatch(/^SpeedLink Fiber .*“Customer ID: 30118842” \[1\]/)
  })
})

describe('what only looks like the answer', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [
        mail('2026-03-01T09:00Z', 'Ida Holm', 'Tour', 'The tour costs 120 euros.'),
        mail('2026-04-01T09:00Z', 'Ida Holm', 'Museum', 'We see the museum. The museum entry went up to 12 euros.'),
        mail('2026-05-13T09:00Z', 'Tom Hahn', 'Number', 'My number is 0171 555 0142.'),
        mail('2026-05-14T09:00Z', 'Tom Hahn', 'Book', 'I am on page 112-118 of the book.'),
        mail('2026-05-15T09:00Z', 'Kay Moss', 'Late', 'Ring my sister Ada Moss at 555-0188 if I am late.'),
        mail('2026-06-01T09:00Z', 'Lea Voss', 'Move', 'My moving day is 30 June.'),
        mail('2026-06-05T09:00Z', 'Lea Voss', 'Sofa', 'I am moving the sofa on 2 July instead.'),
      ],
      [
        text('oven', 'Bread takes two hours in the oven.'),
        text('price', 'The price of the barn is 940 euros a week.\nContact: Gerda Voss'),
        {
          ...text(
            'talk',
            '[02/11/2026, 18:02:00] Mara: Ordered the sofa, they deliver it on Friday.\n[02/11/2026, 18:04:00] Tom: Good.\n',
          ),
          fileName: 'talk.txt',
          contentType: 'text/plain',
        },
      ],
    )
  })
  afterAll(() => memory.close())

  const ask = (question: string) => memory.ask(question, 'Mara Lind')

  test('is no telephone number of who wrote it', async () => {
    expect((await ask("What is Tom's number?")).text).toContain('0171 555 0142')
    expect((await ask("What is Kay's phone number?")).text).not.toMatch(/^Kay/)
  })

  test('is neither the price of something else nor the day of another thing', async () => {
    expect((await ask('What does the tour cost?')).text).toContain('120 euros')
    expect((await ask("When is Lea's moving day?")).text).toContain('30 June')
  })

  test('is no person because it begins a sentence', async () => {
    expect((await ask('Who bakes the bread?')).abstained).toBe(true)
  })

  test('is no speaker because a line below names a contact', async () => {
    expect((await ask('What is the price of the barn?')).text).toMatch(
      /^“The price of the barn is 940 euros a week\.” \[1\]/,
    )
  })

  test('is no day on which something else will be', async () => {
    expect((await ask('When did I order the sofa?')).text).not.toContain('6 November')
  })
})
