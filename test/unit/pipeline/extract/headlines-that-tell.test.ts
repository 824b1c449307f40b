import { describe, expect, it } from 'vitest'
import { shortened } from '../../../../src/pipeline/extract/headline/headline-cut.ts'
import { isLabel } from '../../../../src/pipeline/extract/headline/headline-words.ts'
import { parse } from '../../../../src/pipeline/parse/parse.ts'
import { sourceFile } from '../parse/parse-source-file.ts'
import { documentOf, extractFrom, fileOf, turns } from './extract-document-builder.ts'

const ME = 'Mara Lindqvist'
const AT = { start: new Date('2026-11-15T18:00:00Z'), precision: 'minute' } as const

/** The memories of an uploaded text. */
async function memoriesOf(text: string, fileName = 'upload.txt') {
  const document = await parse.run(sourceFile(text, { fileName, userName: ME }))
  const { memories } = await extractFrom(document)
  return memories.map(({ content }) => content)
}

async function mailHeadline(author: string, title: string, text: string) {
  const meta = { author, participants: [author, ME], title, when: AT }
  const document = documentOf('email', [[text, { type: 'paragraph' }]], meta)
  const { memories } = await extractFrom(document, fileOf({ sourceType: 'email' }))
  return memories[0]?.content.headline
}

async function chatHeadline(...said: readonly (readonly [string, string])[]) {
  const { memories } = await extractFrom(documentOf('chat', turns(...said)))
  return memories[0]?.content.headline
}

describe('the headline of a letter', () => {
  it('is what is so rather than what would be nice', async () => {
    const headline = await mailHeadline(
      'Gareth Pugh',
      'Lease',
      'Two instalments for the deposit would be great, January and March. The second guarantor will be Priya Raman from September.',
    )
    expect(headline).toBe('Lease: The second guarantor will be Priya Raman from September')
  })

  it('has a row of an itinerary rather than its sum', async () => {
    const text =
      'VV 1120 | Monterrey | Puebla | 2 abr 2026 06:40\n\nVV 1127 | Puebla | Monterrey | 5 abr 2026 21:10\n\nTotal: $5,236.00 MXN'
    expect(await mailHeadline('VivaVuela', 'Itinerario K7PLWM', text)).toContain('Monterrey, Puebla, 2 abr 2026 06:40')
  })
})

describe('the headline of a chat', () => {
  it('tells what happened although it is exclaimed', async () => {
    expect(await chatHeadline(['Karin', 'The boat is sold! To a couple from Marstrand.'], [ME, 'oh no'])).toBe(
      'The boat is sold! To a couple from Marstrand',
    )
  })

  it.each([
    [
      'anyone know if the velodrome is open on weekdays',
      'Anyone know if the velodrome is open on weekdays? Tuesdays 6-8',
    ],
    ['can I see the bike on saturday', 'Koko: Can I see the bike on saturday? Tuesdays 6-8'],
  ])('is a question without its mark, with the answer: %s', async (question, expected) => {
    expect(await chatHeadline(['Koko', question], ['Alan', 'tuesdays 6-8'], [ME, 'thanks'])).toBe(expected)
  })

  it('has no figure without what it is about', async () => {
    const headline = await chatHeadline(['伊藤', '0.1%に下がりました。再発防止の資料は金曜日までに私が書きます。'])
    expect(headline).toContain('再発防止の資料')
  })
})

describe('the headline of minutes', () => {
  it('is not when they meet next', async () => {
    const text = "# Board meeting\n\n- The insurance is £900 now\n- Next meeting: 1 December, 18:30, at Gwen's\n"
    const [memory] = await memoriesOf(text, 'minutes.md')
    expect(memory?.headline).toContain('The insurance is £900 now')
  })
})

describe('a cut headline', () => {
  it('has more than the subject of its sentence', () => {
    const sentence =
      'Die Felgen und die Speichen gehen morgen mit der Post raus, die Nummer der Sendung schicke ich dir, sobald ich sie habe'
    expect(shortened(sentence, 60)).toBe('Die Felgen und die Speichen gehen morgen mit der Post raus')
    expect(shortened('Les jantes et les rayons partent demain par le transporteur de Nantes', 40)).toBeUndefined()
  })
})

describe('a label', () => {
  it.each(['Note to self.', 'Okay so note to self', 'Quick update:', 'Rappel :'])('is no headline: %s', (label) => {
    expect(isLabel(label)).toBe(true)
  })

  it.each(['Note to self, buy milk', 'The update is out'])('goes on: %s', (sentence) => {
    expect(isLabel(sentence)).toBe(false)
  })
})

describe('a receipt', () => {
  it('has its last item above the line of the sum', async () => {
    const [memory] = await memoriesOf(
      'SCREWFIX BRISTOL\n14/11/26 10:22  Till 3\n\nNitrile gloves L          9.99\nWD-40 5L                 27.49\nCable ties x200           6.49\n-----------------------------\nTOTAL                    43.97\nVISA DEBIT               43.97\n',
    )
    expect(memory?.narrative).toBe(
      'I bought Nitrile gloves L, WD-40 5L and Cable ties x200 at SCREWFIX BRISTOL for 43.97 on 14 November 2026.',
    )
  })
})

describe('a list of tasks', () => {
  const tasks =
    '- [ ] renew the passport, it runs out on 8 January\n- [x] order 12 chairs for 3 March\n- [ ] call the bank\n'

  it('says which are done', async () => {
    const [memory] = await memoriesOf(tasks, 'tasks.md')
    expect(memory?.narrative).toContain('order 12 chairs for 3 March (done)')
    expect(memory?.narrative).not.toContain('8 January (done)')
  })

  it('is headed by one that is open', async () => {
    const [memory] = await memoriesOf(tasks, 'tasks.md')
    expect(memory?.headline).toContain('passport')
  })
})

describe('the list of participants above a transcript', () => {
  it('is no memory', async () => {
    const memories = await memoriesOf(
      'Course planning\n12 Nov 2026, 17:00\nParticipants: Mara Lindqvist, Femi Adeyemi\n\nFemi Adeyemi: The yard is free on eleven Saturdays until April.\nMara Lindqvist: Then one is missing, we need twelve.\nFemi Adeyemi: One could be on 13 May.\nMara Lindqvist: Good, I will tell the council.\n',
      'transcript.txt',
    )
    expect(memories.map(({ narrative }) => narrative).join('\n')).not.toContain('Participants')
    expect(memories.length).toBeGreaterThan(0)
  })
})

describe('a headline of a firm', () => {
  it('is what changes rather than the number of a customer', async () => {
    const headline = await mailHeadline(
      'Stadtwerke Kiel',
      'Ihre Abschlagszahlung',
      'Ihr monatlicher Abschlag steigt ab dem 1. Januar 2027 von 54,00 € auf 61,00 €. Ihre Kundennummer lautet 20 443 871.',
    )
    expect(headline).toContain('Abschlag steigt ab dem 1. Januar 2027 von 54,00 € auf 61,00 €')
  })

  it('begins with what was discussed', async () => {
    const headline = await mailHeadline(
      'Petra Novak',
      'Easter',
      'As discussed: Alma is with Johan from 26 March to 9 April.',
    )
    expect(headline).toBe('Easter: Alma is with Johan from 26 March to 9 April')
  })
})
