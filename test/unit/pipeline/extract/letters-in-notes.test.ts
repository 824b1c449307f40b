import { describe, expect, it } from 'vitest'
import { documentOf, extractFrom, narrate } from './extract-document-builder.ts'

const note = (text: string, title?: string) =>
  documentOf('note', [[text, { type: 'paragraph' }]], title === undefined ? {} : { title })

const SCHOOL =
  'Hillside Primary School\nOffice: 01632 960 001\n\nDear parents and carers,\n\n' +
  'The school will be closed on Friday 27 November for a staff training day. Please send back the reply slip.\n\n' +
  'Kind regards\nMrs J Cole'

describe('a letter in a note', () => {
  it('has a headline of what it states, not of its letterhead', async () => {
    const { memories } = await extractFrom(note(SCHOOL))
    expect(memories[0]?.content.headline).toBe(
      'The school will be closed on Friday 27 November for a staff training day',
    )
  })

  it('ends with the regards of a colleague too', async () => {
    const text =
      'Praxis Dr. Anke Voss\n\nSehr geehrter Herr Kollege,\n\nHb 10,8 g/dl, Therapie mit Eisen 100 mg für drei Monate.\n\n' +
      'Mit freundlichen kollegialen Grüßen\nDr. Anke Voss'
    expect(await narrate(note(text))).toMatch(/^I received a letter from Dr\. Anke Voss(?: on .*)?: "Hb 10,8/)
  })
})

describe('an invoice with columns', () => {
  const text =
    'Datum: 17.09.2026\n\nPos Leistung Menge Preis\n1 Netzteil tauschen 1 45,00\n2 Anfahrt 1 30,00\n\n' +
    'Summe netto 75,00 EUR\nMwSt 19% 14,25 EUR\nGesamtbetrag 89,25 EUR'

  it('is not from the names of its columns', async () => {
    const { memories } = await extractFrom(note(text, 'RECHNUNG Nr. 2026-118'))
    expect(memories[0]?.content.narrative).not.toContain('invoiced me')
    expect(memories[0]?.content.headline).toBe('RECHNUNG Nr. 2026-118: Netzteil tauschen and Anfahrt, 89,25 EUR')
  })

  it('tells its items without their numbers', async () => {
    expect(await narrate(note(`Elektro Kunze GmbH\n${text}`, 'RECHNUNG Nr. 2026-118'))).toContain(
      'Elektro Kunze GmbH invoiced me 89,25 EUR for Netzteil tauschen and Anfahrt',
    )
  })
})
