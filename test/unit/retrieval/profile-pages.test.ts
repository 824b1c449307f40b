import { describe, expect, it } from 'vitest'
import type { MemoryContent } from '../../../src/domain/results.ts'
import type { SourceType } from '../../../src/domain/source-type.ts'
import { type KnownMemory, ownWords, readKnownMemory } from '../../../src/retrieval/profile/known-memory.ts'
import { decisionsIn, type OwnKind, ownStatements, promisesIn } from '../../../src/retrieval/profile/statements.ts'
import { findSubjects, type Subject, subjectPage, summaryOf } from '../../../src/retrieval/profile/subjects.ts'

let items = 0
function known(content: MemoryContent, sourceType: SourceType = 'slack', at = Date.UTC(2027, 3, 20)): KnownMemory {
  const key = ++items
  return readKnownMemory({
    ...{ itemKey: key, itemId: `item-${key}`, sourceType, index: 0, content },
    ...{ firstChunkId: key, lastChunkId: key, firstOrdinal: 0, at, url: undefined, userName: 'Sam Okafor' },
  })
}

const OWNERS = new Set(['Sam Okafor'])
const people = (...memories: KnownMemory[]) => findSubjects('person', memories, OWNERS)
const namesOf = (subjects: readonly Subject[]) => subjects.map(({ name, aliases }) => [name, ...aliases])
const taking = (...participants: string[]) => known({ participants, narrative: '' })
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
async function factsOf(name: string, narrative: string): Promise<string[]> {
  const memories = [known({ participants: [name], narrative })]
  const context = { memories, now: new Date('2027-05-01'), dayOf }
  const pages = await Promise.all(people(...memories).map((one) => subjectPage('person', one, context)))
  return pages.flatMap(({ facts }) => facts.map(({ text }) => text))
}

describe('the list of people', () => {
  it('has no shop that took part in a mail', () => {
    const shop = [{ entity_name: 'Saturn', entity_type: 'organization' }]
    const order = known({ participants: ['Saturn', 'Ines Roth'], other_entities: shop, narrative: '' }, 'email')
    expect(namesOf(people(order))).toEqual([['Ines Roth']])
  })

  it('joins a handle of a first name with an initial, unless two have it', () => {
    const [dario, handle] = [taking('Dario Marchetti'), taking('dario.m')]
    expect(namesOf(people(dario, handle))).toEqual([['Dario Marchetti', 'dario.m']])
    expect(people(dario, handle, taking('Dario Moretti'))).toHaveLength(3)
    expect(people(dario, taking('dariom.b'))).toHaveLength(2)
  })

  it('joins a name without its space to the contact who has it with one', () => {
    const contact = known({ body: 'Contact: Yuki Kobayashi\nAlso called: 小林 由紀', narrative: '' }, 'contacts')
    const subjects = people(contact, taking('Yuki Kobayashi'), taking('小林 由紀'), taking('小林由紀'))
    expect(namesOf(subjects)).toEqual([['Yuki Kobayashi', '小林 由紀', '小林由紀']])
  })

  it('takes no birthday for the first contact', () => {
    const entities = [{ entity_name: 'Femke de Wit', entity_type: 'person' }]
    const contact = known({ other_entities: entities, narrative: '' }, 'contacts', Date.UTC(1989, 7, 9))
    const [femke] = people(contact, taking('Femke de Wit'))
    expect(summaryOf(femke!, { now: new Date('2027-05-01'), dayOf }).first).toBe('2027-04-20')
  })
})

describe('facts about somebody', () => {
  it('are what they are quoted with too', async () => {
    const moves = 'Janek said: "Ich zieh zum 1. August aus, hab die Stelle in Halle bekommen."'
    expect(await factsOf('Janek', `On 12 April 2027, ${moves}`)).toEqual([moves])
  })

  it.each([
    'Janek said: "All done."',
    'I told Janek: "The drill for the shelf is in the cellar."',
    'Lotte said: "The washing machine arrives on Saturday morning."',
  ])('are not: %s', async (narrative) => {
    expect(await factsOf('Janek', narrative)).toEqual([])
  })
})

describe('statements on pages', () => {
  it('are no decisions when something is only proposed or undecided', () => {
    const texts = ['I proposed to have a beer on Tuesday.', 'Dario said: "Not decided yet, keep it to yourself."']
    expect(texts.flatMap((narrative) => decisionsIn(known({ narrative })))).toEqual([])
    expect(decisionsIn(known({ narrative: 'Femke decided not to rent the second tent.' }))).toHaveLength(1)
  })

  it('end where the next one begins with a handle', () => {
    const narrative = 'I promised to book the desk today. dario.m said that the generator is late.'
    const memory = known({ participants: ['Sam Okafor', 'dario.m'], narrative })
    expect(promisesIn(memory).map(({ task }) => task)).toEqual(['book the desk today'])
  })

  it.each<[OwnKind, string, boolean]>([
    ['routines', "I said I'd call him every day that week.", false],
    ['routines', 'I call him every day.', true],
    ['roles', "I'm the technical director at Harborlight.", true],
    ['roles', "I've been a sound engineer since 2011.", true],
    ['roles', "I've been a bit tired since Monday.", false],
  ])('of %s: %s', (kind, sentence, isStated) => {
    const memory = known({ body: sentence, narrative: 'I noted: "…"' })
    expect(ownStatements(kind, memory, ownWords(memory))).toHaveLength(isStated ? 1 : 0)
  })
})
