import { describe, expect, it } from 'vitest'
import { documentOf, narrate } from './extract-document-builder.ts'

const receipt = (lines: readonly string[]) => narrate(documentOf('note', [[lines.join('\n'), { type: 'paragraph' }]]))

describe('a receipt', () => {
  it('tells what was bought where, for how much and when', async () => {
    expect(
      await receipt([
        'Green Grocer Ltd',
        '14 November 2026 10:22',
        'Apples £2.40',
        '2 x Oat milk £3.60',
        'Rye bread £3.10',
        'Subtotal £9.10',
        'Total £9.10',
        'Paid by card £9.10',
      ]),
    ).toBe('I bought Apples, 2 x Oat milk and Rye bread at Green Grocer Ltd for £9.10 on 14 November 2026.')
  })

  it('counts what it does not name', async () => {
    const items = Array.from(
      { length: 8 },
      (_, i) => `${'Tea Jam Oil Salt Rice Nuts Soap Mint'.split(' ')[i]} €${i + 1}.00`,
    )
    expect(await receipt(['Corner Market Ltd', ...items, 'Total €36.00', 'Paid'])).toBe(
      'I bought Tea, Jam, Oil, Salt, Rice and 3 more at Corner Market Ltd for €36.00.',
    )
  })

  it('that asks for money is an invoice', async () => {
    const lines = [
      'Rechnung Nr. 114',
      'Schreinerei Holm GmbH',
      '3. November 2026',
      'Türblatt Eiche 420,00 €',
      'Anfahrt 25,00 €',
    ]
    expect(await receipt([...lines, 'MwSt 19 % 84,55 €', 'Gesamtbetrag 529,55 €'])).toBe(
      'Schreinerei Holm GmbH invoiced me 529,55 € for Türblatt Eiche and Anfahrt on 3 November 2026.',
    )
  })

  it.each([
    ['Trip to Rome', ['Hotel 240.00', 'Flight 180.00', 'Dinner with Ada 45.00', 'Total 465.00']],
    ['Sparkasse statement', ['Salary 3,200.00', 'Rent -900.00', 'Power -80.00', 'Total 2,220.00']],
    ['Flea market, what I sold', ['Lamp €40.00', 'Chair €20.00', 'Books €9.00', 'Total €69.00']],
    ['Quote from Miller Roofing Ltd', ['Tiles £900.00', 'Scaffold £300.00', 'VAT £240.00', 'Total £1,440.00']],
  ])('is no other list of amounts, such as “%s”', async (head, rows) => {
    expect(await receipt([head, ...rows])).not.toMatch(/bought|invoiced/)
  })

  it('of the owner is not what the owner bought, and one without a shop is quoted', async () => {
    const rows = ['Lamp €40.00', 'Shade €20.00', 'Total €60.00']
    expect(await receipt(['Mara Lindqvist', ...rows])).not.toContain('bought')
    expect(await receipt(['2026', ...rows])).toMatch(/^I noted/)
  })

  it.each(['Anna left. Call her £2.40', 'Apples, and I hate Anna £2.40', 'Apples! £2.40', 'Apples: £2.40'])(
    'is quoted if a row may be more than a name: %s',
    async (row) => {
      const lines = ['Green Grocer Ltd', row, 'Oat milk £3.60', 'Total £6.00', 'Paid by card £6.00']
      expect(await receipt(lines)).toMatch(/^I noted/)
    },
  )

  it('is quoted if the name of its shop is in first person', async () => {
    const lines = ['I hate Green Grocer', 'Apples £2.40', 'Oat milk £3.60', 'Total £6.00', 'Paid by card £6.00']
    expect(await receipt(lines)).toMatch(/^I noted/)
  })

  it('has dates and times that are no goods', async () => {
    const lines = ['Lind & Sohn GmbH', 'Datum: 09.11', 'Abholung bis 18.30', 'Seife 1,45', 'Shampoo 2,75']
    expect(await receipt([...lines, 'Summe 4,20', 'Gegeben BAR 10,00'])).toMatch(
      /^I bought Seife and Shampoo at Lind & Sohn GmbH for 4,20/,
    )
  })
})
