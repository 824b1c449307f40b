import { describe, expect, it } from 'vitest'
import { readKnownMemory } from '../../../src/retrieval/profile/known-memory.ts'
import { findSubjects, subjectPage } from '../../../src/retrieval/profile/subjects.ts'

describe('decisions on the page of a person', () => {
  const onPage = async (narrative: string) => {
    const content = { participants: ['Ana Silva', 'Bo Berg', 'Ole Lind'], narrative }
    const memory = readKnownMemory({
      ...{ itemKey: 1, itemId: 'talk', sourceType: 'slack', index: 0, content, at: Date.UTC(2026, 10, 4) },
      ...{ firstChunkId: 1, lastChunkId: 1, firstOrdinal: 0, url: undefined, userName: 'Ole Lind' },
    })
    const [ana] = findSubjects('person', [memory], new Set(['Ole Lind'])).filter(({ name }) => name === 'Ana Silva')
    const context = { memories: [memory], now: new Date('2026-12-01'), dayOf: String }
    return (await subjectPage('person', ana!, context)).decisions.length > 0
  }

  it.each([
    'Ana Silva said that we decided to paint the hall blue.',
    'Ana said: "We decided to move the launch. It is on 24 March."',
    'Bo, Ana and I agreed on Saturday for the party.',
    'Bo Berg said that Ana approved the budget for May.',
    'The new budget was approved by Ana on Monday.',
    "We agreed on Ana's proposal to move the party.",
    'We decided that Ana presents the plan on Friday.',
    'Bo chose Ana as the new lead of the choir.',
  ])('are those that they made, proposed or get a task by: %s', async (narrative) => {
    expect(await onPage(narrative)).toBe(true)
  })

  it.each([
    'Bo Berg decided to leave early on Friday.',
    'I decided to call Ana on Monday about it.',
    'The board decided to close the office in May.',
    "Ana's budget was approved by the board.",
    'Ana said: "Bo decided to leave the choir."',
    'Bo said: "We decided to invite Ana to the launch."',
  ])('are no others: %s', async (narrative) => {
    expect(await onPage(narrative)).toBe(false)
  })
})
