import { describe, expect, it } from 'vitest'
import { withLabels } from '../../../../src/pipeline/extract/letters/label-lines.ts'
import { isLetterEnd } from '../../../../src/pipeline/extract/letters/letter-ends.ts'
import { withWrittenLines } from '../../../../src/pipeline/extract/written-lines.ts'
import { withinProcessorTime } from '../../../lib/processor-time.ts'

describe('what stands below a letter', () => {
  it.each([
    'Fenwick Lets Ltd | 3 Quay Road, Leith | 0131 555 0142',
    'Atelier Sommer · Jana Sommer · Lindenweg 4 · 10961 Berlin',
    'Northern Ferries plc, Harbour House, 2 Pier Road, Aberdeen AB11 5DQ.',
    'Registered in Scotland no. 204417.',
    'My bookings | Help | Contact us',
    'Bitte drucken Sie diese Nachricht nur aus, wenn es nötig ist.',
  ])('is no fact: %s', (sentence) => {
    expect(isLetterEnd(sentence)).toBe(true)
  })

  it.each([
    'Oak table | 2 | £340.00',
    'The rent goes up to £1,240 from 1 January.',
    'Fenwick Lets Ltd will send an engineer on Thursday, Friday, or Monday 9.',
    'Pier Road 2, Aberdeen AB11 5DQ',
  ])('is not taken for it: %s', (sentence) => {
    expect(isLetterEnd(sentence)).toBe(false)
  })
})

describe('a line that labels what follows', () => {
  it('begins the first item of its list', () => {
    expect(withLabels('Next\n- call the printer\n- pay Sam')).toBe('\n- Next: call the printer\n- pay Sam')
  })

  it('begins its sentence', () => {
    const text = 'See you.\n\nParking\nThe car park behind the hall is closed until Easter.'
    expect(withLabels(text)).toContain('Parking: The car park behind the hall is closed until Easter.')
  })

  it.each(['Hello Nora\nThe car park behind the hall is closed until Easter.', 'It rained\nall day, so we stayed in.'])(
    'is not a salutation or half of a sentence: %j',
    (text) => {
      expect(withLabels(text)).toBe(text)
    },
  )
})

describe('a line break', () => {
  it('ends an entry of a list without marks', () => {
    expect(withWrittenLines('milk\noat flour\ntwo organic lemons')).toBe('milk\n\noat flour\n\ntwo organic lemons\n')
  })

  it('is of an editor after a long line that ends within a sentence, even if the next line is longer', () => {
    const first = 'Questions are kept for ninety days. A longer list is in the app under'
    const text = `${first}\nSettings, Activity. ${'Failed sign-ins are listed, too. '.repeat(3)}`
    expect(withWrittenLines(text)).toBe(text)
  })
  it('is looked for in linear time', async () => {
    const text = `${'word '.repeat(50_000)}\n\n`
    expect(await withinProcessorTime(2, () => withWrittenLines(text))).toBe(text)
  })
})
