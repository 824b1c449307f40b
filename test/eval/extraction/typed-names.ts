import type { IndexedItem } from '../../../src/domain/document.ts'
import { hasFacts, type LabelledPassage } from './labelled-passages.ts'
import { type Tally, tally } from './tally.ts'
import { daysOf } from './written-days.ts'

/** The types that are judged; of others (`url`, `version`, `identifier`) a label says nothing of use. */
const TYPES: Readonly<Record<string, string>> = {
  person: 'person',
  organization: 'organization',
  place: 'place',
  product: 'product',
  project: 'project',
  repository: 'repository',
  ticket: 'ticket',
  file: 'file',
  date: 'date',
  amount: 'amount',
  money: 'amount',
}

/** Names with their types: `person: Rosa Klein`, `date: 2026-03-18`. Untyped terms are not found. */
export function typedTally(passage: LabelledPassage, item: IndexedItem): Tally {
  const { expect, userName } = passage
  const typed = (name: string, type: string) => `${type}: ${type === 'date' ? name : canonical(name, passage)}`
  const contents = item.memories.map(({ content }) => content)
  const entities = contents.flatMap(({ other_entities = [] }) => other_entities)
  const found = entities.flatMap(({ entity_name, entity_type }) => {
    const type = TYPES[entity_type]
    if (type === undefined) return []
    return type === 'date' ? daysOf(entity_name).map((day) => typed(day, type)) : [typed(entity_name, type)]
  })
  const participants = contents.flatMap(({ participants = [] }) => participants)
  const named = Object.entries(expect.names).flatMap(([name, type]) => (TYPES[type] ? [typed(name, TYPES[type])] : []))
  // Labels without facts do not say which participants are persons.
  const people = expect.who.filter((who) => who !== userName && !(who in expect.names) && !who.includes('@'))
  const days = Object.values(expect.dates).flatMap((day) => day.split('/'))
  const everybody = [userName, ...expect.who, ...expect.optional_who].map((who) => typed(who, 'person'))
  const unjudged = [
    ...expect.optional,
    ...Object.keys(expect.names).filter((name) => !TYPES[expect.names[name] ?? '']),
    userName,
  ]
  return tally(
    [...found, ...(hasFacts(passage) ? participants.map((who) => typed(who, 'person')) : [])],
    [
      ...named,
      ...(hasFacts(passage) ? people.map((who) => typed(who, 'person')) : []),
      ...days.map((day) => typed(day, 'date')),
    ],
    [
      ...everybody,
      ...unjudged.flatMap((name) => Object.values(TYPES).map((type) => typed(name, type))),
      ...[...expect.optional_dates, ...Object.values(expect.weeks), expect.when ?? ''].flatMap((day) =>
        day.split('/').map((one) => typed(one, 'date')),
      ),
    ],
  )
}

/** People who are written in several ways and came out under one name, in all memories of the item together. */
export function peopleTally({ expect }: LabelledPassage, item: IndexedItem): Tally {
  const contents = item.memories.map(({ content }) => content)
  const named = new Set([
    ...contents.flatMap(({ participants = [] }) => participants),
    ...contents
      .flatMap(({ other_entities = [] }) => other_entities)
      .flatMap(({ entity_name, entity_type }) =>
        entity_type === 'person' || entity_type === 'term' ? [entity_name] : [],
      ),
  ])
  const groups = expect.people.map((names) => [names[0] ?? '', names.filter((name) => named.has(name))] as const)
  return {
    found: groups.flatMap(([name, written]) => (written.length > 0 ? [name] : [])),
    right: groups.flatMap(([name, written]) => (written.length === 1 && written[0] === name ? [name] : [])),
    expected: groups.map(([name]) => name),
  }
}

/** The first of the ways to write a name, in lower case. */
function canonical(name: string, { expect }: LabelledPassage): string {
  const group = expect.people.find((names) => names.includes(name))
  return (group?.[0] ?? name).toLowerCase()
}
