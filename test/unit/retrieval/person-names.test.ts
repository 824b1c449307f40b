import { describe, expect, it } from 'vitest'
import { readKnownMemory } from '../../../src/retrieval/profile/known-memory.ts'
import { findSubjects, separableNames } from '../../../src/retrieval/profile/subjects.ts'
import { decidedNames, isPerson, wantedPerson } from '../../../src/retrieval/recall/person-names.ts'

const decision = (name: string, mergedInto?: string) => ({
  ...{ name, by: 'Ada', at: new Date(0) },
  ...(mergedInto !== undefined && { mergedInto }),
})
const decided = (...all: readonly (readonly [string, string?])[]) =>
  decidedNames(all.map(([name, into]) => decision(name, into)))

describe('a wanted person', () => {
  it.each<[string, string, boolean]>([
    ['Priya', 'Priya', true],
    ['Priya', 'P. Raman', true],
    ['Priya', 'Priya Raman', true],
    ['Priya', 'Priya Shah', false],
    ['Priya Raman', 'priya', true],
    ['Raman', 'Priya', true],
    ['P. Raman', 'Priya', true],
    ['Priya Shah', 'Priya', false],
    ['Shah', 'Priya', false],
  ])('with merged names, %s is %s: %s', (wanted, name, isTheirs) => {
    const names = decided(['Priya', 'Priya Raman'], ['P. Raman', 'Priya Raman'])
    expect(isPerson(wantedPerson(wanted, names), [name])).toBe(isTheirs)
  })

  it.each<[string, string, boolean]>([
    ['Priya', 'Priya', true],
    ['Priya', 'Priya Raman', false],
    ['Priya Raman', 'Priya', false],
    ['Raman', 'Priya Raman', true],
    ['Pri', 'Priya Raman', true],
  ])('with a split name, %s is %s: %s', (wanted, name, isTheirs) => {
    expect(isPerson(wantedPerson(wanted, decided(['Priya'])), [name])).toBe(isTheirs)
  })

  it('of whom nothing is decided has the name in theirs', () => {
    const wanted = wantedPerson('Ann', decided(['Priya', 'Priya Raman']))
    expect(isPerson(wanted, ['Ann Lee'])).toBe(true)
    expect(isPerson(wanted, ['Priya Raman'])).toBe(false)
  })

  it('follows merges through several names', () => {
    const wanted = wantedPerson('Mum', decided(['Mum', 'Ann'], ['Ann', 'Ann Lee']))
    for (const name of ['Mum', 'Ann', 'Ann Lee']) expect(isPerson(wanted, [name])).toBe(true)
  })
})

describe('people of decided names', () => {
  let items = 0
  const withPeople = (...participants: readonly string[]) =>
    readKnownMemory({
      ...{ itemKey: ++items, itemId: `item-${items}`, sourceType: 'slack', index: 0 },
      content: { narrative: 'We met.', participants: [...participants] },
      ...{ firstChunkId: items, lastChunkId: items, firstOrdinal: 0, at: 0, url: undefined, userName: 'Ole Lind' },
    })
  const memories = [
    withPeople('Priya Raman', 'Ole Lind'),
    withPeople('Priya Raman'),
    withPeople('Priya'),
    withPeople('P. R. Raman'),
    withPeople('Ole'),
  ]
  const people = (...all: readonly (readonly [string, string?])[]) =>
    findSubjects('person', memories, new Set(['Ole Lind']), decided(...all)).map(({ name, aliases }) => [
      name,
      ...aliases,
    ])

  it('are joined by themselves where nothing is decided, and the owner is none of them', () => {
    expect(people()).toEqual([['Priya Raman', 'Priya'], ['P. R. Raman']])
  })

  it('stay apart where a name was split, even from the owner', () => {
    expect(people(['Priya'])).toEqual([['Priya Raman'], ['P. R. Raman'], ['Priya']])
    expect(people(['Ole'])).toContainEqual(['Ole'])
  })

  it('are one where names were merged, under the name that was chosen', () => {
    expect(people(['P. R. Raman', 'Priya Raman'])).toEqual([['Priya Raman', 'P. R. Raman', 'Priya']])
    expect(people(['Priya Raman', 'P. R. Raman'])).toEqual([['P. R. Raman', 'Priya Raman', 'Priya']])
    expect(people(['P. R. Raman', 'Ole Lind'])).toEqual([['Priya Raman', 'Priya']])
  })

  it('can be split off if they are another name, not another spelling', () => {
    const spelled = [...memories, withPeople('PRIYA'), withPeople('Dr. Priya Raman')]
    const [subject] = findSubjects('person', spelled, new Set())
    expect(subject?.aliases).toContain('Dr. Priya Raman')
    expect(separableNames(subject!)).toEqual(['PRIYA'])
  })
})
