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
const TOLD: readonly Told[] = [
  mail(
    '2026-10-30T10:00Z',
    'Lindenhof',
    'Your booking 88214',
    'Dear Tess,\n\nBooking number: 88214\nGuests: 2 adults\nCheck-in: Wednesday 11 November, from 14:00\nCheck-out: Sunday 15 November, by 10:30\nTotal: 412 EUR\nAddress: Uferweg 9, Bregenz\n\nFree cancellation until 8 November.',
  ),
  mail('2026-09-07T09:00Z', 'Lotte', 'Thursday', 'I am late on Thursday morning, I have a check-up.'),
  mail('2026-03-02T10:00Z', 'Bram', 'Rent of the studio', 'From April the rent of the studio is 1,205 euros a month.'),
  mail(
    '2026-09-28T10:00Z',
    'Bram',
    'Rent of the studio',
    'Because you take the cellar too, the rent is 1,290 euros from November.',
  ),
  mail(
    '2026-08-24T11:00Z',
    'Ravi',
    'Offer for the courtyard',
    'The board approved it. Could you also tell us who waters the courtyard during the holidays?',
  ),
  mail(
    '2026-08-25T09:00Z',
    'Femke',
    'Re: Offer for the courtyard',
    'Hi Ravi,\n\nour apprentice Joris takes care of that until the end of September.\n\nFemke',
  ),
  mail(
    '2026-05-18T09:00Z',
    'Bank',
    'Your loan',
    'Your loan of 24,000 euros for the van is approved. Term: 60 months. Interest rate: 4.9 %. The monthly payment is 451.80 euros.',
  ),
  mail(
    '2026-11-04T09:00Z',
    'St Brendan',
    "Nora's school trip to Glenmore",
    'The second years leave on Thursday 3 December. The bus is back by 18:00. Pupils need a packed lunch, walking boots and a rain jacket.',
  ),
  mail('2026-11-05T19:00Z', 'Nora Moreau', 'Saturday', 'I sleep at a friend on Saturday.'),
  mail(
    '2026-09-14T18:00Z',
    'Tess Moreau',
    'Kitchen for the mill',
    'I could begin with the kitchen on 19 October and I would need eight days.',
  ),
  mail(
    '2026-09-18T08:00Z',
    'Ursula',
    'Re: Kitchen for the mill',
    'We are away until the 24th, so you would have to begin on Monday 26 October instead.',
  ),
]
const THREAD = `From: Wout de Boer <wout@example.com>
To: Tess Moreau <tess@example.com>
Subject: Boathouse
Date: Thu, 10 Sep 2026 20:02:00 +0000

I reserved the boathouse in Loosdrecht, the deposit of 150 euros is paid.

Wout de Boer
`
const FUSES = `From: Farid Rahmani <farid@example.com>
To: Tess Moreau <tess@example.com>
Subject: Start of the wiring
Date: Mon, 20 Apr 2026 08:30:00 +0100

Hello Tess,

the fuse box of the workshop has to be replaced too.

Farid
`
const CHAT = `[09/05/2026, 09:12] Anneke: the sledge is in the loft of the mill
[09/05/2026, 09:15] Tess Moreau: thanks, I fetch it
`

describe('an answer from mails', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(TOLD, [
      { itemId: 'boat', text: THREAD, fileName: 'boat.eml', contentType: 'message/rfc822', sourceType: 'email' },
      { itemId: 'fuses', text: FUSES, fileName: 'fuses.txt', contentType: 'text/plain', sourceType: 'text' },
      { itemId: 'chat-1', text: CHAT, fileName: 'sledge.txt', contentType: 'text/plain', sourceType: 'text' },
    ])
  })
  afterAll(() => memory.close())

  const ask = (text: string) => memory.ask(text, 'Tess Moreau')

  test('is the line whose label the question names, in one word or two', async () => {
    expect((await ask('When do I check out?')).response).toMatch(
      /^Lindenhof .*“Check-out: Sunday 15 November, by 10:30”/,
    )
    expect((await ask('What is the interest rate of my loan?')).response).toMatch(/^Bank .*“Interest rate: 4\.9 %/)
  })

  test('is of the mail whose subject names what its text leaves out', async () => {
    const { response, abstained } = await ask('What does Nora have to take on the school trip?')
    expect(abstained, response).toBe(false)
    expect(response.split('\n')[0]).toMatch(/^St Brendan .*Pupils need a packed lunch/)
  })

  test('is the day that somebody else changed in the same thread', async () => {
    expect((await ask('When does the kitchen for the mill begin now?')).response).toMatch(
      /^Ursula .*26 October instead/,
    )
  })

  test('is the address of a hotel that the booking never calls a hotel', async () => {
    const { response, abstained } = await ask('What is the address of our hotel?')
    expect(abstained).toBe(false)
    expect(response).toMatch(/^Lindenhof .*“Address: Uferweg 9, Bregenz”/)
  })

  test('is not such a line of somebody else', async () => {
    expect((await ask('What is the address of Femke?')).response).not.toMatch(/^Lindenhof/)
  })

  test('is the newest value of mails with one subject, with the earlier one below', async () => {
    const { response } = await ask('What is the rent of the studio?')
    expect(response).toMatch(/^Bram .*1,290 euros from November/)
    expect(response).toMatch(/\nEarlier: Bram .*1,205 euros/)
    expect((await ask('What was the rent of the studio before?')).response).toMatch(/^Bram .*1,205 euros/)
  })

  test('is the mail that replies to a question of another mail', async () => {
    const { response, abstained } = await ask('Who waters the courtyard during the holidays?')
    expect(abstained).toBe(false)
    expect(response).toMatch(/^Femke .*our apprentice Joris takes care of that/)
  })

  test('about a week names a stay of which only an earlier booking tells', async () => {
    const { response } = await ask('What did I do from 9 to 15 November?')
    expect(response).toMatch(/^Found 1 .*\n11 November 2026:\n- 14:00 Your booking 88214/)
    expect((await ask('What did I do on 17 November 2026?')).response).not.toContain('88214')
  })

  test('names who wrote it without the address, and quotes no signature', async () => {
    const { response } = await ask('Who reserved the boathouse?')
    expect(response).toMatch(/^Wout de Boer \(10 September 2026\): “I reserved the boathouse/)
    expect(response.split('\n')[0]).not.toMatch(/@|paid\. Wout/)
  })

  test('names who wrote it, where only the text says that it is a mail', async () => {
    const { response } = await ask('Who wrote that the fuse box of the workshop has to be replaced?')
    expect(response).toMatch(/^Farid Rahmani \(20 April 2026\): “the fuse box/)
  })

  test('cites a text without a title by its file', async () => {
    const { response } = await ask('Where is the sledge?')
    expect(response).toMatch(/\n\n\[1\] text, 9 May 2026, sledge\.txt$/m)
    expect(response).not.toContain('chat-1')
  })
})
