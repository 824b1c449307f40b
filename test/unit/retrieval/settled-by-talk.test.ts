import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const FAMILY = `---
title: "#family on 2026-10-03"
---
Nils Arvid [2026-10-03 09:00]: The stove fitter can come on the 19th at 8 or on the 21st at 14

Edda Holm [2026-10-03 09:04]: 19th please, I'm in Malmö on the 21st

Nils Arvid [2026-10-04 18:00]: Grandpa has a cold, we have to move the crayfish supper to the 24th

Edda Holm [2026-10-04 18:05]: Poor him. We're in Ghent then, can we do October 31?

Runa Holm [2026-10-04 18:09]: 31 October it is

Nils Arvid [2026-10-05 10:00]: Our concert is on 7 November!

Edda Holm [2026-10-05 10:02]: Lovely. Shall we have lunch on Friday?

Runa Holm [2026-10-05 10:05]: Friday works

Edda Holm [2026-10-06 12:00]: The regatta is on the 3rd or the 4th of September

Runa Holm [2026-10-06 12:02]: 4 of us are coming

Edda Holm [2026-10-06 15:00]: The boiler man comes on the 12th or the 13th

Nils Arvid [2026-10-06 15:01]: We have to move the sauna evening to the 16th

Edda Holm [2026-10-06 15:02]: Hm, can we do the 23rd?

Nils Arvid [2026-10-06 15:03]: 23rd it is

Nils Arvid [2026-10-07 12:00]: The flea market is on Saturday or Sunday

Runa Holm [2026-10-07 12:03]: Sunday would be nicer for Grandpa
`
const DOUBTS = `---
title: "#plans on 2026-10-11"
---
Nils Arvid [2026-10-11 09:00]: The train to Visby leaves at 8 or 9, not sure

Runa Holm [2026-10-11 09:01]: 9 please, I want to sleep

Nils Arvid [2026-10-11 09:02]: No, it is 8, I looked it up

Edda Holm [2026-10-12 09:00]: I can drop off the keys on Monday or Tuesday

Runa Holm [2026-10-12 09:01]: Tuesday is fine

Edda Holm [2026-10-12 09:02]: Sorry, I am ill. Next week then

Nils Arvid [2026-10-13 09:00]: The lantern walk is on Friday or Saturday, I forgot

Runa Holm [2026-10-13 09:01]: Saturday, I think

Nils Arvid [2026-10-14 09:00]: We have to hand in the tax return by 30 November

Runa Holm [2026-10-14 09:01]: Let's say we talk about the tax on Sunday

Nils Arvid [2026-10-15 09:00]: We need to talk about the old car. Sell it or keep it?

Runa Holm [2026-10-15 09:01]: Fine weather today, by the way

Nils Arvid [2026-10-16 09:00]: The summer party is at Sabine's, it's at the lake

Runa Holm [2026-10-16 09:01]: Great. The bus? It is on strike
`
const POT = `---
title: "#aunts on 2026-10-10"
---
Edda Holm [2026-10-10 09:00]: Can you bring the fondue pot?

Nils Arvid [2026-10-10 09:01]: It's at Sigrid's, I'll ask her

Nils Arvid [2026-10-10 19:00]: Sigrid says she gave it to you in August

Edda Holm [2026-10-10 19:02]: Oh. You're right. It's in my cellar
`
const MEETING = `---
title: "Bakery meeting on 2026-10-08"
---
Ylva Dahl [2026-10-08 09:00]: The dough mixer stops again. Third time this week.

Omar Said [2026-10-08 09:01]: It is the belt, says the mechanic. He replaces it for 480, or we rent one for 150 a month.

Ylva Dahl [2026-10-08 09:02]: Replace it. I don't want to rent.

Omar Said [2026-10-08 09:03]: Ok, I order the belt. Next, the staff party: bowling or karaoke?

Ylva Dahl [2026-10-08 09:04]: Bowling.

Omar Said [2026-10-08 09:05]: Outvoted, fine. I'll book the bowling alley for Thursday 12 November.

Ylva Dahl [2026-10-08 09:10]: The tiler was here. It was the grout.

Ylva Dahl [2026-10-08 09:11]: He did it right away, 95 euros
`

describe('what the same talk settles', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [],
      [
        { itemId: 'family', text: FAMILY, fileName: 'f.md', contentType: 'text/markdown', sourceType: 'slack' },
        { itemId: 'doubts', text: DOUBTS, fileName: 'd.md', contentType: 'text/markdown', sourceType: 'slack' },
        { itemId: 'pot', text: POT, fileName: 'p.md', contentType: 'text/markdown', sourceType: 'slack' },
        { itemId: 'meeting', text: MEETING, fileName: 'm.md', contentType: 'text/markdown', sourceType: 'slack' },
      ],
    )
  })
  afterAll(() => memory.close())

  const firstLine = async (text: string) => (await memory.ask(text, 'Edda Holm')).response.split('\n')[0]

  test.each([
    ['the time that was picked of two', 'When does the stove fitter come?', '19th please'],
    ['the time that was agreed after a change', 'When is the crayfish supper?', '31 October it is'],
    ['the time for which something is booked', 'When is the staff party?', 'Thursday 12 November'],
    ['what a meeting agreed on', 'What did we decide about the dough mixer?', 'Replace it.'],
    ['where it is after all', 'Where is the fondue pot?', 'in my cellar'],
    ['what somebody took for it', 'How much did the tiler charge?', '95 euros'],
  ])('answers with %s', async (_, question, words) => {
    expect(await firstLine(question)).toContain(words)
  })

  test.each([
    ['a proposal about something else', 'When is the concert?', '7 November', 'Friday works'],
    ['a number that counts people', 'When is the regatta?', '3rd or the 4th', '4 of us'],
    ['a time of something else', 'When does the boiler man come?', '12th or the 13th', '23rd'],
    ['a wish', 'When is the flea market?', 'Saturday or Sunday', 'would be nicer'],
    ['a pick that is taken back', 'When does the train to Visby leave?', '8 or 9', '9 please'],
    ['a pick that is refused', 'When can I drop off the keys?', 'Monday or Tuesday', 'Tuesday is fine'],
    ['a pick in doubt', 'When is the lantern walk?', 'Friday or Saturday', 'I think'],
    ['a talk about it', 'When do we hand in the tax return?', '30 November', 'talk about the tax'],
    ['what comes next in the meeting', 'What did we decide about the dough mixer?', 'Replace it.', 'karaoke'],
    ['a sentence that begins like an assent', 'What did we decide about the old car?', 'the old car', 'Fine weather'],
    ['where something else is', 'Where is the summer party?', "at Sabine's", 'strike'],
  ])('is not %s', async (_, question, lead, words) => {
    const line = await firstLine(question)
    expect(line).toContain(lead)
    expect(line).not.toContain(words)
  })
})
