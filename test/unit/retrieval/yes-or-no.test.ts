import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Told } from '../../lib/labelled-pair.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const note = (at: string, text: string): Told => ({ form: 'note', at, text })
const TOLD: readonly Told[] = [
  note('2026-03-02T19:00Z', 'Rejected: satellite pictures for the map, because they cost 900 euros a month.'),
  note('2026-04-11T19:00Z', 'Benno wants walnut shelves, I want birch shelves.'),
  note('2026-05-10T08:00Z', 'Without the permit the bakery does not extend its terrace.'),
  note('2026-06-20T19:00Z', 'The ferry to Runde was full, so we drove.'),
  note('2026-07-01T19:00Z', 'Signe needs glasses: minus 1.25 left.'),
  note('2026-07-02T19:00Z', 'We have to move the piano lesson from 25 July to Wednesday, 9 September at 8:30.'),
  note('2026-07-03T19:00Z', "Let's move the tasting to Thursday then, Friday is too tight for Jonas."),
  note('2026-07-04T19:00Z', 'The renewal of the parking permit is automatic, says the town hall.'),
  note('2026-07-05T19:00Z', 'The scanner stays on 22 until the driver is repaired.'),
  note('2026-07-07T19:00Z', 'Penicillin gave Signe a rash, so no penicillin!'),
  note('2026-07-08T19:00Z', 'We can cancel the cabin for free until 3 August.'),
  note('2026-07-09T19:00Z', 'We decide against the greenhouse, because of the budget.'),
  note('2026-07-10T19:00Z', 'Supplements: iron in the morning.\n\nMagnesium: stopped on 22 June'),
  note('2026-07-11T19:00Z', 'The surveyor comes on 26 November now, Dacre rang.'),
  note('2026-07-06T19:00Z', '"Saltmarsh" by Ida Quill, February, gave up after 80 pages.'),
]
const MOVES = ['We moved the harvest from 12 May to Thursday.', 'Ann moved 3 boxes to 12 Main Street.']
const MESSAGES = `---
title: "sms Nora Lind"
---
Nora Lind [2026-10-05 09:20]: I sold the kayak today.
Nora Lind [2026-10-05 09:22]: Hanna and Piet are coming to the regatta. Jon can't make it.
Nora Lind [2026-10-05 09:24]: All of the paddles are here, so nothing is lost.
Nora Lind [2026-10-05 09:26]: My cousin Ellis is doing the barbecue.
Nora Lind [2026-10-06 10:02]: Your uncle phoned, he can't come at Christmas, he'll come for lunch.
Nora Lind [2026-11-09 10:02]: My cousin Ellis pulled out of the barbecue, he is moving.
`

describe('a question for yes or no', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [...TOLD, ...MOVES.map((text) => note('2026-08-01T19:00Z', text))],
      [{ itemId: 'sms', text: MESSAGES, fileName: 'sms.md', contentType: 'text/markdown', sourceType: 'slack' }],
    )
  })
  afterAll(() => memory.close())

  const ask = async (text: string) => (await memory.ask(text, 'Tess Moreau')).response

  test.each([
    ['Does Signe need glasses?', /^Yes: .*Signe needs glasses/],
    ['Did Nora Lind sell the kayak?', /^Yes: Nora Lind .*I sold the kayak/],
    ['Do we use satellite pictures for the map?', /^No: .*Rejected: satellite pictures/],
    ['Were any paddles lost?', /^No: .*nothing is lost/],
    ['Is the piano lesson still on 25 July?', /^No: .*Wednesday, 9 September/],
    ['Is the tasting still on Friday?', /^No: .*to Thursday/],
    ['Is Piet coming to the regatta?', /^Yes: .*Hanna and Piet are coming/],
    ['Is Jon coming to the regatta?', /^No: .*Jon can't make it/],
    ['Does Benno want walnut shelves?', /^Yes: .*Benno wants walnut/],
    ['Is the parking permit renewed automatically?', /^Yes: .*renewal of the parking permit is automatic/],
    ['Is the scanner on version 24?', /^No: .*stays on 22/],
    ['Can we cancel the cabin for free?', /^Yes: .*We can cancel the cabin/],
    ['Do we get the greenhouse?', /^No: .*decide against the greenhouse/],
    ['Do I still take magnesium?', /^No: .*Magnesium: stopped/],
    ['Is Ellis still doing the barbecue?', /^No: .*pulled out/],
    ['Is my uncle coming at Christmas?', /^No: .*he can't come/],
    ['Did I finish Saltmarsh?', /^No: .*gave up after 80 pages/],
  ])('begins with the word and its reason: %s', async (question, answer) => {
    expect(await ask(question)).toMatch(answer)
  })

  test.each([
    ['what somebody else wants', 'Do I want walnut shelves?'],
    ['a condition', 'Does the bakery extend its terrace?'],
    ['a thing that somebody does without', 'Is Signe allergic to penicillin?'],
    ['a place without the deed', 'Did we take the ferry to Runde?'],
    ['what was given up', 'Did I buy Saltmarsh?'],
    ['the same value', 'Is the scanner on version 22?'],
    ['what is still to come', 'Did the surveyor come?'],
  ])('gets neither from %s', async (_, question) => {
    expect(await ask(question)).not.toMatch(/^(?:Yes|No): /)
  })

  test('says that a sentence on the subject says neither', async () => {
    expect(await ask('Is Benno building the walnut shelves?')).toMatch(/^Unclear: “Benno wants walnut shelves/)
    expect(await ask('Do you know who is building the walnut shelves?')).toMatch(/^“Benno wants walnut shelves/)
  })

  test.each(['Did we move the harvest from 12 May to Thursday?', 'Did Ann move 3 boxes to Main Street?'])(
    'is not denied by a sentence that says the same: %s',
    async (question) => expect(await ask(question)).not.toMatch(/^No: /),
  )
})
