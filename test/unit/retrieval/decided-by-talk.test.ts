import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const CHANNEL = `---
title: "#allotment on 2026-09-07"
---
Ruth Calder [2026-09-07 08:00]: Harvest supper on Friday 25 September in the shed, from six. Who brings what?

Owen Pryce [2026-09-07 08:05]: I can't make it, I'm in Dundee that week

Lena Brandt [2026-09-07 08:20]: Count me in, I bring a quiche

Ruth Calder [2026-09-07 08:31]: Lovely. Will the council extend the lease?

Lena Brandt [2026-09-07 08:33]: No, they want to build a car park

Ruth Calder [2026-09-07 08:40]: Does Owen know about the car park?

Lena Brandt [2026-09-07 08:41]: Not yet

Ruth Calder [2026-09-07 08:50]: The seed swap is off this month, the hall is being painted

Ruth Calder [2026-09-07 09:00]: Lena, can you print the posters?

Lena Brandt [2026-09-07 09:02]: Consider it done
`
const NOTES = [
  ['2026-08-30T09:00Z', 'The parking permit was renewed until August 2027.'],
  ['2026-08-31T09:00Z', 'My application for a beehive was refused, because of the school next door.'],
  ['2026-09-01T09:00Z', 'Decided to leave the choir. The evenings were too long, and I hardly saw the children.'],
  ['2026-09-02T09:00Z', 'The new bell of the gate is silent. A mouse bit through the cable, says Owen.'],
] as const
const BOOKS = `# Films 2026

- Paper Lanterns: finished in January, loved it
- The Long Tide: walked out after an hour
- Sixteen Doors: still to see
`
const COSTS = `date,what,who,amount
2026-06-01,Compost June,Ruth,93
2026-07-01,Compost July,Owen,133
2026-08-01,Compost August,Lena,186
`
const POLICY = `---
title: "Welcome to Ember Insurance"
---
Thank you for moving your bike insurance to us.

Excess: €300
Price for the year: €541
Bike: Kolibri C2, 2024
`
const RECEIPT = `BRAMBLE TOOLS

1 x pruning saw, folding: £38.00
2 x gloves: £17.00
Total: £55.00
Paid by: card
`

describe('what is decided by talk', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      NOTES.map(([at, text]) => ({ form: 'note', at, text })),
      [
        { itemId: 'channel', text: CHANNEL, fileName: 'c.md', contentType: 'text/markdown', sourceType: 'slack' },
        { itemId: 'films', text: BOOKS, fileName: 'films.md', contentType: 'text/markdown', sourceType: 'text' },
        { itemId: 'costs', text: COSTS, fileName: 'costs.csv', contentType: 'text/csv', sourceType: 'text' },
        { itemId: 'policy', text: POLICY, fileName: 'policy.md', contentType: 'text/markdown', sourceType: 'text' },
        { itemId: 'receipt', text: RECEIPT, fileName: 'receipt.txt', contentType: 'text/plain', sourceType: 'text' },
      ],
    )
  })
  afterAll(() => memory.close())

  const ask = async (text: string) => (await memory.ask(text, 'Tess Moreau')).response

  test.each([
    ['somebody declines an occasion', 'Is Owen coming to the harvest supper?', /^No: Owen Pryce .*I can't make it/],
    ['somebody accepts', 'Is Lena coming to the harvest supper?', /^Yes: Lena Brandt .*Count me in/],
    ['the same was asked and denied', 'Is the council extending the lease?', /^Lena Brandt .*“No, they want/],
    ['the same was asked and is not so yet', 'Does Owen know about the car park?', /^No: Lena Brandt .*“Not yet”/],
    ['an occasion is off', 'Does the seed swap happen this month?', /^No: Ruth Calder .*seed swap is off/],
  ])('answers yes or no where %s', async (_, question, answer) => {
    expect(await ask(question)).toMatch(answer)
  })

  test.each([
    ['the opposite was done', 'When did I cancel the parking permit?'],
    ['it was refused', 'When was the beehive application approved?'],
  ])('says that it found no clear answer where %s', async (_, question) => {
    expect((await memory.ask(question, 'Tess Moreau')).abstained).toBe(true)
  })

  test.each([
    ['whom a request names', 'Who prints the posters?', /^Ruth Calder .*Lena, can you print the posters/],
    ['the sentence behind what was done', 'Why did I decide to leave the choir?', /hardly saw the children/],
    [
      'the entry of a note that is titled by what is asked',
      'Which film did I walk out of?',
      /^Found 1 in “Films 2026”: “The Long Tide/,
    ],
    ['the row of a table', 'How much did the August compost come to?', /^“[^”]*Compost August; who: Lena; amount: 186/],
    ['the line of one thing on a receipt', 'How much did the pruning saw cost?', /^“1 x pruning saw, folding: £38/],
    ['the line of the price', 'How much is my bike insurance?', /^“Price for the year: €541/],
  ])('quotes %s', async (_, question, answer) => {
    expect(await ask(question)).toMatch(answer)
  })
})
