import { describe, expect, it } from 'vitest'
import { findEntities } from '../../../../src/pipeline/extract/entities.ts'

const typesIn = (text: string, capitalsMean = true) =>
  Object.fromEntries(
    findEntities(text, { persons: [], isProse: true, capitalsMean }).map((one) => [one.entity_name, one.entity_type]),
  )

describe('names typed without capitals', () => {
  it('are those of listed cities and companies', () => {
    expect(typesIn('there is an easyjet one from luton to lisbon')).toMatchObject({
      easyJet: 'organization',
      Luton: 'place',
      Lisbon: 'place',
    })
  })

  it.each(['i was reading in bed', 'a guinea pig in the mobile home', 'we split it, most of it was nice'])(
    'are no words: %s',
    (text) => {
      expect(typesIn(text)).toEqual({})
    },
  )
})

describe('names with a word beside them', () => {
  it.each([
    ['Oliver wants an investor, Northgate, on the board.', 'Northgate'],
    ['Sabine has been made partner at Mills & Reeve.', 'Mills & Reeve'],
    ['Kestrel pushed their renewal to January.', 'Kestrel'],
  ])('are companies: %s', (text, name) => {
    expect(typesIn(text)[name]).toBe('organization')
  })

  it('are companies without the word for their trade', () => {
    expect(typesIn('Am Montag liest die Firma Techem die Zähler ab.', false)).toEqual({ Techem: 'organization' })
  })

  it.each([
    ['TOP 1: Kasse', 'TOP 1'],
    ['The children in Year 2 have nits.', 'Year'],
    ['The tooltip is too long in German.', 'German'],
    ['Send it to Pier House, Dunstable LU5 5XE.', 'Dunstable LU5'],
  ])('are neither amounts nor places nor products: %s', (text, name) => {
    expect(typesIn(text)[name] ?? 'term').toBe('term')
  })
})

it('names a phone with its model', () => {
  expect(typesIn('It breaks on the iPhone SE again.')).toEqual({ 'iPhone SE': 'product' })
})
