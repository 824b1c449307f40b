import { describe, expect, it } from 'vitest'
import type { MemoryContent } from '../../../src/domain/results.ts'
import { type KnownMemory, ownWords, readKnownMemory } from '../../../src/retrieval/profile/known-memory.ts'
import { openPromises } from '../../../src/retrieval/profile/open-promises.ts'
import {
  decisionsIn,
  mergeStatements,
  type OwnKind,
  ownStatements,
  promisesIn,
  repeatedEvent,
} from '../../../src/retrieval/profile/statements.ts'
import { findSubjects, subjectPage } from '../../../src/retrieval/profile/subjects.ts'

let items = 0
function remembered(day: number, content: MemoryContent): KnownMemory {
  const at = Date.UTC(2026, 2, day)
  return readKnownMemory({
    ...{ itemKey: ++items, itemId: `item-${items}`, sourceType: 'slack', index: 0, content },
    ...{ firstChunkId: items, lastChunkId: items, firstOrdinal: 0, at, url: undefined, userName: 'Ole Lind' },
  })
}

const OWNERS = new Set(['Ole Lind'])
const NOW = new Date('2026-03-20')
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
const own = (kind: OwnKind, body: string) => {
  const memory = remembered(1, { body, narrative: 'I noted: "…"' })
  return ownStatements(kind, memory, ownWords(memory)).map(({ text }) => text)
}

describe('what was decided', () => {
  it('is also what somebody is quoted with, and the sentence after a quotation stands alone', () => {
    const quoted = 'Ada said: "We decided to move the launch. It is on 24 March now."'
    const narrative = `On 4 March 2026 in "Harbour", ${quoted} Priya promised to send the plan.`
    const memory = remembered(1, { narrative })
    expect(decisionsIn(memory).map(({ text }) => text)).toEqual([quoted])
    expect(memory.sentences).toEqual(['Priya promised to send the plan.'])
  })

  it('is no question, and no long speech', () => {
    const asked = remembered(1, { narrative: 'Ada said: "Have we decided on the colour?"' })
    expect(decisionsIn(asked)).toEqual([])
    expect(decisionsIn(remembered(1, { narrative: `Ada said: "We decided. ${'It rained. '.repeat(30)}"` }))).toEqual([])
  })
})

describe('what the owner says of themselves', () => {
  it.each<[OwnKind, string, boolean]>([
    ['preferences', 'I prefer the window seat.', true],
    ['preferences', "I don't like olives.", true],
    ['preferences', 'Ich mag keine Oliven.', true],
    ['preferences', "I'd like a table for two.", false],
    ['preferences', 'I like it.', false],
    ['preferences', 'Do I prefer tea?', false],
    ['roles', 'I live in Bergen.', true],
    ['roles', "I'm the treasurer of the rowing club.", true],
    ['roles', 'My daughter Lena has a cold.', true],
    ['roles', "I'm the one who called.", false],
    ['routines', 'We play chess every Thursday.', true],
    ['routines', 'Every week has seven days.', false],
  ])('%s: %s', (kind, sentence, isStated) => {
    expect(own(kind, sentence)).toEqual(isStated ? [sentence] : [])
  })

  it('is not what somebody else says in the same memory', () => {
    const memory = remembered(1, {
      participants: ['Ole Lind', 'Nadia Brandt'],
      body: 'Nadia Brandt: I prefer rum.\nOle Lind: I prefer milk.\nAnd I love figs.\nHelper: I prefer oil.',
    })
    expect(ownWords(memory)).toEqual(['I prefer milk.', 'And I love figs.'])
  })

  it('is a calendar entry that repeats', () => {
    const narrative = 'I have "Choir" in my calendar at Town hall on 3 March 2026. It repeats every week on Tuesday.'
    expect(repeatedEvent(remembered(1, { narrative }))).toBe('Choir: every week on Tuesday')
    expect(repeatedEvent(remembered(1, { narrative: 'I have "Choir" in my calendar.' }))).toBeUndefined()
  })
})

describe('promises', () => {
  const promised = remembered(2, {
    participants: ['Ole Lind', 'Nadia Brandt'],
    narrative:
      'On 2 March 2026 in #home, Nadia Brandt promised to book the ferry to Lewis. Nadia asked me to water the plants.',
  })

  it('are of who gives them, and what I am asked for is a task of mine', () => {
    expect(promisesIn(promised).map(({ by, task }) => [by, task])).toEqual([
      ['Nadia Brandt', 'book the ferry to Lewis'],
      ['I', 'water the plants'],
    ])
  })

  it.each([
    ['On 5 March 2026, Nadia Brandt booked the ferry to Lewis.', ['I']],
    ['On 5 March 2026: I watered the plants.', ['Nadia Brandt']],
    ['On 5 March 2026, Tom booked the ferry to Lewis.', ['Nadia Brandt', 'I']],
    ['On 5 March 2026, Nadia Brandt promised to book the ferry to Lewis tonight.', ['Nadia Brandt', 'I']],
  ])('are open until the same person did it: %s', async (narrative, open) => {
    const later = remembered(5, { narrative })
    const left = await openPromises(promisesIn(promised), [promised, later])
    expect(left.map(({ by }) => by)).toEqual(open)
  })

  it('said twice are one line with both memories', () => {
    const again = remembered(3, { narrative: 'Nadia Brandt promised to book the ferry to Lewis.' })
    const theirs = [promised, again].flatMap(promisesIn).filter(({ by }) => by !== 'I')
    expect(mergeStatements(theirs, 5)).toMatchObject([{ citations: [{ custom_id: again.source.custom_id }, {}] }])
  })
})

describe('people', () => {
  const named = (...participants: string[]) => remembered(4, { participants, narrative: 'I agreed.' })

  it('are one under spellings that differ in case, accents and titles, and under a first name that only they have', () => {
    const memories = [named('Zoë Adams', 'Ole Lind'), named('zoe adams'), named('Zoë'), named('Dr. Zoë Adams')]
    expect(findSubjects('person', memories, OWNERS)).toMatchObject([{ name: 'Zoë Adams', memories: { length: 4 } }])
  })

  it('are never the owner, not even by their first name', () => {
    const memories = [remembered(1, { narrative: 'x', participants: ['Ole', 'Ole Lind', 'Nadia Brandt'] })]
    expect(findSubjects('person', memories, OWNERS).map(({ name }) => name)).toEqual(['Nadia Brandt'])
  })

  it('are one by a Japanese family name with さん, and by an address that holds the name', () => {
    const names = ['佐藤 健二', '佐藤さん', 'Sarah Lee', 'sarah.lee@acme.test', 'sarah@acme.test']
    const memories = names.map((name, i) => remembered(i + 1, { participants: [name], narrative: 'We met.' }))
    expect(findSubjects('person', memories, OWNERS).map(({ name, aliases }) => [name, ...aliases])).toEqual([
      ['Sarah Lee', 'sarah.lee@acme.test', 'sarah@acme.test'],
      ['佐藤 健二', '佐藤さん'],
    ])
    const others = remembered(9, { participants: ['Sarah Kim'], narrative: 'We met.' })
    const apart = findSubjects('person', [...memories, others], OWNERS)
    expect(apart.find(({ name }) => name === 'sarah@acme.test')?.aliases).toEqual([])
  })

  it('are one by a handle and by a name without its space, unless two could be meant', () => {
    const names = ['Priya Nair', '@pnair', 'priya-nair', '高橋 美咲', '高橋美咲']
    const memories = names.map((name, i) => remembered(i + 1, { participants: [name], narrative: 'We met.' }))
    expect(findSubjects('person', memories, OWNERS).map(({ name, aliases }) => [name, ...aliases])).toEqual([
      ['Priya Nair', '@pnair', 'priya-nair'],
      ['高橋 美咲', '高橋美咲'],
    ])
    const other = remembered(9, { participants: ['Paul Nair'], narrative: 'We met.' })
    const apart = findSubjects('person', [...memories, other], OWNERS)
    expect(apart.find(({ name }) => name === 'Priya Nair')?.aliases).toEqual(['priya-nair'])
  })

  it('are one by what a contact says of them, unless another contact says the same', () => {
    const contact = (name: string, lines: string) => {
      const known = remembered(1, { participants: [name], body: `Contact: ${name}\n${lines}`, narrative: 'A contact.' })
      return { ...known, row: { ...known.row, sourceType: 'contacts' as const } }
    }
    const names = ['Bee', 'bee.k@acme.test', '@bk', 'Bertha Krug', 'Kay']
    const memories = [
      ...names.map((name) => remembered(2, { participants: [name], narrative: 'We met.' })),
      contact('Bertha Krug', 'Nickname: Bee\nNickname: Kay\nEmail (work): bee.k@acme.test\nSlack: bk'),
      contact('Kai Meyer', 'Nickname: Kay'),
    ]
    const people = findSubjects('person', memories, OWNERS)
    expect(people.map(({ name, aliases }) => [name, ...aliases])).toEqual([
      ['Bertha Krug', '@bk', 'Bee', 'bee.k@acme.test'],
      ['Kai Meyer'],
      ['Kay'],
    ])
  })

  it('are not guessed where two have the same first name', () => {
    const memories = [named('Zoe Adams'), named('Zoe Brook'), named('Zoe')]
    expect(findSubjects('person', memories, OWNERS).map(({ name }) => name)).toEqual(['Zoe', 'Zoe Adams', 'Zoe Brook'])
  })

  it('have a page with what memories say of them, and without what only mentions a message', async () => {
    const moved = remembered(6, {
      participants: ['Zoe Adams', 'Ole Lind'],
      narrative: 'On 6 March 2026 Zoe Adams wrote to me about "Flat". Zoe moved to Leith. Zoe wrote: "All done."',
      headline: 'Flat',
      when: '6 March 2026',
    })
    const [subject] = findSubjects('person', [moved], OWNERS)
    expect(await subjectPage('person', subject!, { memories: [moved], now: NOW, dayOf })).toMatchObject({
      name: 'Zoe Adams',
      facts: [{ text: 'Zoe moved to Leith.', citations: [{ title: 'Flat', when: '6 March 2026' }] }],
      last_contact: { custom_id: moved.source.custom_id },
      first: '2026-03-06',
      last: '2026-03-06',
    })
  })

  it('have no contact yet in an appointment that is still to come', async () => {
    const [met, coming] = [
      remembered(6, { participants: ['Zoe Adams'] }),
      remembered(28, { participants: ['Zoe Adams'] }),
    ]
    const [subject] = findSubjects('person', [met, coming], OWNERS)
    expect(await subjectPage('person', subject!, { memories: [met, coming], now: NOW, dayOf })).toMatchObject({
      memories: 2,
      last_contact: { custom_id: met.source.custom_id },
      last: '2026-03-06',
    })
  })

  it('begin a statement like a sentence when its time is left out', () => {
    const narrative = 'On 6 March 2026 in Leith, between 10:00 and 11:00 Zoe drew. On 7 March 2026, it rained.'
    expect(remembered(6, { narrative }).sentences).toEqual(['Between 10:00 and 11:00 Zoe drew.', 'It rained.'])
  })
})
