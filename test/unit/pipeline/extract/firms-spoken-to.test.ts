import { describe, expect, it } from 'vitest'
import { typeNames } from '../../../../src/pipeline/extract/names/name-types.ts'

const typesIn = (text: string) =>
  typeNames(text, { nameWords: new Set(), capitalsMean: true, isProse: true }).map(
    ({ name, type }) => `${name}: ${type}`,
  )

describe('a firm that somebody called, asked or wrote to', () => {
  it.each([
    ['I called Acme Plumbing about the leak.', 'Acme Plumbing'],
    ['We spoke to British Gas on Monday.', 'British Gas'],
    ['I called Brenk customer service', 'Brenk'],
    ['We spoke to Tolvan support twice', 'Tolvan'],
    ['I asked Bulb for a refund', 'Bulb'],
    ['She emailed Quenby about my order', 'Quenby'],
    ['I told Zelm about the missing parcel', 'Zelm'],
    ['I called Quill today. The invoice is from Quill Ltd.', 'Quill'],
    ['The lamp came with Brevik Couriers. Then I called Brevik again.', 'Brevik'],
    ['I called Tolvan. Then I rang Tolvan support.', 'Tolvan'],
  ])('is no person: %s', (text, firm) => {
    expect(typesIn(text)).toContain(`${firm}: organization`)
    expect(typesIn(text)).not.toContain(`${firm}: person`)
  })

  it.each([
    ['I asked Priya for a quote', 'Priya'],
    ['I called Marta Baker about the bill', 'Marta Baker'],
    ['We spoke to Colm about the trip', 'Colm'],
    ['I told Galdós about it', 'Galdós'],
    ['I met Anna Waters of Quill Ltd', 'Anna Waters'],
    ['I asked Baker. The car is from Hobbs Ltd.', 'Baker'],
    ['I called Emma. Her shop is Emma Ltd.', 'Emma'],
  ])('may still be a person: %s', (text, person) => {
    expect(typesIn(text)).toContain(`${person}: person`)
  })
})
