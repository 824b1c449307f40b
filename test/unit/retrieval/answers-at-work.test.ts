import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const OPS = `---
title: "#ops on 2026-11-10"
where: "#ops"
---

Oda Lien [2026-11-10 09:00 UTC]: The big tent costs 400 euros

Milan Horak [2026-11-10 09:05 UTC]: Shall we get pizza for lunch? 12 euros each

Oda Lien [2026-11-10 09:06 UTC]: ok

Teresa Vale [2026-11-10 10:00 UTC]: The label printer is out of order again.

Milan Horak [2026-11-10 10:05 UTC]: Has anybody seen my badge?

Milan Horak [2026-11-10 10:20 UTC]: Found it. It was under the yellow sofa all the time.

Gustav Brandt [2026-11-10 11:00 UTC]: The autumn workshop is in the Old Mill

Teresa Vale [2026-11-10 11:02 UTC]: I booked Annette for the photos

Oda Lien [2026-11-10 12:00 UTC]: The audit is on the 12th

Gustav Brandt [2026-11-10 12:02 UTC]: Noted. The 14th?

Oda Lien [2026-11-10 12:03 UTC]: The 14th works for lunch with the bank
`
const SITE = `---
title: "#site: The shop is down since eight."
where: "#site"
---

Teresa Vale [2026-11-12 09:00 UTC]: The shop is down since eight.

Gustav Brandt [2026-11-12 09:03 UTC]: Restarting it now.

Gustav Brandt [2026-11-12 09:20 UTC]: Turns out the disk was full, the logs of the crawler took 200 GB.

Oda Lien [2026-11-12 09:40 UTC]: How much do we offer the photographer for a day?

Gustav Brandt [2026-11-12 09:42 UTC]: The photographer asks for 500 euros a day.

Oda Lien [2026-11-12 09:44 UTC]: Too much. 420 euros?

Gustav Brandt [2026-11-12 09:50 UTC]: 450 euros with the raw files

Oda Lien [2026-11-12 09:52 UTC]: ok, deal

Oda Lien [2026-11-12 10:20 UTC]: Who does the deployment of the shop?

Milan Horak [2026-11-12 10:22 UTC]: I'll do it after lunch

Teresa Vale [2026-11-12 11:00 UTC]: Summer party: the beach or the brewery again?

Milan Horak [2026-11-12 11:02 UTC]: But please somewhere with shade

Oda Lien [2026-11-12 11:05 UTC]: I booked Kastanjen for the 20th, table for nine.
`
const SEARCH = `---
title: "halden/shop#31: Move the catalogue to the new search"
when: 2026-11-02T09:00:00.000Z
author: ohlien
participants: [ohlien, milanhorak]
parents: [halden, shop]
---

The old search can't rank by stock. We need one that can.

- [x] Index the catalogue
- [ ] Switch the search box
- [ ] Remove the old index

State: open. Labels: search. Assignees: milanhorak.

## Comment by milanhorak at 2026-11-05T09:00:00.000Z

I'd rather keep synonyms in a file than in the database, because the editors can change them without us.

## Comment by annika at 2026-11-06T09:00:00.000Z

The cache of the results must be cleared every night.

## Comment by gbrandt at 2026-11-12T09:00:00.000Z

I suggest 24 November for the switch.

## Comment by ohlien at 2026-11-16T09:00:00.000Z

Not on the 24th, the fair begins. Let's do 1 December.

## Comment by milanhorak at 2026-11-17T09:00:00.000Z

1 December works for me.
`
const SLOW = `---
title: "halden/shop#38: Slow wish lists"
when: 2026-11-06T09:00:00.000Z
author: gbrandt
---

Wish lists take five seconds to load.

State: closed as completed on 2026-11-09. Assignees: gbrandt.

## Comment by gbrandt at 2026-11-09T09:00:00.000Z

Fixed by #41.
`
const WRAPPING = `---
title: "halden/shop#40: Add gift wrapping"
when: 2026-11-06T09:00:00.000Z
author: gbrandt
---

Customers can choose gift wrapping for 3 euros at checkout. Closes #37.

- [ ] I have read the contribution guidelines

State: merged on 2026-11-09. Labels: checkout. Assignees: gbrandt.
`
const MINUTES = `---
title: Minutes of the shop meeting
when: 2026-11-09T10:00:00.000Z
---

# Minutes of the shop meeting

Ann Becker and Mari Lund were guests.

- Candidates: Farid starts in May. Tomas asks for a salary of 3,500 euros.
- Fishing trip: Lead: 3 kg for the nets. Oda wants a boat for 900 euros. We take the train at 9:40.
- Budget: Gustav wants 8,000 euros for lamps. Teresa thinks 5,000 is enough. We take 6,000 and look again in June.
- We have 24 chairs and 6 tables. There was one more complaint about noise.
- Support: 44 calls because of the power cut.
- Milan: new lamps for the hall, by Friday
`
const INTERVIEW = `---
title: "Interview: Selma Aune"
when: 2026-11-08T10:00:00.000Z
---

# Interview: Selma Aune

Background: six years at a bindery.

Salary: asks for 3,300 a month.
`
const FILES = { OPS, SITE, SEARCH, SLOW, WRAPPING, MINUTES, INTERVIEW }
const SOURCES = { OPS: 'slack', SITE: 'slack', SEARCH: 'github', SLOW: 'github', WRAPPING: 'github' } as const

describe('answers about work', () => {
  let memory: ToldMemory
  beforeAll(async () => {
    const others = Object.entries(FILES).map(([name, text]) => ({
      itemId: name,
      sourceType: SOURCES[name as keyof typeof SOURCES] ?? ('gdocs' as const),
      fileName: `${name}.md`,
      contentType: 'text/markdown',
      text,
    }))
    memory = await openToldMemory([], others)
  })
  afterAll(() => memory.close())

  async function firstLine(question: string): Promise<string> {
    const { response } = await memory.ask(question, 'Oda Lien')
    return response.split('\n')[0]!
  }

  test.each([
    ['Who owns the move of the catalogue?', 'Assignees: milanhorak.'],
    ['Who is assigned to gift wrapping?', 'Assignees: gbrandt.'],
    ['Who works on the new search?', 'Assignees: milanhorak.'],
  ])('answers whose task it is by the assignees: %s', async (question, expected) => {
    expect(await firstLine(question)).toContain(expected)
  })

  test.each([
    ['What did Milan say about synonyms?', 'I’d rather keep synonyms'],
    ['Why did Milan want synonyms in a file?', 'because the editors can change them'],
  ])('knows who writes under a login: %s', async (question, expected) => {
    expect((await firstLine(question)).replaceAll("'", '’')).toContain(expected)
  })

  test('takes nobody for another whose name begins alike', async () => {
    expect(await firstLine('What did Ann say about the cache?')).toMatch(/^I found no clear answer/)
  })

  test('lists the open boxes of an issue', async () => {
    expect(await firstLine('What is left to do on the new search?')).toContain('Found 2 still open')
  })

  test('does not list what a template lets confirm', async () => {
    expect(await firstLine('What is left to do on gift wrapping?')).not.toContain('still open')
  })

  test('names the pull request that fixed something', async () => {
    expect(await firstLine('Which PR fixed the slow wish lists?')).toContain('Fixed by #41.')
  })

  test('answers with the pull request itself, and not with what it closes', async () => {
    expect((await memory.ask('Which PR added gift wrapping?')).citations[0]!.itemId).toBe('WRAPPING')
  })

  test('answers why with the cause that was found in the same talk', async () => {
    expect(await firstLine('Why was the shop down?')).toContain('Turns out the disk was full')
  })

  test('answers why not with the objection', async () => {
    expect(await firstLine('Why not on 24 November?')).toContain('Not on the 24th, the fair begins')
  })

  test('finds who said they do something that was asked by another form of the verb', async () => {
    expect(await firstLine('Who is going to deploy the shop?')).toContain("I'll do it after lunch")
  })

  test('answers with the amount that both agreed on', async () => {
    const line = await firstLine('How much do we pay the photographer for a day?')
    expect(line).toContain('450 euros with the raw files')
    expect(line).toContain('ok, deal')
  })

  test('answers where with the place that was booked', async () => {
    expect(await firstLine('Where is the summer party?')).toContain('I booked Kastanjen')
  })

  test('answers with the day on which an issue settles weeks later', async () => {
    expect(await firstLine('When do we switch to the new search?')).toContain('1 December')
  })

  test('answers with what a note says was agreed behind what somebody wanted', async () => {
    expect(await firstLine('How much is the budget for lamps?')).toContain('We take 6,000')
  })

  test.each([
    ['How much does the big tent cost?', '400 euros', '12 euros'],
    ['Why is the label printer out of order?', 'label printer', 'sofa'],
    ['Where is the autumn workshop?', 'Old Mill', 'Annette'],
    ['When is the audit?', '12th', '14th'],
    ['How much is the boat of Oda?', '900 euros', '6,000'],
  ])('leaves out what the same talk or note says of something else: %s', async (question, expected, other) => {
    const line = await firstLine(question)
    expect(line).toContain(expected)
    expect(line).not.toContain(other)
  })

  test('answers how many with the number of what is counted', async () => {
    expect(await firstLine('How many calls did we get because of the power cut?')).toContain('44 calls')
  })

  test('answers with the task of who is asked about', async () => {
    expect(await firstLine('What is Milan supposed to do in the hall?')).toContain('new lamps for the hall, by Friday')
  })

  test('answers from a document whose title names whom it is about', async () => {
    expect(await firstLine('What salary does Selma want?')).toContain('3,300 a month')
  })

  test.each([['What should Gustav do?'], ['What did Milan say about the power cut?'], ['Who leads the fishing trip?']])(
    'says that it found no clear answer: %s',
    async (question) => {
      expect(await firstLine(question)).toMatch(/^I found no clear answer/)
    },
  )
})
