import { describe, expect, it } from 'vitest'
import { analyze, hashTerm } from '../../../src/lib/analyze.ts'

describe('analyze', () => {
  it('stems English words, drops stop words and possessives, folds case and accents', () => {
    expect(analyze("Caroline's dogs don't like the naïve Café in Łódź")).toEqual([
      'carolin',
      'dog',
      'like',
      'naiv',
      'cafe',
      'lodz',
    ])
  })

  it.each([
    ['Åre', 'åre'],
    ["Åre's", 'åre'],
    ['A\u030Are', 'åre'],
    ['ÅRE-2026', 'åre'],
    ['Thé', 'thé'],
    ['Bé', 'bé'],
    ['Mÿ', 'mÿ'],
  ])('keeps %s, which is a stop word only without its accent', (text, term) => {
    expect(analyze(`We were in ${text} at last`)).toContain(term)
  })

  it('still drops stop words, and single letters with an accent', () => {
    expect(analyze('Are they here? We’re not à la mode, DON’T ask')).toEqual(['la', 'mode', 'ask'])
  })

  it('folds accents of all other words', () => {
    expect(analyze('Où est-il dû? Señor Müller, Ærø, Straße')).toEqual(
      analyze('Ou est-il du? Senor Muller, Aero, Strasse'),
    )
  })

  it.each([
    ['ERR_OUT_OF_RANGE', 'err_out_of_range'],
    ['fooBar', 'foobar'],
    ['a.b.c', 'a.b.c'],
    ['OPS-1423', 'ops-1423'],
    ['#1423', '#1423'],
    ['v1.2.3', '1.2.3'],
    ['Bob.Smith@Example.com', 'bob.smith@example.com'],
    ['src/lib/analyze.ts', 'src/lib/analyze.ts'],
    ['C++', 'c++'],
  ])('keeps %s whole', (text, term) => {
    expect(analyze(`see ${text}, please`)).toContain(term)
  })

  it('also splits identifiers, so that a part finds the whole', () => {
    expect(analyze('OPS-1423')).toEqual(expect.arrayContaining(['op', '1423']))
    expect(analyze('parseHTTPHeader')).toEqual(expect.arrayContaining(['pars', 'http', 'header']))
    expect(analyze('src/lib/analyze.ts')).toEqual(expect.arrayContaining(['analyze.ts', 'lib', 'analyz']))
  })

  it('joins what is written with and without a hyphen, and thousands with and without a comma', () => {
    expect(analyze('e-mail')).toContain('email')
    expect(analyze('1,000')).toEqual(['1000'])
  })

  it('cuts Chinese and Japanese into overlapping pairs and keeps words of one character', () => {
    expect(analyze('机器学习')).toEqual(['机器', '器学', '学习'])
    expect(analyze('黒い猫が好き')).toContain('猫')
    expect(analyze('茶')).toEqual(['茶'])
  })

  it('keeps Hangul words whole and adds pairs, so that particles do not hide the noun', () => {
    expect(analyze('친구를')).toEqual(['친구를', '친구', '구를'])
  })

  it('keeps Cyrillic words, and reads ё as е', () => {
    expect(analyze('Зелёная ёлка')).toEqual(['зеленая', 'елка'])
  })

  it('reads full-width and ligature forms like the plain ones', () => {
    expect(analyze('ＲＥＡＤＭＥ ﬁle')).toEqual(analyze('README file'))
  })

  it('gives the same terms when a word comes from the cache', () => {
    const first = analyze('Deployments of HTTPServer')
    expect(analyze('Deployments of HTTPServer')).toEqual(first)
  })

  it('drops runs that are data rather than words', () => {
    expect(analyze('a'.repeat(500))).toEqual([])
  })
})

describe('hashTerm', () => {
  it('is unsigned, stable and different for different terms', () => {
    expect(hashTerm('deploy')).toBe(hashTerm('deploy'))
    const hashes = new Set(Array.from({ length: 20_000 }, (_, i) => hashTerm(`term${i}`)))
    expect(hashes.size).toBe(20_000)
    for (const hash of hashes) expect(hash >>> 0).toBe(hash)
  })
})
