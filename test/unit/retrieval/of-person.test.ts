import { describe, expect, it } from 'vitest'
import { matchesPerson } from '../../../src/retrieval/recall/person-names.ts'

describe('a person', () => {
  it.each([
    ['mara lindqvist', 'Mara Lindqvist'],
    ['LINDQVIST', 'Mara Lindqvist'],
    ['lind', 'Mara Lindqvist'],
    ['Jose', 'José García'],
    ['mara', 'mara.lindqvist@acme.test'],
    ['小明', '王小明'],
  ])('"%s" is %s', (typed, name) => expect(matchesPerson(typed, ['Somebody Else', name])).toBe(true))

  it.each([
    ['ann', 'Hannah'],
    ['mara lindqvist', 'Mara'],
    ['', 'Mara'],
    [' .-', 'Mara'],
  ])('"%s" is not %s', (typed, name) => expect(matchesPerson(typed, [name])).toBe(false))
})
