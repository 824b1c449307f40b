import { describe, expect, it } from 'vitest'
import type { DocumentKind } from '../../../../src/domain/document.ts'
import { documentOf, extractFrom } from './extract-document-builder.ts'

/** 23 March 2023, a Thursday, at 10:00 in Berlin. */
const at = new Date('2023-03-23T09:00:00Z')

async function contentOf(text: string, speaker = 'Ann Lee', kind: DocumentKind = 'chat') {
  const document = documentOf(kind, [
    [text, { type: 'turn', speaker, at }],
    ['That is good to hear, all of it.', { type: 'turn', speaker: 'Bob Ray', at }],
  ])
  const { memories } = await extractFrom(document)
  return memories[0]!.content
}

describe('a day that a statement names by its distance', () => {
  it.each([
    ['I went to the support group yesterday.', 'went to the support group on 22 March 2023', '22 March 2023'],
    ['Yesterday morning we met the new neighbours.', 'esterday morning (22 March 2023)', '22 March 2023'],
    ['We saw the comet last night from the roof.', 'last night (22 March 2023)', '22 March 2023'],
    ['I ran a race two days ago and got a medal.', 'two days ago (21 March 2023)', '21 March 2023'],
    ['I came back the day before yesterday.', 'the day before yesterday (21 March 2023)', '21 March 2023'],
    ['I will call my mentor tomorrow.', 'promised to call their mentor on 24 March 2023', '24 March 2023'],
    ['I met my mentor on Monday.', 'on Monday (20 March 2023)', '20 March 2023'],
    ['Ich war gestern in der Gruppe.', 'gestern (22 March 2023)', '22 March 2023'],
    ['- I slept today\n- I went home yesterday\n- I rest', 'went home on 22 March 2023', '22 March 2023'],
    ['昨日、私は病院に行きました。I was there.', '昨日 (22 March 2023)', '22 March 2023'],
  ])('is resolved: %s', async (text, narrated, day) => {
    const content = await contentOf(text)
    expect(content.narrative).toContain(narrated)
    expect(content.when).toBe(`23 March 2023, 10:00 (about ${day})`)
    expect(content.body).toContain(text)
  })

  it.each([
    ['The plumber comes tomorrow at nine.', 'comes on 24 March 2023 at nine'],
    ['Ready for pickup on Saturday after three.', 'on Saturday (25 March 2023)'],
    ['Ben has to confirm by Monday that 2 May is firm.', 'by Monday (27 March 2023) that 2 May'],
    ['Die Halle ist am Samstag gesperrt.', 'am Samstag (25 March 2023)'],
    ['Der Gutachter hat am Dienstag angerufen.', 'am Dienstag (21 March 2023)'],
    ['Le livreur est venu mardi soir.', 'mardi soir (21 March 2023)'],
    ['El cartero llegó el martes.', 'el martes (21 March 2023)'],
    ['Der Kurs beginnt übermorgen.', 'übermorgen (25 March 2023)'],
    ['La livraison arrive demain matin.', 'demain matin (24 March 2023)'],
    ['El pintor llegó ayer y termina el lunes.', 'ayer (22 March 2023) y termina el lunes (27 March 2023)'],
    ['工事は来週の金曜日です。', '来週の金曜日 (31 March 2023)'],
    ['合同下周二签。', '下周二 (28 March 2023)'],
    ['押金周六前要付。', '周六 (25 March 2023)前'],
    ['The shed gets painted next week.', 'next week (week of 27 March 2023)'],
    ['Nächste Woche kommt der Gutachter.', 'Nächste Woche (week of 27 March 2023)'],
    ['The form is due on the 30th.', 'on the 30th (30 March 2023)'],
    ['Since Tuesday the printer is dead on both floors.', 'Since Tuesday (21 March 2023)'],
    ['Could you send me the plan tomorrow?', 'tomorrow (24 March 2023)'],
    ['The lift is closed until the twelfth.', 'until the twelfth (12 April 2023)'],
  ])('is resolved where nobody speaks of themselves: %s', async (text, narrated) => {
    expect((await contentOf(text)).narrative).toContain(narrated)
  })

  it.each([
    ['that somebody else was told', 'She said that yesterday was bad.'],
    ['of a whole range', 'The office is open Monday to Friday.'],
    ['that is quoted', 'The sign says "closed tomorrow" in red.'],
    ['in a question', 'Did I tell you yesterday?'],
    ['that is today', 'I start the new job today.'],
    ['that is written already', 'I was there yesterday, 22 March, with the others.'],
    ['that recurs', 'I go there every Monday with the others.'],
  ])('stays as it is when it is one %s', async (_, text) => {
    const content = await contentOf(text)
    expect(content.narrative).not.toMatch(/\(\d/)
    expect(content.when).toBe('23 March 2023, 10:00')
  })

  it.each([
    'Black Friday is crowded in this town.',
    'The Monday build is broken on two machines.',
    'Sunday mornings are quiet in this street.',
    'The invoice was due on the 30th, for both of us.',
    'Le lundi le marché est fermé toute la journée.',
  ])('is none where no one day ahead is meant: %s', async (text) => {
    expect((await contentOf(text)).narrative).not.toMatch(/\(\d/)
  })

  it('stays as it is when nobody knows when it was said', async () => {
    const said = documentOf('chat', [['I went to the support group yesterday.', { type: 'turn', speaker: 'Ann Lee' }]])
    const { memories } = await extractFrom(said)
    expect(memories[0]!.content.narrative).not.toContain('(')
  })

  it('is counted from the day at the head of a note', async () => {
    const calls = 'Calls, 7 October 2026\n\n16:20 Harbour office, engaged, try again tomorrow'
    const dated = await extractFrom(documentOf('note', [[calls, { type: 'paragraph' }]]))
    expect(dated.memories[0]!.content.narrative).toContain('tomorrow (8 October 2026)')
    const diary = 'Diary, 7 October 2026\n\nWe rowed out.\n\n8 October 2026\n\nThe lock is closed tomorrow.'
    const several = await extractFrom(documentOf('note', [[diary, { type: 'paragraph' }]]))
    expect(several.memories[0]!.content.narrative).not.toContain('(')
  })

  it('is not last week on a Sunday, which may end it', async () => {
    const sunday = new Date('2023-03-26T09:00:00Z')
    const said = documentOf('chat', [['The roof leaked last week.', { type: 'turn', speaker: 'Ann Lee', at: sunday }]])
    const { memories } = await extractFrom(said)
    expect(memories[0]!.content.narrative).not.toContain('week of')
  })

  it('is counted from the clock of the account', async () => {
    const late = new Date('2023-03-22T23:30:00Z')
    const said = documentOf('note', [['I went to the support group yesterday.', { type: 'paragraph' }]], {
      when: { start: late, precision: 'minute' },
    })
    const inBerlin = await extractFrom(said, { timeZone: 'Europe/Berlin' })
    const inLisbon = await extractFrom(said, { timeZone: 'Europe/Lisbon' })
    expect(inBerlin.memories[0]!.content.narrative).toContain('yesterday (22 March 2023)')
    expect(inLisbon.memories[0]!.content.narrative).toContain('yesterday (21 March 2023)')
  })

  it('is told of me and of others alike', async () => {
    const mine = await contentOf('I went to the support group yesterday.', 'Mara Lindqvist')
    expect(mine.narrative).toContain('I went to the support group on 22 March 2023.')
    const mail = await contentOf('I went to the support group yesterday.', 'Ann Lee', 'email')
    expect(mail.narrative).toContain('Ann Lee went to the support group on 22 March 2023.')
  })
})
